import type { DeliveryEvent, Envelope } from '../../delivery/events.ts'
import { isByExitCode, type Proof } from '../../delivery/judging/finding.ts'
import { agentsThatLooked } from '../../delivery/review/course/record.ts'
import { type DeliveryState, storiesOf } from '../../delivery/state.ts'
import { judgeOfTree } from '../../delivery/story/course/judging.ts'
import { isOnLine, type StoryState } from '../../delivery/story/story.ts'
import { storyReview } from './review.ts'

/** A story, and what it became. */
export type Deliverable = ReturnType<typeof deliverables>[number]

/**
 * `merged`: on the target. `proven`: on the line, not landed. `unproven`: there, and a check has not passed it yet.
 * `approved`, `needs-work`: it was only to be reviewed.
 */
type Status = 'merged' | 'proven' | 'unproven' | 'skipped' | 'failed' | 'approved' | 'needs-work' | 'open'

export function deliverables(state: DeliveryState, events: Envelope[]) {
  const line = events.flatMap(({ event }) => (event.type === 'LineAdvanced' ? [event] : []))
  const proofs = new Map<string, Proof[]>()
  for (const proof of events.flatMap(({ event }) => proofIn(event) ?? []))
    proofs.set(proof.tree, [...(proofs.get(proof.tree) ?? []), proof])
  const lacking = unprovenOf(state)
  const landed = events.flatMap(({ event }) => (event.type === 'Landed' ? [event.to] : []))
  const facts = events.map(({ event }) => event)
  return storiesOf(state).map((story) => ({
    ...{ story: story.spec.id, title: story.spec.title, criteria: story.spec.criteria },
    status: statusOf(story.control, lacking.includes(story.spec.id)),
    reason: 'reason' in story.control ? story.control.reason : '',
    ...provenAs(story, { line, proofs, landed }),
    // People who said yes to it before it was merged.
    approvedBy: approversOf(state, { kind: 'story-gate', story: story.spec.id }),
    // Agents that judged it: verifiers that found nothing, and reviewers, whose findings are told apart.
    reviewedBy: [...new Set([...agentsThatLooked(facts, story.spec.id), ...reviewersOfStory(story)])],
    // What it does not do, as its coder says; nobody has looked whether that is all.
    limitations: isOnLine(story) ? story.handoff.limitations : [],
  }))
}

/** Those who came back: what they found was mended, or sorted as nothing that has to be. */
const reviewersOfStory = (story: StoryState): string[] =>
  (storyReview(story)?.reviewers ?? []).flatMap(({ agent, verdict }) => (verdict === null ? [] : [agent]))

/** A deadline that passed is nobody's yes. */
export function approversOf(
  { questions }: DeliveryState,
  { kind, story }: { kind: 'plan-gate' | 'story-gate'; story: string | null },
): string[] {
  const yes = Object.values(questions).flatMap(({ question, answer }) =>
    question.kind === kind && question.story === story && answer?.option === 'approve' ? [answer.by] : [],
  )
  return [...new Set(yes)].filter((by) => by !== 'deadline')
}

function proofIn(event: DeliveryEvent): Proof | null {
  return event.type === 'Judged' && event.verdict.status === 'passed' ? event.verdict.proof : null
}

/** Stories on the line behind the last commit that may land. */
function unprovenOf(state: DeliveryState): string[] {
  const { commits } = state.line
  return commits
    .slice(1 + commits.findLastIndex(({ tree }) => judgeOfTree(state, tree) === null))
    .map(({ story }) => story)
}

function statusOf(control: StoryState['control'], lacking: boolean): Status {
  const { status } = control
  if (status === 'merged' || status === 'skipped' || status === 'failed') return status
  if (status === 'reviewed') return control.verdict === 'approve' ? 'approved' : 'needs-work'
  if (status !== 'joined') return 'open'
  return lacking ? 'unproven' : 'proven'
}

interface Facts {
  line: Extract<DeliveryEvent, { type: 'LineAdvanced' }>[]
  /** By tree. */
  proofs: Map<string, Proof[]>
  landed: string[]
}

/** A story that joined the line together with others may be proven by the last of them, which it landed with, only. */
function provenAs({ control }: StoryState, facts: Facts) {
  const commit = control.status === 'merged' ? control.commit : control.status === 'joined' ? control.joinedAs : null
  if (commit === null) return { commit, provenBy: null, checks: [] }
  const joined = facts.line.findLastIndex(({ to }) => to === commit)
  const rest = facts.line.slice(Math.max(0, joined))
  const end = rest.findIndex(({ to }) => facts.landed.includes(to))
  const together = end === -1 ? rest : rest.slice(0, end + 1)
  const most = Math.max(0, ...together.map(({ tree }) => checksOf(facts, tree).length))
  const proven = together.find(({ tree }) => checksOf(facts, tree).length === most)
  // The commit whose tree the checks ran on, when it is a later one that it came with.
  const provenBy = proven === undefined || proven.to === commit ? null : proven.to
  return { commit, provenBy, checks: proven === undefined ? [] : checksOf(facts, proven.tree) }
}

function checksOf({ proofs }: Facts, tree: string) {
  const latest = new Map(proofs.get(tree)?.map((proof) => [proof.check, proof]))
  return [...latest.values()].map((proof) => ({
    name: proof.check,
    command: proof.command,
    passed: proof.counts?.passed ?? null,
    total: proof.counts?.total ?? null,
    byExitCode: isByExitCode(proof),
    durationMs: proof.durationMs,
  }))
}
