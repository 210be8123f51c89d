// Questions about the delivery as a whole.
import { canonical } from '../../std/hash.ts'
import { intentAnswered } from '../intent/course/evolve.ts'
import { mayAsk, seatInQuestion, wordOf } from '../intent/deciding/weigh.ts'
import type { Ask, Choice } from '../intent/state.ts'
import type { IntentRefusal } from '../intents.ts'
import { planRejected } from '../plan/course/planning.ts'
import type { Option, Question, QuestionKind } from '../question.ts'
import { checksKey } from '../shared/room.ts'
import { type Asked, type DeliveryState, policyOf, storiesOf, type Trouble } from '../state.ts'
import { nobodyLeft } from '../takers.ts'
import { byApproving, type DeliveryRules, type Given, optionsOf, reject } from './rules.ts'

/** Which reading of the requirement it is. */
export const intentRules: DeliveryRules = {
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
    const always = { 'best-judgement': 'use your best judgement', abandon: 'stop the delivery' }
    const options = [...readings, ...optionsOf(always)]
    return {
      id: `intent-${numberOf(state, options)}`,
      text: textOf(state, ask),
      options,
      default: ask.default,
      evidence: [`Asked because ${ask.why}.`, ...ask.choices.map(shown)].join('\n\n'),
    }
  },
  answer: intentAnswered,
}

/** Whether to go ahead with the plan. */
export const planGate: DeliveryRules = {
  about: 'delivery',
  words: { reject },
  shows: 'plan',
  command: byApproving,
  ask(state) {
    const { control, revision, oversize, audit } = state.plan
    if (control.status !== 'proposed') return null
    const count = storiesOf(state).filter(({ kind }) => kind === 'story').length
    const isFirst = storiesOf(state).some((one) => one.kind === 'acceptance' && one.control.status !== 'skipped')
    const first = isFirst ? ', with acceptance tests before all' : ''
    // What is too large, and what the audit found and no draft has mended.
    const against = [...oversize, ...(audit?.problems ?? []), ...(audit?.concerns ?? [])]
    return {
      id: `plan-${revision}`,
      text: `Go ahead with this plan of ${count} ${count === 1 ? 'story' : 'stories'}${first}?`,
      evidence: against.map((text) => `- ${text}`).join('\n'),
      options: optionsOf({ approve: 'go ahead', reject: 'no, and say why' }),
    }
  },
  answer(state, _, { option, text }) {
    if (option === 'approve') state.plan.control = { status: 'approved' }
    else planRejected(state, text)
  },
  leave(state) {
    const { control, oversize } = state.plan
    if (control.status === 'proposed' && policyOf(state).gates === 'auto' && oversize.length > 0)
      state.plan.control = { status: 'faulted', problems: oversize }
  },
}

/** The result is proven, and could not land. */
export const landingRules: DeliveryRules = {
  about: 'delivery',
  command: ({ id }) => `ropewalk land   or   ropewalk answer ${id} leave`,
  ask(state) {
    const now = state.line.landing
    if (now.status !== 'waiting' || policyOf(state).unattended) return null
    // It may come to the same thing more than once: each time it is a question of its own.
    const before = askedBefore(state, 'landing').filter(({ answer }) => answer !== null)
    return {
      id: `landing-${1 + before.length}`,
      text: `The result is proven, but cannot be merged yet: ${now.message}`,
      options: optionsOf({ land: 'merge it now', leave: 'leave it where it is, without merging it' }),
    }
  },
  answer({ line }, _, { option }) {
    line.landing = option === 'land' ? { status: 'idle' } : { status: 'left' }
    if (option === 'land') line.landings = 0
  },
}

/** The world said no, or nobody is left to take a turn. */
export const troubleRules: DeliveryRules = {
  about: 'delivery',
  ask(state) {
    const met: Omit<Trouble, 'step'> | null = state.trouble ?? nobodyLeft(state)
    if (met === null || policyOf(state).unattended) return null
    const text = `${met.message}. ${met.remedy}`
    const asked = askedBefore(state, 'trouble')
    const same = asked.find(({ answer, question }) => answer === null && question.text === text)
    const goOn = { 'go-on': 'continue: the work of this delivery adds what is missing' }
    const options = optionsOf({
      ...(met.environment === true ? { repin: 'read the settings again, and retry' } : {}),
      ...(met.base === true ? goOn : {}),
      ...{ retry: 'try again', stop: 'stop the delivery' },
    })
    return { id: same?.question.id ?? `trouble-${asked.length + 1}`, text, options }
  },
  answer(state, { text }, { option }) {
    if (option === 'go-on') state.baseTried = checksKey(state)
    Object.assign(state, { trouble: null, parks: 0, absences: {} })
    if (option === 'stop') state.mode = { status: 'stopping', reason: text }
  },
}

/** Why the delivery cannot go on where nobody may be asked, with what there is to answer. */
export function unansweredText(state: DeliveryState): string | null {
  const { control } = state.intent
  if (control.status !== 'asking') return null
  const readings = control.ask.choices.map(({ reading }, index) => `${index + 1}. ${reading.summary}`)
  return [`it is not clear what is meant: ${control.ask.why}`, textOf(state, control.ask), ...readings].join(' · ')
}

const askedBefore = ({ questions }: DeliveryState, kind: QuestionKind): Asked[] =>
  Object.values(questions).filter(({ question }) => question.kind === kind)

/** An answer is one to what was shown: where there is something else to choose from, it is another question. */
function numberOf(state: DeliveryState, options: Option[]): number {
  const asked = askedBefore(state, 'intent')
  const isThis = ({ question, answer }: Asked) => answer === null && canonical(question.options) === canonical(options)
  const place = asked.findIndex(isThis)
  return 1 + (place < 0 ? asked.length : place)
}

/** Values that this reading needs: who chooses it gives them. Of a rival nobody has said what it needs. */
function lacksValues({ intent }: DeliveryState, _: Question, { option, text }: Given): IntentRefusal | null {
  const { control } = intent
  const choice = control.status === 'asking' ? control.ask.choices.find(({ id }) => id === option) : undefined
  const isOwn = choice !== undefined && choice.rival === null && text.trim() === ''
  const lacking = isOwn ? (wordOf(intent, choice.seat)?.missing ?? []) : []
  if (lacking.length === 0) return null
  return {
    refused: `these are still missing: ${lacking.join('; ')}`,
    remedy: `say it: \`ropewalk answer <question> ${option} "…"\`, or leave it to the agents: best-judgement`,
  }
}

function textOf({ intent }: DeliveryState, { choices }: Ask): string {
  const question = wordOf(intent, seatInQuestion(intent))?.question ?? ''
  if (question !== '') return question
  return choices.length > 0
    ? 'What is meant?'
    : 'No reader could make sense of the requirement. Continue with it as it stands?'
}

const shown = ({ id, seat, rival, reading, evidence }: Choice): string =>
  [
    `${id}, ${rival === null ? `as ${seat} reads it` : `a rival reading (${seat})`}: ${reading.summary} (${reading.size})`,
    ...reading.terms.map(({ term, meaning }) => `  ${term}: ${meaning}`),
    ...reading.behaviours.map((behaviour) => `  - ${behaviour}`),
    ...(reading.files.length > 0 ? [`  files: ${reading.files.join(', ')}`] : []),
    ...evidence.split('\n').flatMap((line) => (line === '' ? [] : [`  evidence: ${line}`])),
  ].join('\n')
