import type { DeliveryEvent, Lifecycle } from '../events.ts'
import type { Instant } from '../ids.ts'
import type { Intent, Refusal } from '../intents.ts'
import { noReview } from '../review/state.ts'
import type { DeliveryState } from '../state.ts'
import { raiseConcern, storiesOf } from '../state.ts'
import type { StoryControl, StoryState } from '../story/story.ts'
import { freshStory } from '../story/story.ts'

type Of<T extends Lifecycle['type']> = Extract<Lifecycle, { type: T }>

/** Until a human adopts it. */
export const notAdopted = ({ id }: DeliveryState): Refusal => ({
  refused: `${id} was imported from a file, and nobody has adopted it`,
  remedy: `look at it with status, why, report, log, replay, verify and diff; to continue it, change to its repository and run \`ropewalk adopt ${id}\`, which first shows what would run`,
})

/** Only where it can go on: what it has merged elsewhere must be on the target here. */
export function adopt(
  { repository, target, policy, policyHash, by }: Extract<Intent, { type: 'AdoptDelivery' }>,
  state: DeliveryState,
): { events: DeliveryEvent[] } | Refusal {
  const { request } = state
  if (state.imported === null)
    return {
      refused: `${state.id} was not imported, or is adopted already`,
      remedy: 'continue it with `ropewalk resume`',
    }
  if (request?.review !== null)
    return {
      refused: 'it is a review, which ends with what it says',
      remedy: 'review the work here: `ropewalk review`',
    }
  if (policy.target !== request.target)
    return {
      refused: `this delivery began on ${request.target}; it cannot go to ${policy.target}`,
      remedy: `set target to ${request.target}, or start another delivery`,
    }
  const adopted: DeliveryEvent = { type: 'DeliveryAdopted', repository, target, by }
  return { events: [adopted, { type: 'PolicyPinned', policy, hash: policyHash }] }
}

export function imported(state: DeliveryState, { repository, by }: Of<'DeliveryImported'>, at: Instant): void {
  state.imported = { at, by }
  // Where it was elsewhere says nothing here, and might name a folder that is somebody else's.
  if (state.request !== null) state.request.repository = repository ?? { id: state.request.repository.id, path: '' }
}

/** What a file says is no proof: the work is kept, and everything that was said of it is to be said again, here. */
export function adopted(state: DeliveryState, { repository, target, by }: Of<'DeliveryAdopted'>): void {
  state.imported = null
  if (state.request !== null) state.request.repository = repository
  state.policyHash = ''
  Object.assign(state, { running: {}, parked: {}, proven: {}, absences: {}, trouble: null, baseTried: '' })
  state.money.reserved = {}
  const idle = { train: [], commits: [], landings: 0, begun: null, begunIn: null, whole: null, silences: 0 }
  Object.assign(state.line, { ...idle, tip: target, target, tree: null, landing: { status: 'idle' } })
  for (const story of storiesOf(state)) state.stories[story.spec.id] = unjudged(story)
  raiseConcern(state, `it was imported from a file and adopted by ${by}: what was said before is not proven here`)
}

function unjudged(story: StoryState): StoryState {
  const { control, spec, kind } = story
  if (control.status === 'merged') return story
  if (kind === 'acceptance') return freshStory(spec, kind)
  const claimed = { judged: null, waived: [], grants: [], review: noReview(), session: null, taken: false }
  return { ...story, ...claimed, control: workOf(control) }
}

function workOf(control: StoryControl): StoryControl {
  if ('commit' in control && 'base' in control)
    return { status: 'judging', base: control.base, commit: control.commit, tree: control.tree, passed: [], retry: 0 }
  if ('from' in control) return { status: 'coding', base: control.base, from: control.from }
  return control
}
