import type { MoneyState } from '../delivery/money/ledger.ts'
import type { CodeStory, RespecifyStory, Step } from '../delivery/step.ts'

type Verb = Step['verb']

/** What is being done, in a few words that follow the name of the story. */
export const stepText = (step: Step): string => (texts[step.verb] as (step: Step) => string)(step)

const texts: { [V in Verb]: (step: Extract<Step, { verb: V }>) => string } = {
  DraftPlan: ({ agent }) => `drafting the plan with ${agent}`,
  TryBase: () => 'trying the checks on the base',
  AskQuestion: () => 'asking a human',
  CloseQuestion: () => 'closing a question',
  CodeStory: codingText,
  TidyStory: () => 'tidying',
  Judge: ({ judge, scope }) => `${scope === 'story' ? 'being judged' : 'being proven'} by ${judge}${where[scope]}`,
  Review: ({ judge, agent }) => `being judged by ${judge} (${agent})`,
  ComposeLine: () => 'composing onto the line',
  AdvanceLine: () => 'joining the line',
  Land: ({ target }) => `landing on ${target}`,
  AddFixStory: ({ spec }) => `adding ${spec.id} to mend the result`,
  CompleteDelivery: () => 'ending',
  HarvestContext: () => 'collecting what is known',
  ReadRequirement: ({ agent }) => `reading the requirement with ${agent}`,
  CheckAssumptions: ({ agent }) => `checking assumptions with ${agent}`,
  TryExamples: ({ agent }) => `trying examples on a reading with ${agent}`,
  AuditPlan: ({ agent }) => `auditing the plan with ${agent}`,
  ReviewStory: ({ vantage, agent }) => `being reviewed for ${vantage} (${agent})`,
  TriageFindings: ({ findings, agent }) => `sorting ${counted(findings.length, 'finding')} (${agent})`,
  ReproduceFindings: ({ findings, agent }) => `writing tests for ${counted(findings.length, 'finding')} (${agent})`,
  RespecifyStory: (step) => `being ${respecWord(step)} (${step.agent})`,
  LendWorkspace: () => 'preparing its workspace for you',
  HarvestStory: () => 'collecting what you left',
}

const respecWord = ({ as, departed }: RespecifyStory): string =>
  departed !== undefined ? 'looked at again' : as === 'split' ? 'split' : 'specified anew'

function codingText({ findings, phase }: CodeStory): string {
  const tests = phase === 'tests'
  if (findings.length === 0) return tests ? 'writing tests that fail' : 'coding'
  return `fixing ${counted(findings.length, 'finding')}${tests ? ' of its tests' : ''}`
}

const where = { story: '', line: ' on the line', whole: ' as a whole' }

export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** `a`, `a and b`, `a, b and c`. */
export const joined = (names: string[], word: 'and' | 'or'): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`

/** What a check that passed says of its tests. */
export const passedText = ({ passed, total }: { passed: number | null; total: number | null }, byExitCode: boolean) =>
  `${total === null ? 'passed' : `${passed} of ${total} tests passed`}${byExitCode ? ' by exit code alone' : ''}`

/** Where a terminal or an editor can open it. */
export const placeText = ({ file, line }: { file: string | null; line: number | null }): string =>
  file === null ? '' : `${file}${line === null ? '' : `:${line}`}`

export const shortId = (id: string): string => id.slice(0, 10)

export const usdText = (usd: number): string => (usd === 0 ? '$0' : usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`)

/** What was spent as far as it is known: `usd` is null when nothing of it is. */
export interface KnownCost {
  usd: number | null
  /** False when some of it is not in `usd`, because nobody knows what it cost. */
  usdKnown: boolean
}

export const knownOf = (usd: number, uncounted: number): KnownCost => ({
  usd: usd === 0 && uncounted > 0 ? null : usd,
  usdKnown: uncounted === 0,
})

/** Never a 0 for what is not known. */
export const knownText = ({ usd, usdKnown }: KnownCost): string =>
  usd === null ? 'unknown' : usdKnown ? usdText(usd) : `at least ${usdText(usd)}`

/** The same where no word beside it says what it is. */
export const costText = (known: KnownCost): string => (known.usd === null ? 'cost unknown' : knownText(known))

/** Nor for tokens, where nobody said a word. */
export const tokensText = (tokens: number, { usd }: KnownCost): string =>
  tokens === 0 && usd === null ? 'unknown tokens' : `${tokens} tokens`

export const uncountedIn = ({ entries }: MoneyState, story?: string): number =>
  Object.values(entries)
    .filter((entry) => story === undefined || entry.story === story)
    .reduce((sum, entry) => sum + entry.uncounted, 0)
