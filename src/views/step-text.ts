import type { MoneyState } from '../delivery/money/money.ts'
import type { RespecifyStory } from '../delivery/plan/steps.ts'
import type { CodeStory, Step } from '../delivery/step.ts'
import { never } from '../std/never.ts'

/** What is being done, in a few words that follow the name of the story. */
export function stepText(step: Step): string {
  switch (step.verb) {
    case 'DraftPlan':
      return `drafting the plan with ${step.agent}`
    case 'TryBase':
      return 'trying the checks on the base'
    case 'AskQuestion':
      return 'asking a human'
    case 'CloseQuestion':
      return 'closing a question'
    case 'CodeStory':
      return codingText(step)
    case 'TidyStory':
      return 'tidying'
    case 'Judge':
      return `${step.scope === 'story' ? 'being judged' : 'being proven'} by ${step.judge}${where[step.scope]}`
    case 'Review':
      return `being judged by ${step.judge} (${step.agent})`
    case 'ComposeLine':
      return 'composing onto the line'
    case 'AdvanceLine':
      return 'joining the line'
    case 'Land':
      return `landing on ${step.target}`
    case 'AddFixStory':
      return `adding ${step.spec.id} to mend the result`
    case 'CompleteDelivery':
      return 'ending'
    case 'HarvestContext':
      return 'collecting what is known'
    case 'ReadRequirement':
      return `reading the requirement with ${step.agent}`
    case 'CheckAssumptions':
      return `checking assumptions with ${step.agent}`
    case 'TryExamples':
      return `trying examples on a reading with ${step.agent}`
    case 'AuditPlan':
      return `auditing the plan with ${step.agent}`
    case 'ReviewStory':
      return `being reviewed for ${step.vantage} (${step.agent})`
    case 'TriageFindings':
      return `sorting ${counted(step.findings.length, 'finding')} (${step.agent})`
    case 'ReproduceFindings':
      return `writing tests for ${counted(step.findings.length, 'finding')} (${step.agent})`
    case 'RespecifyStory':
      return `being ${respecWord(step)} (${step.agent})`
    case 'LendWorkspace':
      return 'preparing its workspace for you'
    case 'HarvestStory':
      return 'collecting what you left'
    default:
      return never(step)
  }
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
