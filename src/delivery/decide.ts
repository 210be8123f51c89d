import { never } from '../std/never.ts'
import type { DeliveryEvent } from './events.ts'
import type { Intent, IntentRefusal } from './intents.ts'
import { isOfReview } from './judging/finding.ts'
import { mustFollow } from './line/course/cars.ts'
import { amendedProblems, givenProblems, lostDependency } from './plan/course/proposal.ts'

import { openQuestions, optionsLeft } from './questions/due.ts'
import { lackOfAnswer, questionRules } from './questions/registry.ts'
import { seatsOf } from './review/course/seats.ts'
import type { DeliveryState, Request } from './state.ts'
import { policyOf, storiesOf } from './state.ts'
import { adopt, notAdopted } from './stepping/lifecycle.ts'
import type { StoryState } from './story/story.ts'
import { hasBegun, isOnLine, isSettled } from './story/story.ts'

type Of<T extends Intent['type']> = Extract<Intent, { type: T }>

export type Decision = { events: DeliveryEvent[] } | IntentRefusal

/** What a person, a trigger or a plugin asks for, decided on what is known. */
export function decide(intent: Intent, state: DeliveryState): Decision {
  if (intent.type === 'RequestDelivery') return requestDelivery(intent, state)
  if (state.request === null) return refuse('there is no such delivery', 'list them with `ropewalk status --all`')
  if (intent.type === 'AdoptDelivery') return adopt(intent, state)
  if (state.imported !== null) return notAdopted(state)
  switch (intent.type) {
    case 'GivePlan':
      return givePlan(intent, state)
    case 'AnswerQuestion':
      return answerQuestion(intent, state)
    case 'PauseDelivery':
      return pause(intent, state)
    case 'ResumeDelivery':
      return resume(intent, state)
    case 'StopDelivery':
      return stop(intent, state)
    case 'RepinPolicy':
      return repinPolicy(intent, state.request)
    case 'TellStory':
    case 'RetryStory':
    case 'SkipStory':
    case 'AmendStory':
    case 'WaiveFinding':
      return forStory(intent, state)
    default:
      never(intent)
  }
}

/** A name that a person gave: it may be one that every object has. */
const own = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

const refuse = (refused: string, remedy: string): IntentRefusal => ({ refused, remedy })

function requestDelivery(
  { type: _, policy, policyHash, plan, ...requested }: Of<'RequestDelivery'>,
  state: DeliveryState,
): Decision {
  if (state.request !== null) return refuse('this delivery was already requested', 'continue it with `ropewalk resume`')
  if (requested.requirement.text.trim() === '')
    return refuse('the requirement is empty', 'say what is wanted: `ropewalk run "…"`')
  const events: DeliveryEvent[] = [
    { type: 'DeliveryRequested', ...requested },
    { type: 'PolicyPinned', policy, hash: policyHash },
  ]
  // Nobody plans or codes: reviewers look at what is there.
  if (requested.review !== null)
    return seatsOf(policy).length > 0 ? { events } : refuse('there is nobody to review', 'configure `review.reviewers`')
  if (plan === null && policy.roles.planner.length === 0)
    return refuse('there is no plan and no planner', 'give one with `--plan plan.yaml`, or configure `roles.planner`')
  if (policy.roles.coder.length === 0) return refuse('there is nobody to code', 'configure `roles.coder`')
  const problems = plan === null ? [] : givenProblems(plan, policy.limits)
  if (problems.length > 0)
    return refuse(`the plan cannot be used: ${problems.join('; ')}`, 'fix the plan file and run this again')
  if (plan !== null) events.push({ type: 'PlanGiven', plan, revision: 1, cause: 'given with the requirement' })
  return { events }
}

/** The line was laid on one branch: it cannot land on another. */
function repinPolicy(intent: Of<'RepinPolicy'>, { target }: Request): Decision {
  const { policy, policyHash } = intent
  if (policy.target !== target)
    return refuse(
      `this delivery began on ${target}; it cannot go to ${policy.target}`,
      `set target to ${target}, or start another delivery`,
    )
  return { events: [{ type: 'PolicyPinned', policy, hash: policyHash }] }
}

/** Merged work is never silently un-merged: a plan is replaced only before its first story has begun. */
function givePlan(intent: Of<'GivePlan'>, state: DeliveryState): Decision {
  if (state.mode.status === 'stopping')
    return refuse('the delivery is being stopped', 'wait for it to end, then give the plan')
  if (storiesOf(state).some(hasBegun))
    return refuse('stories of the present plan have begun', 'amend, retry or skip single stories instead')
  const problems = givenProblems(intent.plan, policyOf(state).limits)
  if (problems.length > 0)
    return refuse(`the plan cannot be used: ${problems.join('; ')}`, 'fix the plan file and give it again')
  const given: DeliveryEvent = {
    type: 'PlanGiven',
    plan: intent.plan,
    revision: state.plan.revision + 1,
    cause: intent.cause,
  }
  return { events: [...reopening(state, 'another plan was given'), given] }
}

