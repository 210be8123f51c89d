import { hashOf } from '../../std/hash.ts'
import type { CommitId, StoryId, TreeId, Who, Work } from '../ids.ts'
import type { Finding } from '../judging/finding.ts'
import type { Usage } from '../money/ledger.ts'
import type { Story } from '../plan/plan.ts'
import {
  type Disputed,
  noReview,
  type Reproducing,
  type Reviewed,
  type Reviewing,
  type ReviewState,
  type Triaging,
} from '../review/review.ts'
import { type Deviation, type Handoff, noHandoff } from './handoff.ts'

export interface StoryState {
  spec: Story
  /** Rises when the story is amended. */
  revision: number
  /**
   * `acceptance`: tests for the requirement as a whole; held until all others are settled, then the last on the line.
   * `review`: work that is there already and is only looked at.
   */
  kind: 'story' | 'acceptance' | 'review'
  /** Written in `transitions.ts` only. */
  readonly control: Readonly<StoryControl>
  /** What its coder is to write now: tests that fail, or the code. */
  phase: 'tests' | 'code'
  /** The commit whose tests were shown to fail, in this attempt. */
  red: CommitId | null
  /** Earlier stories that declare one of the same files: this one starts when they are settled. */
  after: StoryId[]
  attempt: number
  /** Replaced when another begins. */
  thisAttempt: AttemptState
  round: number
  turn: number
  tally: Tally
  /** What the next coding turn has to mend. */
  findings: Finding[]
  /** A human's words that no coder has worked with yet. */
  told: Finding[]
  /** What was judged last, so that a waiver can let it go on from there. */
  judged: Judgement | null
  /** Fingerprints that a human has waived. */
  waived: string[]
  review: ReviewState
  /** How often a human had to be called. */
  escalations: number
  /** The agent of the last coding turn. */
  coder: string | null
  /** The same with its model: it does not review its own work, as long as there are others. */
  author: Who | null
  /** What a human has allowed the coder to do. */
  grants: string[]
  /** What it was not allowed, by a human or because nobody was there. */
  denials: string[]
  summary: string
  /** The last one that says anything. */
  handoff: Handoff
  /** Stories whose departures from the plan are nothing to it, or were looked at. */
  heard: StoryId[]
  past: PastAttempt[]
  /** The story of which it was split off; null: it was planned. */
  origin: StoryId | null
  /** What it was before, and why it is not that any more. */
  former: FormerSpec[]
  /** Turns that were taken to specify it anew, so that no two have the same id. */
  respecs: number
  /** Agents that a human wants to be left out of the ladder. */
  avoid: string[]
  /** What its last coding turn was measured against, and the last work that there is. */
  last: { base: CommitId; from: CommitId } | null
  /** Place in the merge queue. */
  queue: number
}

/** What ends with an attempt. */
export interface AttemptState {
  /** How many failures the last verdict of this attempt had, and whose it was: counts of two judges do not compare. */
  failures: { judge: string; count: number } | null
  /** The coder of this attempt had to be told already that it goes round in circles. */
  stuck: boolean
  session: Session | null
  /** Where the work of this attempt is not what the plan says, and others must know. */
  departures: Deviation[]
  /** What nothing notices in its work, when that was last tried: for its coder and its reviewers to know. */
  unnoticed: string[]
  /** The work of this attempt is a human's. */
  taken: boolean
}

export interface Session {
  agent: string
  id: string
  /** Its last turn has no outcome: the workspace is as it left it, and it goes on there. */
  open: boolean
  /** What it had spent after its last turn, where the agent tells only that. */
  totals: Usage | null
  /** It fills more than half of its model's window: the next turn opens another. */
  crowded?: true
}

/** Each loop's counter, since the last time a human refuelled it. */
export interface Tally {
  rounds: number
  attempts: number
  crashes: Record<string, number>
  merges: number
  parks: number
  amendments: number
  /** Coding turns up to the last refuelling. */
  turnsBefore: number
}

