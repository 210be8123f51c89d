import type { Isolation } from '../delivery/events.ts'
import type { Handoff } from '../delivery/story/handoff.ts'
import assumptions from './challenger/assumptions.md'
import tryExamples from './challenger/examples.md'
import auditPlan from './challenger/plan.md'
import challenger from './challenger/prompt.md'
import coder from './coder/prompt.md'
import interpreter from './interpreter.md'
import learner from './learner.md'
import planner from './planner/prompt.md'
import respecify from './planner/story.md'
import type { SectionName } from './prompt/sections.ts'
import reviewer from './reviewer/prompt.md'
import rebuttal from './reviewer/rebuttal.md'
import acceptance from './test-writer/acceptance.md'
import tryFinding from './test-writer/finding.md'
import testWriter from './test-writer/prompt.md'
import triager from './triager.md'
import verifier from './verifier.md'

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