function answerQuestion(intent: Of<'AnswerQuestion'>, state: DeliveryState): Decision {
  const asked = own(state.questions, intent.question)
  if (asked === undefined) return refuse(`there is no question ${intent.question}`, listOpen(state))
  if (asked.answer !== null) {
    const { option, by } = asked.answer
    return refuse(`${intent.question} was already answered with "${option}" by ${by}`, 'the first answer stands')
  }
  if (!openQuestions(state).includes(asked.question))
    return refuse(`${intent.question} is no longer asked`, listOpen(state))
  const { mode } = state
  if (mode.status === 'stopping') return refuse('the delivery is being stopped', 'wait for it to end, then resume it')
  if (mode.status === 'ended')
    return refuse(`the delivery has ended (${mode.result})`, 'go on with it by `ropewalk resume`, then answer')
  const options = optionsLeft(state, asked.question)
  const isOption = options.some((option) => option.id === intent.option)
  if (!isOption && questionRules[asked.question.kind].takesWords !== true) {
    return refuse(
      `"${intent.option}" is not an answer to ${intent.question}`,
      `one of: ${options.map((option) => option.id).join(', ')}`,
    )
  }
  const lack = lackOfAnswer(state, asked.question, intent)
  if (lack !== null) return lack
  const { question, option, text, by } = intent
  return { events: [{ type: 'QuestionAnswered', question, option, text, by }] }
}

function listOpen(state: DeliveryState): string {
  const open = openQuestions(state).map((question) => question.id)
  return open.length === 0 ? 'no question is open' : `open: ${open.join(', ')}`
}

function pause({ now, by }: Of<'PauseDelivery'>, { mode }: DeliveryState): Decision {
  switch (mode.status) {
    case 'ended':
      return refuse(`the delivery has ended (${mode.result})`, 'there is nothing to pause')
    case 'stopping':
      return refuse('the delivery is being stopped', 'wait for it to end')
    case 'paused':
      return mode.now || !now ? { events: [] } : { events: [{ type: 'DeliveryPaused', now, by }] }
    case 'active':
      return { events: [{ type: 'DeliveryPaused', now, by }] }
  }
}

function resume({ by }: Of<'ResumeDelivery'>, state: DeliveryState): Decision {
  const { mode } = state
  switch (mode.status) {
    case 'active':
      // Where nobody is asked, whoever resumes has seen to it: the end that is due for it was only not written.
      if (state.trouble === null || state.policy?.unattended !== true) return { events: [] }
      return {
        events: [
          ...begunEnds(state),
          { type: 'DeliveryReopened', cause: `resumed by ${by} after ${state.trouble.message}` },
        ],
      }
    case 'paused':
      return { events: [{ type: 'DeliveryResumed', by }] }
    case 'stopping':
      return refuse('the delivery is being stopped', 'wait for it to end, then resume it')
    case 'ended':
      if (['stopped', 'budget', 'crashed'].includes(mode.result) || (mode.result !== 'done' && mayGoOn(state))) {
        return { events: [{ type: 'DeliveryReopened', cause: `resumed by ${by} after it had ended (${mode.result})` }] }
      }
      if (mode.result === 'blocked')
        return refuse(
          `it is blocked: ${mode.reason}`,
          'retry or skip a story: `ropewalk retry <story>`, `ropewalk skip <story>`',
        )
      return refuse(`the delivery has ended (${mode.result})`, 'start another with `ropewalk run`')
  }
}

/** An end that was begun is not due any more. */
const begunEnds = (state: DeliveryState): DeliveryEvent[] =>
  Object.values(state.running)
    .filter(({ step }) => step.verb === 'CompleteDelivery')
    .map(({ step }) => ({ type: 'StepAborted', step: step.id, story: null, reason: 'no longer due' }))

/** It ended for a cause that may be gone by now: the world, a limit that was raised, a checkout that is clean again. */
function mayGoOn(state: DeliveryState): boolean {
  const { line, trouble, plan } = state
  const unfinished = plan.control.status === 'drafting' || !storiesOf(state).every(isSettled)
  return line.landing.status !== 'idle' || line.whole !== null || trouble !== null || unfinished
}

function stop({ reason, by }: Of<'StopDelivery'>, { mode }: DeliveryState): Decision {
  if (mode.status === 'ended') return refuse(`the delivery has ended (${mode.result})`, 'there is nothing to stop')
  if (mode.status === 'stopping') return { events: [] }
  return { events: [{ type: 'DeliveryStopping', reason, by }] }
}