export type StoryControl =
  | { status: 'waiting' }
  | { status: 'coding'; base: CommitId; from: CommitId }
  /** The coder wants to know something. */
  | { status: 'asking'; base: CommitId; from: CommitId; text: string; options: string[]; permission: string | null }
  | ({ status: 'tidying' } & Work)
  | ({ status: 'judging'; passed: string[]; retry: number } & Work)
  /** Old tests fail, its coder maintains that they have to change, and a human is asked. */
  | ({ status: 'contested'; passed: string[]; judge: string; findings: Finding[] } & Work)
  | Reviewing
  | Triaging
  | Disputed
  | Reproducing
  | Reviewed
  /** Acceptance tests, shown to fail: they wait for all others to be settled. */
  | ({ status: 'held' } & Work)
  | ({ status: 'gated' } & Work)
  | ({ status: 'composing'; misfit: Misfit | null } & Work)
  | Proving
  /** On the line. `base` and `commit` stay, in case the line must be laid again. */
  | ({ status: 'joined'; joinedAs: CommitId } & Work)
  /** On the target: all that is from `onto` to `commit`. */
  | { status: 'merged'; onto: CommitId; commit: CommitId }
  | { status: 'escalated'; reason: string }
  | Respecifying
  /** Specified anew, where a human has a say in the plan. */
  | { status: 'respecified'; proposal: Proposal; cause: string; departed: StoryId[] }
  /** What is wanted cannot be told from what is known. */
  | { status: 'unclear'; reason: string }
  | TakenOver
  /** Others are in its place. */
  | { status: 'split'; reason: string; into: StoryId[] }
  /** `unanswered`: no human said so, a deadline passed. */
  | { status: 'skipped'; reason: string; because: StoryId | null; unanswered?: true }
  | { status: 'failed'; reason: string }

/** A planner writes it anew, or makes several of it. */
export interface Respecifying {
  status: 'respecifying'
  as: 'amended' | 'split'
  reason: string
  /** Stories on the line that are not what the plan says, and are why; none: it failed itself. */
  departed: StoryId[]
  /** Why the answer before did not do. */
  problems: string[]
  repairs: number
}

export type Proposal = { as: 'amended'; changes: Partial<Omit<Story, 'id'>> } | { as: 'split'; into: Story[] }

/** A human works on it: its workspace is made ready, theirs, and then what is in it is taken as the work. */
export interface TakenOver {
  status: 'taken-over'
  stage: 'lending' | 'theirs' | 'harvesting'
  base: CommitId
  from: CommitId
  /** Where the workspace is; empty while it is made ready. */
  path: string
}

export interface FormerSpec {
  spec: Story
  as: 'amended' | 'split'
  cause: string
}

/** It did not fit behind cars that are not on the line yet: it waits until they have joined or left. */
export interface Misfit {
  behind: StoryId[]
  onto: CommitId
  conflicted: CommitId
  findings: Finding[]
}

/** In the train. */
export interface Proving extends Work {
  status: 'proving'
  composed: { onto: CommitId; commit: CommitId; tree: TreeId }
  retry: number
  /** Why what is composed up to here cannot join; whose fault it is may have to be found out. */
  red: Red | null
}

/** What a check found; or, `silence`, why it has no word on it however often it was asked. */
export interface Red {
  judge: string
  findings: Finding[]
  silence: string | null
}

export interface Judgement extends Work {
  judge: string
  /** Judges that had passed before. */
  passed: string[]
  phase: StoryState['phase']
  red: CommitId | null
}

export interface PastAttempt {
  attempt: number
  round: number
  agent: string
  ended: string
  /** Same failure, same signature. */
  signature: string
}

