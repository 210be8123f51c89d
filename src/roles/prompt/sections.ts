import type { Isolation } from '../../delivery/events.ts'
import type { Handoff } from '../../delivery/story/handoff.ts'
import { plainText } from '../../std/text/plain-text.ts'
import assumptions from '../challenger/assumptions.md'
import tryExamples from '../challenger/examples.md'
import auditPlan from '../challenger/plan.md'
import challenger from '../challenger/prompt.md'
import coder from '../coder/prompt.md'
import interpreter from '../interpreter.md'
import learner from '../learner.md'
import planner from '../planner/prompt.md'
import respecify from '../planner/story.md'
import reviewer from '../reviewer/prompt.md'
import rebuttal from '../reviewer/rebuttal.md'
import acceptance from '../test-writer/acceptance.md'
import tryFinding from '../test-writer/finding.md'
import testWriter from '../test-writer/prompt.md'
import triager from '../triager.md'
import verifier from '../verifier.md'

/**
 * How long each section may be, in tokens; what happens with what is longer: `file`: all of it goes into a file that the
 * prompt names. `fails`: nothing of it may be missing, so the step fails and says so. `counted`: whole parts are left
 * out, and it is said how many.
 */
export const sections = {
  story: { tokens: 14_000, over: 'file', why: 'it is what the work is for' },
  requirement: { tokens: 8_000, over: 'file', why: 'what was asked, word for word' },
  references: { tokens: 5_000, over: 'file', why: 'what the addresses in it led to when they were read, once' },
  intent: { tokens: 3_000, over: 'file', why: 'what it was settled to mean; only a human changes that' },
  doubts: { tokens: 2_000, over: 'file', why: 'what was said against that, and what nobody could find out' },
  identity: { tokens: 8_000, over: 'counted', why: 'what the project says it is' },
  context: { tokens: 16_000, over: 'counted', why: 'what was found about the requirement before anybody read it' },
  memory: { tokens: 2_000, over: 'counted', why: 'what was learned about this repository earlier' },
  claims: { tokens: 6_000, over: 'file', why: 'what is to be checked' },
  refuted: { tokens: 4_000, over: 'file', why: 'what the code says against the reading before' },
  plan: { tokens: 24_000, over: 'file', why: 'the plan that it belongs to' },
  feedback: { tokens: 4_000, over: 'file', why: 'what was said against the draft before' },
  reason: { tokens: 4_000, over: 'file', why: 'why the story did not go on' },
  transition: { tokens: 2_500, over: 'fails', why: 'where the story stands, from the log' },
  red: { tokens: 2_000, over: 'file', why: 'tests that were shown to fail before any code' },
  findings: { tokens: 6_000, over: 'file', why: 'what must be mended now' },
  past: { tokens: 2_000, over: 'counted', why: 'what was tried before, so that it is not tried again' },
  constraints: { tokens: 3_000, over: 'counted', why: 'what the plan keeps to, whoever works on it' },
  corrections: { tokens: 6_000, over: 'file', why: 'assumptions that the code has proven wrong since' },
  handoffs: { tokens: 2_048, over: 'file', why: 'what those have decided on whose work it builds' },
  dependencies: { tokens: 2_000, over: 'counted', why: 'what merged stories changed that it builds on' },
  siblings: { tokens: 1_000, over: 'counted', why: 'what others change at the same time' },
  checks: { tokens: 2_000, over: 'counted', why: 'what will be run on the work' },
  constitution: { tokens: 4_000, over: 'fails', why: 'the coding standards that the settings name' },
  conventions: { tokens: 6_000, over: 'counted', why: 'conventions of the folders that it is about' },
  change: { tokens: 32_000, over: 'file', why: 'what is to be judged' },
  tests: { tokens: 2_000, over: 'file', why: 'which tests came with it' },
  unnoticed: { tokens: 1_000, over: 'counted', why: 'where it was broken on purpose, and no test noticed' },
  checklist: { tokens: 2_000, over: 'file', why: 'what the plan wants looked at, item by item' },
  open: { tokens: 4_000, over: 'file', why: 'findings of the round before' },
  rebuts: { tokens: 6_000, over: 'file', why: 'findings of others that it is asked about' },
  sorted: { tokens: 12_000, over: 'file', why: 'the findings that are to be sorted' },
  form: { tokens: 3_000, over: 'fails', why: 'in which form to answer, the same for all of them' },
  vantage: { tokens: 2_000, over: 'file', why: 'from where this one looks; all others are told the same up to here' },
  rules: { tokens: 1_500, over: 'fails', why: 'what holds for everybody; it cannot be overridden' },
  problems: { tokens: 4_000, over: 'counted', why: 'why the answer before did not do' },
  answer: { tokens: 3_000, over: 'file', why: 'how to end, and in which form' },
} as const satisfies Record<string, Budget>

interface Budget {
  tokens: number
  over: 'file' | 'fails' | 'counted'
  why: string
}

export type SectionName = keyof typeof sections

/** One section of a prompt. Which may be shown, how much of it, and why, is not for its author to say. */
export interface Section {
  name: SectionName
  title: string
  /** Whole parts, the most important first: a part that does not fit is left out, never cut in the middle. */
  parts: string[]
  /** Stands in the prompt where not all of it fits and it is in a file; empty: as many parts as fit do. */
  summary: string
  /** What stands in it by its path only. */
  files: PromptFile[]
}

export interface PromptFile {
  path: string
  text: string | Uint8Array
}

export const section = (name: SectionName, title: string, parts: string[]): Section => ({
  name,
  title,
  parts,
  summary: '',
  files: [],
})