type StoryIntent = Of<'TellStory' | 'RetryStory' | 'SkipStory' | 'AmendStory' | 'WaiveFinding'>

function forStory(intent: StoryIntent, state: DeliveryState): Decision {
  const story = own(state.stories, intent.story)
  if (story === undefined)
    return refuse(`there is no story ${intent.story}`, `stories: ${state.order.join(', ') || 'none yet'}`)
  if (isOnLine(story))
    return refuse(
      `${intent.story} is on the line already (${story.control.status})`,
      'merged work is changed by another delivery',
    )
  if (story.control.status === 'split')
    return refuse(`${intent.story} was split into ${story.control.into.join(', ')}`, 'say it of one of these')
  if (state.mode.status === 'stopping')
    return refuse('the delivery is being stopped', 'wait for it to end, then try again')
  if (takesOut.has(intent.type) && mustFollow(state, intent.story))
    return refuse(
      `${intent.story} is proven together with what joins the line ahead of it, and follows it`,
      'merged work is changed by another delivery',
    )
  const decision = decideForStory(intent, state, story)
  if ('refused' in decision || intent.type === 'TellStory') return decision
  return { events: [...reopening(state, `${intent.type} of ${intent.story}`), ...decision.events] }
}

const takesOut = new Set<string>(['RetryStory', 'SkipStory', 'AmendStory'] satisfies StoryIntent['type'][])

function decideForStory(intent: StoryIntent, state: DeliveryState, story: StoryState): Decision {
  switch (intent.type) {
    case 'TellStory':
      return tell(intent, story)
    case 'RetryStory':
      if (lostDependency(state, story.spec.dependsOn) !== null) return refuseWithout(state, story)
      return { events: [{ type: 'StoryRetried', story: intent.story, advice: intent.advice, by: intent.by }] }
    case 'SkipStory':
      if (story.control.status === 'skipped')
        return refuse(`${intent.story} is skipped already`, `bring it back with \`ropewalk retry ${intent.story}\``)
      return { events: [{ type: 'StorySkipped', story: intent.story, reason: intent.reason, by: intent.by }] }
    case 'AmendStory': {
      const { amendmentsPerStory } = policyOf(state).limits
      if (story.tally.amendments >= amendmentsPerStory) {
        return refuse(
          `${intent.story} was amended ${amendmentsPerStory} times`,
          'skip it, and request the work again in better words',
        )
      }
      const problems = amendedProblems(state, story, intent.changes)
      if (problems.length > 0)
        return refuse(`${intent.story} cannot be so: ${problems.join('; ')}`, 'amend it in another way')
      return { events: [{ type: 'StoryAmended', story: intent.story, changes: intent.changes, by: intent.by }] }
    }
    case 'WaiveFinding':
      return waive(intent, story)
    default:
      never(intent)
  }
}

/** Heard by the coder that is at work, or by the next. */
function tell({ story: id, text, by }: Of<'TellStory'>, story: StoryState): Decision {
  if (text.trim() === '') return refuse('there is nothing to tell', `say it: \`ropewalk tell ${id} "…"\``)
  if (isSettled(story))
    return refuse(
      `nobody works on ${id}: it is ${story.control.status}`,
      `try it again with these words: \`ropewalk retry ${id} --advice "…"\``,
    )
  return { events: [{ type: 'StoryTold', story: id, text, by }] }
}

function refuseWithout(state: DeliveryState, { spec }: StoryState): IntentRefusal {
  const lost = lostDependency(state, spec.dependsOn)
  return refuse(`${spec.id} depends on ${lost}, which is not there`, `retry that one: \`ropewalk retry ${lost}\``)
}

/** Judgement can be waived, proof cannot: no tree lands that a check has called red. */
function waive(intent: Of<'WaiveFinding'>, story: StoryState): Decision {
  const { fingerprint, because, by } = intent
  const finding = story.findings.find((one) => one.fingerprint === fingerprint)
  if (finding === undefined) {
    const known = story.findings.map((one) => one.fingerprint).join(', ')
    return refuse(
      `${intent.story} has no finding ${fingerprint}`,
      known === '' ? 'it has no open findings' : `its findings: ${known}`,
    )
  }
  if (finding.source !== 'inspection' && finding.source !== 'verifier' && !isOfReview(finding)) {
    return refuse(
      `a finding of ${finding.source} cannot be waived`,
      'only an opinion can, of an inspection, a verifier or a reviewer; a red check must become green',
    )
  }
  if (because.trim() === '') return refuse('a waiver needs a reason', 'say it with `--because "…"`')
  return { events: [{ type: 'FindingWaived', story: intent.story, fingerprint, because, by }] }
}

const reopening = ({ mode }: DeliveryState, cause: string): DeliveryEvent[] =>
  mode.status === 'ended' ? [{ type: 'DeliveryReopened', cause }] : []