export function freshStory(spec: Story, kind: StoryState['kind']): StoryState {
  return {
    spec,
    revision: 1,
    kind,
    control: { status: 'waiting' },
    phase: 'code',
    red: null,
    after: [],
    attempt: 1,
    thisAttempt: freshAttempt(),
    round: 1,
    turn: 0,
    tally: freshTally(),
    findings: [],
    told: [],
    judged: null,
    waived: [],
    review: noReview(),
    escalations: 0,
    coder: null,
    author: null,
    grants: [],
    denials: [],
    summary: '',
    handoff: noHandoff,
    heard: [],
    past: [],
    origin: null,
    former: [],
    respecs: 0,
    avoid: [],
    last: null,
    queue: 0,
  }
}

/**
 * What the next coding turn is to hear: also what reviewers found, as long as nobody has seen that it is mended, and
 * all that it must do without.
 */
export function forCoder({ findings, told: words, review, waived, denials }: StoryState): Finding[] {
  const known = new Set([...findings.map(({ fingerprint }) => fingerprint), ...waived])
  const denied = denials.map((permission) => told(answerWords(permission, false)))
  return [...findings, ...[...review.open, ...denied].filter(({ fingerprint }) => !known.has(fingerprint)), ...words]
}

export const freshAttempt = (): AttemptState => ({
  failures: null,
  stuck: false,
  session: null,
  departures: [],
  unnoticed: [],
  taken: false,
})

export const freshTally = (): Tally => ({
  rounds: 1,
  attempts: 1,
  crashes: {},
  merges: 0,
  parks: 0,
  amendments: 0,
  turnsBefore: 0,
})

/** Of whatever knows more of it. */
export const workOf = ({ base, commit, tree }: Work): Work => ({ base, commit, tree })

export const isOnLine = (story: StoryState): boolean =>
  story.control.status === 'joined' || story.control.status === 'merged'

/** Acceptance tests that nobody wants any more are no work. */
export const hasBegun = ({ turn, kind, control: { status } }: StoryState): boolean =>
  turn > 0 || (status !== 'waiting' && !(kind === 'acceptance' && status === 'skipped'))

/** Nothing more will happen to it by itself. */
export const isSettled = (story: StoryState): boolean =>
  isOnLine(story) || ['skipped', 'failed', 'split', 'reviewed'].includes(story.control.status)

/** A human's words to the coder. */
export function told(message: string): Finding {
  return {
    source: 'human',
    rule: 'told',
    severity: 'blocking',
    file: null,
    line: null,
    message,
    evidence: '',
    fingerprint: hashOf(['human', message]),
    fixTarget: 'code',
  }
}

/** What the coder is told of an answer. */
export const answerWords = (permission: string, allow: boolean): string => {
  const kind = `${permission}${permissionKind(permission) === permission ? '' : ` (and all else that is \`${permissionKind(permission)}\`)`}`
  const answer = allow
    ? 'It is allowed. Go on.'
    : 'It is not allowed in this story. Do not ask again; go on without it.'
  return `It was asked whether you may do this: ${kind}\n${answer}`
}

/** Whether the answer to one call holds for another. */
export const isOfKind = (one: string, other: string): boolean =>
  one === other || permissionKind(one) === permissionKind(other)

/**
 * The tool, and how the call begins: `execute: npm publish --tag next` is of the kind `execute: npm publish`. A line of
 * several commands is a kind of its own.
 */
export function permissionKind(permission: string): string {
  const line = permission.replace(inShell, '$1')
  if (isSeveral(line)) return permission
  const [tool = '', program, ...words] = line.split(/\s+/).map(origin)
  const first = words.find((word) => !word.startsWith('-'))
  return [tool, program, first].filter((word) => word !== undefined).join(' ')
}

export const isSeveral = (line: string): boolean => /[;&|`\n]|\$\(/.test(line)

/** A shell that does nothing but run the line. */
const inShell = /^(execute: )(?:\S*\/)?(?:ba|da|z)?sh -\w*c ['"]?/

/** All of one host are alike. */
const origin = (word: string): string => word.replace(/^(https?:\/\/[^/?#]+).*/, '$1')
