import type { Intent } from '../delivery/intents.ts'
import type { Plan, Story } from '../delivery/plan/plan.ts'
import type { Question } from '../delivery/question.ts'
import { openQuestions } from '../delivery/questions/due.ts'
import { questionRules } from '../delivery/questions/registry.ts'
import { type DeliveryState, storiesOf } from '../delivery/state.ts'
import { hasBegun, isSettled } from '../delivery/story/story.ts'
import { TerminalError } from '../ports/errors.ts'
import type { Lease } from '../ports/event-log.ts'
import { type GivenAnswer, parseAnswers } from '../settings/answers-file.ts'
import { policyHash } from '../settings/policy.ts'
import { canonical } from '../std/hash.ts'
import { nearest } from '../std/nearest.ts'
import { never } from '../std/never.ts'
import type { InboxItem } from '../views/inbox.ts'
import { counted } from '../views/step-text.ts'
import { chosen, driverOf, putIntent, refuseImported } from './choose-delivery.ts'
import { freshPolicy, type GivenFile } from './prepare/preflight.ts'
import { problemsError } from './prepare/settings-layers.ts'
import type { Visit } from './world.ts'

/** What a visitor asks for, in their own words: by the beginning of an id, the number of an option, the only question. */
export type Wish =
  | { kind: 'approve'; question: string | undefined }
  | { kind: 'reject'; question: string | undefined; because: string }
  | { kind: 'answer'; question: string; option: string; text: string }
  | { kind: 'tell'; story: string; text: string }
  | { kind: 'waive'; story: string; finding: string; because: string }
  | { kind: 'retry'; story: string; advice: string }
  | { kind: 'skip'; story: string; because: string }
  | { kind: 'pause'; now: boolean }
  | { kind: 'stop'; because: string; now: boolean }
  | { kind: 'land' }
  | { kind: 'plan'; plan: Plan }

export interface Decided {
  state: DeliveryState
  accepted: number
  /** What was asked of the law, in order. */
  intents: Intent[]
  /** Null: nobody drives the delivery. */
  driver: Lease | null
}

/** Records what a visitor decided, and wakes whoever drives the delivery. */
export async function decideWish(visit: Visit, name: string | undefined, wish: Wish): Promise<Decided> {
  const { log, state: before } = await chosen(visit, name)
  refuseImported(before)
  const intents = await intentsFor(visit, before, wish)
  let [state, accepted] = [before, 0]
  for (const intent of intents) {
    const submitted = await putIntent(visit, before.id, intent)
    state = submitted.state
    accepted += submitted.accepted
  }
  if (wish.kind === 'stop' && wish.now) await visit.world.sweep(before.id)
  return { state, accepted, intents, driver: await driverOf(log, before.id, Date.now()) }
}

async function intentsFor(visit: Visit, state: DeliveryState, wish: Wish): Promise<Intent[]> {
  const { user: by } = visit
  switch (wish.kind) {
    case 'approve':
    case 'reject': {
      const { id: question } = findQuestion(state, wish.kind, wish.question)
      const text = wish.kind === 'reject' ? wish.because : ''
      return [{ type: 'AnswerQuestion', question, option: wish.kind, text, by }]
    }
    case 'answer':
      return [await answerIntent(visit, state, wish)]
    case 'tell':
      return [{ type: 'TellStory', story: wish.story, text: wish.text, by }]
    case 'waive':
      return [{ type: 'WaiveFinding', ...waived(state, wish), by }]
    case 'retry':
      return [{ type: 'RetryStory', story: wish.story, advice: wish.advice, by }]
    case 'skip':
      return [{ type: 'SkipStory', story: wish.story, reason: wish.because, by }]
    case 'pause':
      return [{ type: 'PauseDelivery', now: wish.now, by }]
    case 'stop':
      return [{ type: 'StopDelivery', reason: wish.because, by }]
    case 'land':
      return [landing(state, by)]
    case 'plan':
      return planned(state, wish.plan, by)
    default:
      return never(wish)
  }
}

