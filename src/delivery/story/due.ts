import { judgeOfStory } from '../judging/judging.ts'
import { dependenciesOnLine } from '../merging/queue.ts'
import { ceilingFor } from '../money/ceiling.ts'
import type { DeliveryState, Started } from '../state.ts'
import { policyOf } from '../state.ts'
import type { Step } from '../step.ts'
import { identified } from '../step-id.ts'
import { rungOf } from './ladder.ts'
import type { StoryState } from './story.ts'
import { isSettled } from './story.ts'

/** Coding, tidying and judging of each story, within the slots that the limits give. */
export function dueForStories(state: DeliveryState): Step[] {
  if (state.plan.control.status !== 'approved') return []
  const slots = freeSlots(state)
  const due: Step[] = []
  for (const id of state.order) {
    const story = state.stories[id]!
    const kind = slotKind(story)
    if (kind === null || (slots[kind] <= 0 && !slots.holders.has(id))) continue
    const step = kind === 'agent' ? dueCoding(state, story) : dueProof(state, story)
    if (step === null) continue
    due.push(step)
    if (state.running[step.id] === undefined) slots[kind] -= 1
  }
  return due
}

interface Slots {
  agent: number
  check: number
  /** Stories with a running step: theirs is looked at in any case. */
  holders: Set<string>
}

function freeSlots(state: DeliveryState): Slots {
  const { limits } = policyOf(state)
  const running = Object.values(state.running)
  const count = (verbs: string[]) => running.filter((one) => verbs.includes(one.step.verb)).length
  return {
    agent: limits.agents - count(['CodeStory', 'DraftPlan']),
    check: limits.checks - count(['TidyStory', 'Judge']),
    holders: new Set(running.map((one: Started) => one.step.story ?? '')),
  }
}

function slotKind(story: StoryState): 'agent' | 'check' | null {
  const { status } = story.control
  if (status === 'waiting' || status === 'coding') return 'agent'
  return status === 'tidying' || status === 'judging' ? 'check' : null
}

function dueCoding(state: DeliveryState, story: StoryState): Step | null {
  const { control } = story
  const rung = rungOf(policyOf(state), story)
  if (rung === null || (control.status !== 'waiting' && control.status !== 'coding')) return null
  if (control.status === 'waiting' && !mayStart(state, story)) return null
  const { base, from } = control.status === 'coding' ? control : { base: state.line.tip, from: state.line.tip }
  const step = identified({
    verb: 'CodeStory',
    story: story.spec.id,
    revision: story.revision,
    attempt: story.attempt,
    round: story.round,
    turn: story.turn,
    ...rung,
    base,
    from,
    findings: story.findings,
  })
  return state.running[step.id] !== undefined || mayTurn(state, story.spec.id, rung.agent) ? step : null
}

/** A dependent never starts before what it depends on is on the line. */
function mayStart(state: DeliveryState, story: StoryState): boolean {
  return dependenciesOnLine(state, story) && story.after.every((id) => isOutOfTheWay(state.stories[id]!))
}

const isOutOfTheWay = (story: StoryState): boolean => isSettled(story) || story.control.status === 'escalated'

const mayTurn = (state: DeliveryState, story: string, agent: string): boolean =>
  state.agentStarts < policyOf(state).limits.agentStartsPerDelivery && ceilingFor(state, story, agent) === null

function dueProof(state: DeliveryState, story: StoryState): Step | null {
  const { control, attempt, round, revision } = story
  const id = story.spec.id
  if (control.status === 'tidying') {
    const { base, commit } = control
    return identified({ verb: 'TidyStory', story: id, base, commit, attempt, round })
  }
  const judge = judgeOfStory(state, story)
  if (control.status !== 'judging' || judge === null) return null
  const { base, commit, tree, retry } = control
  return identified({
    verb: 'Judge',
    story: id,
    judge,
    scope: 'story',
    base,
    commit,
    tree,
    revision,
    attempt,
    round,
    retry,
  })
}
