import { canonical } from '../../../std/hash.ts'
import { intentAnswered } from '../../intent/course/evolve.ts'
import { mayAsk, seatInQuestion, wordOf } from '../../intent/deciding/weigh.ts'
import type { Ask, Choice } from '../../intent/state.ts'
import type { IntentRefusal } from '../../intents.ts'
import type { Option, Question } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import type { Asked, DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import type { DeliveryRules, Given } from '../story/rules.ts'

/** Which reading of the requirement it is. */
export const intent: DeliveryRules = {
  about: 'delivery',
  words: {
    reading: {
      prompt: 'Anything to add, such as a value that is still missing? You can leave this empty.',
      unsaid: null,
    },
  },
  lacks: lacksValues,
  ask(state) {
    const { control } = state.intent
    if (control.status !== 'asking' || state.plan.control.status !== 'drafting' || !mayAsk(policyOf(state))) return null
    const { ask } = control
    const readings = ask.choices.map(({ id, reading }) => ({ id, label: `${reading.summary} (${reading.size})` }))
    const options = [...readings, ...always]
    return asQuestion({
      id: `intent-${numberOf(state, options)}`,
      kind: 'intent',
      story: null,
      text: textOf(state, ask),
      options,
      default: ask.default,
      evidence: [`Asked because ${ask.why}.`, ...ask.choices.map(shown)].join('\n\n'),
    })
  },
  answer: intentAnswered,
}

/** Why the delivery cannot go on where nobody may be asked, with what there is to answer. */
export function unansweredText(state: DeliveryState): string | null {
  const { control } = state.intent
  if (control.status !== 'asking') return null
  const readings = control.ask.choices.map(({ reading }, index) => `${index + 1}. ${reading.summary}`)
  return [`it is not clear what is meant: ${control.ask.why}`, textOf(state, control.ask), ...readings].join(' · ')
}

/** An answer is one to what was shown: where there is something else to choose from, it is another question. */
function numberOf({ questions }: DeliveryState, options: Option[]): number {
  const asked = Object.values(questions).filter(({ question }) => question.kind === 'intent')
  const isThis = ({ question, answer }: Asked) => answer === null && canonical(question.options) === canonical(options)
  const place = asked.findIndex(isThis)
  return 1 + (place < 0 ? asked.length : place)
}

function lacksValues(state: DeliveryState, _: Question, { option, text }: Given): IntentRefusal | null {
  const lacking = text.trim() === '' ? lackedBy(state, option) : []
  if (lacking.length === 0) return null
  return {
    refused: `these are still missing: ${lacking.join('; ')}`,
    remedy: `say it: \`ropewalk answer <question> ${option} "…"\`, or leave it to the agents: best-judgement`,
  }
}

/** Values that this reading needs: who chooses it gives them. Of a rival nobody has said what it needs. */
function lackedBy({ intent: { control, words } }: DeliveryState, option: string): string[] {
  const choice = control.status === 'asking' ? control.ask.choices.find(({ id }) => id === option) : undefined
  const word = choice === undefined || choice.rival !== null ? undefined : words[choice.seat]
  return word?.status === 'read' ? word.interpretation.missing : []
}

const always = [
  { id: 'best-judgement', label: 'use your best judgement' },
  { id: 'abandon', label: 'stop the delivery' },
]

function textOf({ intent }: DeliveryState, { choices }: Ask): string {
  const question = wordOf(intent, seatInQuestion(intent))?.question ?? ''
  return (
    question ||
    (choices.length > 0
      ? 'What is meant?'
      : 'No reader could make sense of the requirement. Continue with it as it stands?')
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