/** Settings are read here, by whoever says that they are to count. Of a question that is not open the law says why. */
async function answerIntent(
  visit: Visit,
  state: DeliveryState,
  { question, option: given, text }: Extract<Wish, { kind: 'answer' }>,
): Promise<Intent> {
  const by = visit.user
  const asked = openQuestions(state).find(({ id }) => id === question)
  const option = asked === undefined ? given : optionNamed(asked, given)
  const kind = state.questions[question]?.question.kind
  if (option !== 'repin' || kind !== 'trouble') return { type: 'AnswerQuestion', question, option, text, by }
  const policy = await freshPolicy(visit, state)
  return { type: 'RepinPolicy', policy, policyHash: policyHash(policy), by }
}

/** The finding whose fingerprint begins so, if there is only one. */
function waived(state: DeliveryState, { story, finding, because }: Extract<Wish, { kind: 'waive' }>) {
  const known = state.stories[story]?.findings.map(({ fingerprint }) => fingerprint) ?? []
  const [only, ...others] = known.filter((one) => one.startsWith(finding))
  return { story, fingerprint: only !== undefined && others.length === 0 ? only : finding, because }
}

/** A landing which had to wait may continue; one that has ended without landing lands by continuing. */
function landing(state: DeliveryState, by: string): Intent {
  const question = openQuestions(state).find((one) => one.kind === 'landing')
  if (question !== undefined) return { type: 'AnswerQuestion', question: question.id, option: 'land', text: '', by }
  if (state.mode.status === 'ended' && state.line.landing.status !== 'idle') return { type: 'ResumeDelivery', by }
  const open = storiesOf(state).filter((story) => !isSettled(story)).length
  if (state.mode.status === 'ended')
    throw new TerminalError(
      'no landing is waiting',
      '`ropewalk status` shows how the delivery ended, and `ropewalk resume` continues it',
    )
  throw new TerminalError(
    open > 0
      ? `no landing is waiting: ${counted(open, 'story is', 'stories are')} not finished yet`
      : 'no landing is waiting for your approval',
    'landing happens by itself once everything is proven; `ropewalk status` shows what is missing',
  )
}

/** Before work has begun a plan is replaced as a whole; afterwards the stories that differ are amended. */
function planned(state: DeliveryState, plan: Plan, by: string): Intent[] {
  if (!storiesOf(state).some(hasBegun)) return [{ type: 'GivePlan', plan, cause: `given by ${by}` }]
  const changed = amendments(state, plan)
  if (changed.length === 0) throw new TerminalError('the plan is the same as before', 'change it first')
  return changed.map((one) => ({ type: 'AmendStory', ...one, by }))
}

/** What is different, story by story; stories can neither come nor go. */
export function amendments(
  state: DeliveryState,
  given: Plan,
): { story: string; changes: Partial<Omit<Story, 'id'>> }[] {
  const ids = given.stories.map((story) => story.id)
  // What was added to mend the result was never in the user's file.
  const planned = state.plan.plan?.stories.map(({ id }) => id) ?? []
  const moved = [...ids.filter((id) => !state.order.includes(id)), ...planned.filter((id) => !ids.includes(id))]
  if (moved.length > 0)
    throw new TerminalError(
      `work on this plan has begun, so stories can neither come nor go: ${moved.join(', ')}`,
      'skip a story with `ropewalk skip`, and bring other work in by another delivery',
    )
  if (given.outline !== null && canonical(given.outline) !== canonical(state.plan.plan?.outline ?? null))
    throw new TerminalError(
      'work on this plan has begun, so its outline stays as it was approved',
      'leave the outline as it was; `ropewalk plan --export` shows it',
    )
  return given.stories.flatMap((story) => {
    const changes = changesOf(state.stories[story.id]!.spec, story)
    return Object.keys(changes).length === 0 ? [] : [{ story: story.id, changes }]
  })
}

