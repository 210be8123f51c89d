import type { WorkKind } from '../../delivery/intent/context.ts'
import type { CheckedAssumption } from '../../delivery/intent/interpretation.ts'
import { correctionsOf, unknownsOf, workKindOf } from '../../delivery/intent/meaning.ts'
import type { IntentState } from '../../delivery/intent/state.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { fenced } from '../prompt/fence.ts'
import { type Section, section } from '../prompt/sections.ts'
import { bulleted, listUnder } from '../prompt/story.ts'

/** What the requirement was settled to mean, and what a human has said to it. */
export function intentSection(intent: IntentState): Section {
  const { meaning, contract } = intent
  const parts: string[] = []
  const kind = workKindOf(intent)
  if (kind !== null && emphases[kind] !== '') parts.push(emphases[kind])
  if (meaning?.seat != null) {
    const { summary, behaviours, terms } = meaning.reading
    parts.push(fenced(summary, 'meaning'))
    const words = terms.map(({ term, meaning }) => `${term}: ${meaning}`)
    parts.push(...listUnder('Words in it', words, 'words'), ...listUnder('When it is done', behaviours, 'behaviours'))
  }
  const { criteria, answers } = contract ?? { criteria: [], answers: [] }
  parts.push(...listUnder('The whole must fulfil', criteria, 'criteria'))
  for (const { question, answer, by } of answers)
    parts.push(`A human was asked, and answered:\n${fenced(`${question}\n${by}: ${answer}`, 'answer')}`)
  return section('intent', 'What is meant', parts)
}

/** What counts most in work of this kind, for those who do it and those who review it. */
const emphases: Record<WorkKind, string> = {
  fix: 'It is a fix: the fault must be gone, a test must show it, and nothing else may change.',
  feature: '',
  refactor: 'It is a refactoring: nothing that can be observed may change.',
  architectural:
    'It changes how the parts fit together: look at what depends on them, and at what would be left half-way.',
  chore: 'It is a chore: no behaviour of the product may change.',
}

/** What was read into it and is not so, what nobody could tell, and who read it otherwise. */
export function doubtsSection(intent: IntentState): Section {
  const refuted = correctionsOf(intent).map(
    (one) => `This was assumed, and the code says otherwise:\n${claimText(one)}`,
  )
  const unknown = unknownsOf(intent).map((one) => `This could not be confirmed: treat it as a risk.\n${claimText(one)}`)
  const dissents = (intent.council?.dissents ?? []).map(
    ({ summary, differs }) =>
      `Somebody read it otherwise:\n${fenced([summary, bulleted(differs)].join('\n'), 'dissent')}`,
  )
  return section('doubts', 'What is not certain', [...refuted, ...unknown, ...dissents])
}

function claimText({ claim, evidence, file, line }: CheckedAssumption): string {
  const place = file === null ? '' : `\n${file}${line === null ? '' : `:${line}`}`
  return fenced(`${claim}${place}\n${evidence}`.trimEnd(), 'assumption')
}

/** What was assumed and is not so, as those have found who have worked on it since. */
export function correctionsSection(corrections: DeliveryState['corrections']): Section {
  // Without the evidence, which is in the log: all of them have to fit.
  const texts = corrections.map(({ assumption, fact }) =>
    fenced(`assumed: ${assumption}\nit is: ${fact}`, 'correction'),
  )
  return section('corrections', 'What was assumed before, and is wrong', [...new Set(texts)])
}