/** A token is about four bytes; tokenizers differ, and none is needed to keep a prompt bounded. */
export const bytesPerToken = 4
export const promptTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

/** Text of others as data: the fence is longer than any in the text, so nothing in it can close it. */
export function fenced(text: string, label: string): string {
  const shown = plainText(text).trimEnd()
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${label}\n${shown}\n${fence}`
}

/** One thing that a role is told to do: who it is for, how far it is kept apart, and all that it may see. */
interface Sight {
  /** Our own Markdown of it, which holds where a repository has none. */
  text: string
  role: string
  isolation: Isolation
  /** In the order in which it is told where its Markdown does not say otherwise. What is not listed cannot reach it. */
  sees: readonly SectionName[]
}

const asked = ['requirement', 'references', 'intent'] as const
const forWork = ['findings', ...asked, 'doubts', 'constraints', 'corrections'] as const
const ofPlace = ['checks', 'constitution', 'conventions', 'memory'] as const

/**
 * What each prompt may show. `full`: all that earlier roles have left for it. `task`: its task, and nothing that others
 * have made of it. `blind`: only what it is to judge, and what the project says of itself. `custom`: as listed.
 * Whoever judges never sees what an author says of its own work: `handoffs`, `corrections`, `past`, `transition`.
 */
export const prompts = {
  interpreter: {
    text: interpreter,
    role: 'interpreter',
    isolation: 'task',
    sees: ['requirement', 'references', 'identity', 'context', 'memory', 'refuted', 'problems', 'answer'],
  },
  challenger: {
    text: challenger,
    role: 'challenger',
    isolation: 'blind',
    sees: ['requirement', 'references', 'identity', 'problems', 'answer'],
  },
  'challenger-assumptions': {
    text: assumptions,
    role: 'challenger',
    isolation: 'blind',
    sees: ['claims', 'identity', 'problems', 'answer'],
  },
  'challenger-examples': {
    text: tryExamples,
    role: 'challenger',
    isolation: 'custom',
    sees: ['requirement', 'intent', 'claims', 'problems', 'answer'],
  },
  'challenger-plan': {
    text: auditPlan,
    role: 'challenger',
    isolation: 'blind',
    sees: [...asked, 'plan', 'identity', 'problems', 'answer'],
  },
  planner: {
    text: planner,
    role: 'planner',
    isolation: 'task',
    sees: [
      ...['problems', 'feedback', ...asked, 'doubts', 'identity', 'context'],
      ...['memory', 'conventions', 'checks', 'answer'],
    ] as SectionName[],
  },
  'planner-story': {
    text: respecify,
    role: 'planner',
    isolation: 'full',
    sees: [
      ...['story', 'reason', 'findings', 'past', 'problems', ...asked, 'doubts', 'constraints', 'plan'],
      ...['corrections', 'handoffs', 'memory', 'checks', 'answer'],
    ] as SectionName[],
  },
  coder: {
    text: coder,
    role: 'coder',
    isolation: 'full',
    sees: [
      ...['story', 'transition', 'red', ...forWork, 'unnoticed', 'past', 'handoffs', 'dependencies', 'siblings'],
      ...[...ofPlace, 'rules', 'answer'],
    ] as SectionName[],
  },
  'test-writer': {
    text: testWriter,
    role: 'test-writer',
    isolation: 'task',
    sees: ['story', ...forWork, 'past', 'dependencies', 'siblings', ...ofPlace, 'rules', 'answer'],
  },
  'test-writer-acceptance': {
    text: acceptance,
    role: 'test-writer',
    isolation: 'task',
    sees: ['story', 'plan', ...forWork, 'past', ...ofPlace, 'rules', 'answer'],
  },
  'test-writer-finding': {
    text: tryFinding,
    role: 'test-writer',
    isolation: 'custom',
    sees: ['story', 'findings', 'change', ...ofPlace, 'rules', 'problems', 'answer'],
  },
  reviewer: {
    text: reviewer,
    role: 'reviewer',
    isolation: 'blind',
    sees: [
      ...['story', ...asked, 'doubts', 'constraints', 'checklist', 'identity', 'conventions', 'constitution'],
      ...['change', 'tests', 'open', 'form', 'vantage', 'problems', 'answer'],
    ] as SectionName[],
  },
  'reviewer-rebuttal': {
    text: rebuttal,
    role: 'reviewer',
    isolation: 'blind',
    sees: ['story', ...asked, 'change', 'rebuts', 'problems', 'answer'],
  },
  triager: {
    text: triager,
    role: 'triager',
    isolation: 'custom',
    sees: ['story', ...asked, 'change', 'sorted', 'problems', 'answer'],
  },
  verifier: {
    text: verifier,
    role: 'verifier',
    isolation: 'blind',
    sees: ['problems', 'story', ...asked, 'change', 'tests', 'answer'],
  },
  learner: {
    text: learner,
    role: 'learner',
    isolation: 'task',
    sees: ['memory', 'problems', 'answer'],
  },
} as const satisfies Record<string, Sight>

export type HandoffField = Exclude<keyof Handoff, 'quality' | 'corrections' | 'changedTests'>

/** What of a handoff is shown, the most important first. Who is not listed sees nothing of any. */
export const handoffFields: Partial<Record<keyof typeof prompts, readonly HandoffField[]>> = {
  coder: ['deviations', 'decisions', 'limitations', 'rejected', 'tests', 'files', 'notes'],
  'planner-story': ['deviations', 'decisions', 'limitations', 'rejected', 'notes'],
}

export type PromptName = keyof typeof prompts
export const promptNames = Object.keys(prompts) as PromptName[]

/** Where a repository has its own. */
export const overridePath = (name: PromptName): string => `.ropewalk/prompts/${name}.md`