function changesOf(before: Story, after: Story): Partial<Omit<Story, 'id'>> {
  const entries = Object.entries(after).filter(
    ([key, value]) => key !== 'id' && canonical(value) !== canonical(before[key as keyof Story]),
  )
  const changes = Object.fromEntries(entries) as Partial<Omit<Story, 'id'>>
  if (changes.dependsOn !== undefined)
    throw new TerminalError(
      `${after.id}: what a story depends on cannot be changed once work has begun`,
      'leave dependsOn as it was; `ropewalk plan --export` shows it',
    )
  return changes
}

/** All answers of a file, or an error that names everything wrong with them: none of them counts then. */
export function answersIn({ text, place }: GivenFile, items: InboxItem[]): GivenAnswer[] {
  const parsed = parseAnswers(text, place)
  const remedy = 'fix the file and run this again; nothing was recorded'
  if (!parsed.ok) throw problemsError('the answers cannot be used', parsed.problems, remedy)
  const matched = parsed.answers.map((given) => matchedIn(items, given))
  const problems = matched.flatMap((one) => (typeof one === 'string' ? [one] : []))
  if (problems.length > 0) throw new TerminalError(['the answers cannot be used:', ...problems].join('\n  '), remedy)
  return matched.filter((one) => typeof one !== 'string')
}

/** What is to be recorded, or what is wrong with it. The beginning of the delivery's id will do. */
function matchedIn(items: InboxItem[], given: GivenAnswer): GivenAnswer | string {
  const { delivery, question: id } = given
  const [item, ...others] = items.filter((one) => one.delivery.startsWith(delivery) && one.question.id === id)
  if (item === undefined) return `no open question is called ${id} in ${delivery}`
  if (others.length > 0) return `"${delivery}" fits several deliveries with a question ${id}`
  const option = optionIn(item.question, given.option)
  if (option === null)
    return `"${given.option}" is not an answer to ${id} (${optionsText(item.question, given.option)})`
  return { ...given, delivery: item.delivery, option }
}

type Asked = Pick<Question, 'id' | 'kind' | 'options'>

/** The option that was meant: by its id, or by the number that it is shown with. Free text where there are no options. */
export function optionNamed(question: Asked, given: string): string {
  const option = optionIn(question, given)
  if (option !== null) return option
  throw new TerminalError(`"${given}" is not an answer to ${question.id}`, optionsText(question, given))
}

/** Null when there is none. */
function optionIn({ kind, options }: Asked, given: string): string | null {
  if (options.length === 0 || options.some((option) => option.id === given)) return given
  if (/^\d+$/.test(given)) return options[Number(given) - 1]?.id ?? null
  return questionRules[kind].takesWords === true ? given : null
}

function optionsText({ kind, options }: Asked, given: string): string {
  // Options that an agent made up are called by their numbers.
  const list = options.map(({ id, label }, index) => `${index + 1} ${id === `${index + 1}` ? label : id}`).join(', ')
  if (questionRules[kind].takesWords === true) return `one of: ${list}; or say it in words`
  const meant = nearest(
    given,
    options.map(({ id }) => id),
  )
  return meant === null ? `one of: ${list}` : `did you mean ${meant}? One of: ${list}`
}

/** The open question with this option that was meant: by its id, by its story, or because it is the only one. */
export function findQuestion(state: DeliveryState, option: string, name: string | undefined): Question {
  const open = openQuestions(state).filter((one) => one.options.some((each) => each.id === option))
  const fitting = name === undefined ? open : open.filter((one) => one.id === name || one.story === name)
  if (fitting.length === 1) return fitting[0]!
  const list = open.map((one) => one.id).join(', ')
  if (open.length === 0)
    throw new TerminalError(
      `no question is waiting for "${option}"`,
      '`ropewalk status` shows open questions; `ropewalk resume` continues until one is asked',
    )
  throw new TerminalError(
    name === undefined ? `${open.length} questions are waiting for "${option}"` : `no open question is called ${name}`,
    `name one of: ${list}`,
  )
}
