import type { StoryControl, StoryState } from './story.ts'

export type StoryStatus = StoryControl['status']

/** Wherever a story is, as long as it is not on the line and nothing has taken its place. */
const anywhere = [
  'waiting',
  'coding',
  'asking',
  'tidying',
  'judging',
  'contested',
  'reviewing',
  'triaging',
  'disputed',
  'reproducing',
  'reviewed',
  'held',
  'gated',
  'composing',
  'proving',
  'escalated',
  'respecifying',
  'respecified',
  'unclear',
  'taken-over',
  'skipped',
  'failed',
] as const satisfies StoryStatus[]

/** Whoever looks at the work may want more of it. */
const inReview = ['reviewing', 'triaging', 'disputed', 'reproducing'] as const
const inProof = ['judging', 'contested', ...inReview, 'gated', 'composing', 'proving'] as const
/** The last verdict is still the word on the story, so that a waiver can let it go on. */
export const waivable = ['waiting', 'coding', 'contested', 'escalated', 'failed', 'reviewed'] as const
const passing = ['judging', ...inReview, ...waivable] as const

/** Places that the picture draws as one. */
export const areas = { anywhere, inReview, waivable }

interface Transition {
  from: readonly StoryStatus[]
  to: StoryStatus
}

/** What may happen to a story, where it can be then, and where it is afterwards. Nothing else moves one. */
export const transitions = {
  attemptBegan: { from: anywhere, to: 'waiting' },
  turnBegan: { from: ['waiting'], to: 'coding' },
  coderAsked: { from: ['coding'], to: 'asking' },
  gapFound: { from: ['coding'], to: 'unclear' },
  coded: { from: ['coding', 'taken-over'], to: 'tidying' },
  tidied: { from: ['tidying'], to: 'judging' },
  judgePassed: { from: ['judging'], to: 'judging' },
  judgeSilent: { from: ['judging'], to: 'judging' },
  testsContested: { from: ['judging'], to: 'contested' },
  testsExcused: { from: ['judging', 'contested'], to: 'judging' },
  findingWaived: { from: waivable, to: 'judging' },
  sentBack: { from: ['coding', 'asking', ...inProof], to: 'coding' },
  policyChanged: { from: ['judging'], to: 'judging' },

  reviewBegan: { from: ['waiting', 'judging', ...inReview], to: 'reviewing' },
  reviewersSilent: { from: ['reviewing'], to: 'reviewing' },
  rebuttalBegan: { from: ['reviewing'], to: 'reviewing' },
  triageBegan: { from: ['reviewing'], to: 'triaging' },
  triageFaulted: { from: ['triaging'], to: 'triaging' },
  disputed: { from: inReview, to: 'disputed' },
  reproductionBegan: { from: ['reviewing', 'triaging', 'disputed'], to: 'reproducing' },
  reviewEnded: { from: [...inReview, 'waiting', 'escalated', 'failed', 'reviewed'], to: 'reviewed' },

  gateReached: { from: passing, to: 'gated' },
  held: { from: [...passing, 'gated', 'composing', 'proving'], to: 'held' },
  queued: { from: [...passing, 'gated', 'held'], to: 'composing' },
  composed: { from: ['composing'], to: 'proving' },
  misfitFound: { from: ['composing'], to: 'composing' },
  misfitGone: { from: ['composing'], to: 'composing' },
  lineJudged: { from: ['proving'], to: 'proving' },
  uncoupled: { from: ['proving'], to: 'composing' },
  joined: { from: ['proving'], to: 'joined' },
  laidAgain: { from: ['joined'], to: 'composing' },
  landed: { from: ['joined'], to: 'merged' },

  ladderEnded: { from: anywhere, to: 'escalated' },
  skipped: { from: anywhere, to: 'skipped' },
  failed: { from: anywhere, to: 'failed' },
  respecBegan: {
    from: ['waiting', 'coding', 'asking', ...inProof, 'escalated', 'respecified'],
    to: 'respecifying',
  },
  respecFaulted: { from: ['respecifying'], to: 'respecifying' },
  respecProposed: { from: ['respecifying'], to: 'respecified' },
  specKept: { from: ['respecifying', 'respecified'], to: 'waiting' },
  split: { from: ['respecified'], to: 'split' },
  takeOverBegan: { from: ['waiting'], to: 'taken-over' },
  workspaceLent: { from: ['taken-over'], to: 'taken-over' },
  handedBack: { from: ['taken-over'], to: 'taken-over' },

  workAdopted: { from: ['tidying', ...inProof, 'reviewed', 'held', 'joined'], to: 'judging' },
  turnAdopted: { from: ['coding', 'asking', 'taken-over'], to: 'coding' },
} as const satisfies Record<string, Transition>

export type Cause = keyof typeof transitions
type Entered<C extends Cause> = Extract<StoryControl, { status: (typeof transitions)[C]['to'] }>

/** The only place where the control of a story is written. */
export function moveStory<C extends Cause>(story: StoryState, cause: C, given: Omit<Entered<C>, 'status'>): void {
  const { from, to }: Transition = transitions[cause]
  const { status } = story.control
  if (!from.includes(status)) throw new Error(`broken invariant: ${story.spec.id} is ${status}, and cannot be ${cause}`)
  const open: { control: StoryControl } = story
  open.control = { ...given, status: to } as StoryControl
}
