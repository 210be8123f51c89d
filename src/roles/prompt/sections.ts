import { plainText } from '../../std/text/plain-text.ts'

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
