import type { Question } from '../questions/question.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf } from '../state.ts'
import { mayAsk, subjectOf, wordOf } from './deciding/weigh.ts'
import type { Ask, Choice } from './state.ts'

/** Which reading it is, where a human may be asked; null: nothing is asked. */
export function intentQuestion(state: DeliveryState, ordinal: number): Question | null {
  const { control } = state.intent
  if (control.status !== 'asking' || state.plan.control.status !== 'drafting' || !mayAsk(policyOf(state))) return null
  const { ask } = control
  return {
    id: `intent-${ordinal}`,
    kind: 'intent',
    story: null,
    text: textOf(state, ask),
    options: [
      ...ask.choices.map(({ id, reading }) => ({ id, label: `${reading.summary} (${reading.size})` })),
      ...always,
    ],
    default: ask.default,
    deadlineAt: null,
    evidence: [`Asked because ${ask.why}.`, ...ask.choices.map(shown)].join('\n\n'),
  }
}

/** Why the delivery cannot go on where nobody may be asked, with what there is to answer. */
export function unansweredText(state: DeliveryState): string | null {
  const { control } = state.intent
  if (control.status !== 'asking') return null
  const readings = control.ask.choices.map(({ reading }, index) => `${index + 1}. ${reading.summary}`)
  return [`it is open what is meant: ${control.ask.why}`, textOf(state, control.ask), ...readings].join(' · ')
}

const always = [
  { id: 'best-judgement', label: 'decide as you think best' },
  { id: 'abandon', label: 'stop the delivery' },
]

function textOf({ intent }: DeliveryState, { choices }: Ask): string {
  const question = wordOf(intent, subjectOf(intent))?.question ?? ''
  return (
    question ||
    (choices.length > 0 ? 'What is meant?' : 'No reader could make anything of it. Go on with it as it stands?')
  )
}

const shown = ({ id, seat, rival, reading, evidence }: Choice): string =>
  [
    `${id}, ${rival === null ? `as ${seat} reads it` : `a rival reading (${seat})`}: ${reading.summary} (${reading.size})`,
    ...reading.terms.map(({ term, meaning }) => `  ${term}: ${meaning}`),
    ...reading.behaviours.map((behaviour) => `  - ${behaviour}`),
    ...(reading.files.length > 0 ? [`  files: ${reading.files.join(', ')}`] : []),
    ...evidence
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `  evidence: ${line}`),
  ].join('\n')
