import { hashOf } from '../../../std/hash.ts'
import type { IntentOutcome } from '../../events.ts'
import type { Answer, Question } from '../../question.ts'
import { type DeliveryState, policyOf, type Reducers, raiseConcern } from '../../state.ts'
import type { Step } from '../../step.ts'
import { type Conclusion, conclude } from '../deciding/conclude.ts'
import { dissentsFrom } from '../deciding/council.ts'
import { isTakenAsItStands, pendingOf } from '../deciding/course.ts'
import { checkedOf, wordOf } from '../deciding/weigh.ts'
import type { Seat, StructuredReading } from '../interpretation.ts'
import { type Choice, type IntentContract, isIntentSettled, type Meaning } from '../state.ts'

/** A record is added, and where it stands follows from all of them. */
const followed =
  <E extends IntentOutcome>(record: (state: DeliveryState, event: E, given: { step: Step }) => void): typeof record =>
  (state, event, given) => {
    record(state, event, given)
    followIntent(state)
  }

/** What is meant becomes clearer. */
export const intentReducers: Reducers<IntentOutcome, { step: Step }> = {
  ContextHarvested: followed(({ intent }, { context }) => {
    intent.context = context
  }),
  RequirementRead: followed(({ intent }, { interpretation, quality }, { step }) => {
    if (step.verb !== 'ReadRequirement') return
    const { agent, model } = step
    intent.asked += 1
    intent.words[step.seat] = { status: 'read', interpretation, quality, agent, model }
  }),
  ReadingFaulted: followed(({ intent }, { problems }, { step }) => {
    if (step.verb !== 'ReadRequirement') return
    intent.asked += 1
    faulted(intent, step.seat, problems)
  }),
  AssumptionsChecked: followed(({ intent }, { checked }, { step }) => {
    if (step.verb === 'CheckAssumptions') intent.checked[step.seat] = checked
  }),
  ExamplesTried: followed(({ intent }, { seat, tried }) => {
    intent.tried[seat] = tried
  }),
}

/** Also when other settings hold: what is not wanted any more is left out, what is settled stays so. */
export function followIntent(state: DeliveryState): void {
  const { intent } = state
  if (isIntentSettled(intent) || state.plan.control.status !== 'drafting') return
  const policy = policyOf(state)
  const pending = pendingOf(intent, policy)
  if (pending !== null) {
    intent.control = pending
    return
  }
  if (isTakenAsItStands(policy)) return takenAsItStands(state)
  const conclusion = conclude(intent, policy)
  for (const concern of conclusion.concerns) raiseConcern(state, concern)
  askedOrSettled(state, conclusion)
}

/** Asked once more with what was wrong, then counted as absent. */
function faulted({ words, faults }: DeliveryState['intent'], seat: Seat, problems: string[]): void {
  if (faults[seat] === undefined) faults[seat] = problems
  else words[seat] = { status: 'absent', problems }
}

/** A line of it is enough to show, and nobody has said more. */
const summaryLength = 200

/** Nobody is asked what is meant: the words are taken as they are, and a line is on record. */
export function takenAsItStands(state: DeliveryState): void {
  const { skip } = policyOf(state).intent
  const because = skip
    ? 'nobody was to look into it (intent.skip)'
    : 'nobody is there to look into it (roles.interpreter)'
  const kind = state.intent.context?.workKind ?? 'feature'
  if (kind === 'refactor' || kind === 'architectural')
    raiseConcern(state, `${kind}: nobody looked into what the requirement takes for granted`)
  asItStands(state, { by: 'plain code', because, answers: [] })
}

export function askedOrSettled(state: DeliveryState, { weighed, council, ask, seat, because }: Conclusion): void {
  const { intent } = state
  intent.level = weighed
  intent.council = council
  if (ask !== null) intent.control = { status: 'asking', ask }
  else if (seat === null) asItStands(state, { by: 'plain code', because, answers: [] })
  else settleOn(state, { seat, rival: null }, { by: 'plain code', because, answers: [] })
}

/** A reading, our best judgement, or none of it. A deadline that passes is no human's word. */
export function intentAnswered(state: DeliveryState, question: Question, { option, text, by }: Answer): void {
  const { control } = state.intent
  if (control.status !== 'asking') return
  if (option === 'abandon') {
    state.mode = { status: 'stopping', reason: text || 'it was abandoned when it was asked what is meant' }
    return
  }
  const { choices, default: fallback } = control.ask
  const choice = choices.find(({ id }) => id === option) ?? choices.find(({ id }) => id === fallback) ?? choices[0]
  const label = question.options.find(({ id }) => id === option)?.label ?? option
  const isHuman = by !== 'deadline'
  const answer = [label, text].filter((part) => part !== '').join(': ')
  const answers = isHuman ? [{ question: question.text, answer, by }] : []
  const said = { by, because: isHuman ? `answered: ${answer}` : 'nobody answered in time', answers }
  if (!isHuman)
    raiseConcern(state, `nobody answered what is meant in time; taken as: ${choice?.reading.summary ?? label}`)
  if (choice === undefined) asItStands(state, said)
  else settleOn(state, choice, said)
}

interface Said extends Pick<Meaning, 'by' | 'because'> {
  answers: IntentContract['answers']
}

function asItStands(state: DeliveryState, said: Said): void {
  const [line = ''] = (state.request?.requirement.text ?? '').trim().split('\n')
  const summary = line.length > summaryLength ? `${line.slice(0, summaryLength)}…` : line
  const reading: StructuredReading = { summary, terms: [], behaviours: [], files: [], size: 'medium', examples: [] }
  settled(state, { reading, seat: null }, { said, criteria: [] })
}

/** A rival has no criteria of its own: what can be observed when it is done are those. */
function settleOn(state: DeliveryState, { seat, rival }: Pick<Choice, 'seat' | 'rival'>, said: Said): void {
  const { intent } = state
  const word = wordOf(intent, seat)
  const reading = rival === null ? word?.reading : word?.rivals[rival]?.reading
  if (word === null || reading === undefined) return asItStands(state, said)
  intent.checked[seat] = checkedOf(intent, seat)
  settled(state, { reading, seat }, { said, criteria: rival === null ? word.criteria : reading.behaviours })
}

function settled(
  state: DeliveryState,
  { reading, seat }: { reading: StructuredReading; seat: Seat | null },
  { said, criteria }: { said: Said; criteria: string[] },
): void {
  const { by, because, answers } = said
  state.intent.meaning = { reading, seat, by, because }
  state.intent.control = { status: 'settled' }
  const { council } = state.intent
  // Whoever a human agrees with dissents no more; whom they decide against does.
  const isWinner = seat !== null && seat === council?.winner && wordOf(state.intent, seat)?.reading === reading
  if (council !== null && !isWinner)
    state.intent.council = { ...council, dissents: dissentsFrom(state.intent, seat, reading) }
  drawUp(state, criteria, answers)
}

type HumanAnswer = IntentContract['answers'][number]

/** Fixed when it is settled what is meant. Every role can read it, and none can change it. */
export function drawUp(state: DeliveryState, criteria: string[], answers: HumanAnswer[]): void {
  const text = state.request?.requirement.text ?? ''
  state.intent.contract = { hash: hashOf({ text, answers, criteria }), criteria, answers }
}

/** What a human says later about what is meant becomes part of it. */
export function addToContract(state: DeliveryState, answer: HumanAnswer): void {
  const { criteria, answers } = state.intent.contract ?? { criteria: [], answers: [] }
  drawUp(state, criteria, [...answers, answer])
}
