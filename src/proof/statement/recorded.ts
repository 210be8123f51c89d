import type { DeliveryEvent } from '../../delivery/events.ts'
import { reviewersOf } from '../../delivery/judging/reviewers.ts'
import { type CheckRecord, commandsOf, reviewerName, type Statement } from './statement.ts'

export interface Entry {
  hash: string
  event: DeliveryEvent
}

/** What does not fit between a statement and the log of its delivery. */
export function recordProblems(statement: Statement, entries: Entry[]): string[] {
  const { predicate, subject } = statement
  const { story, chain, provenBy, reviewers } = predicate.ropewalk_proof
  const commit = subject[0].digest.gitCommit
  const joined = entries.some(
    ({ event }) => event.type === 'LineAdvanced' && event.story === story && event.to === commit,
  )
  const events = entries.map(({ event }) => event)
  const heard = reviewersOf(events, story).map(reviewerName)
  const known = chain === null || entries.some(({ hash }) => hash === chain)
  return [
    ...(joined ? [] : [`the log does not have it as the commit of ${story}`]),
    ...(known ? [] : ['the log has no event with the hash that its message names']),
    ...reviewers.filter((one) => !heard.includes(one)).map((one) => `the log does not have it as reviewed by ${one}`),
    ...foreignTexts(statement, entries).map((command) => `the settings on record do not have "${command}"`),
    ...predicate.configuration
      .filter((record) => !entries.some(({ event }) => isJudgement(event, provenBy.tree, record)))
      .map(({ name }) => `the log has no such proof by ${name} of the tree ${provenBy.tree.slice(0, 10)}`),
  ]
}

/** What a statement would have run again, and lent to that, must have been pinned. */
function foreignTexts(statement: Statement, entries: Entry[]): string[] {
  const pinned = entries.flatMap(({ event }) => {
    if (event.type !== 'PolicyPinned') return []
    const { checks, setup, workspace } = event.policy
    const services = workspace.services.flatMap(({ up, health, down }) => [up, health, down])
    return [...checks.map(({ run }) => run), setup?.run ?? null, ...services]
  })
  const lent = entries.flatMap(({ event }) => (event.type === 'PolicyPinned' ? event.policy.workspace.copy : []))
  const { copy } = statement.predicate.ropewalk_proof.workspace
  return [
    ...commandsOf(statement).filter((command) => !pinned.includes(command)),
    ...copy.filter((pattern) => !lent.includes(pattern)),
  ]
}

function isJudgement(event: DeliveryEvent, tree: string, { name, annotations }: CheckRecord): boolean {
  if (event.type !== 'Judged' || event.verdict.status !== 'passed' || event.verdict.proof === null) return false
  const { proof } = event.verdict
  return (
    proof.tree === tree &&
    proof.check === name &&
    proof.command === annotations.command &&
    proof.outputDigest === annotations.outputDigest &&
    proof.environmentKey === annotations.environmentKey &&
    proof.durationMs === annotations.durationMs &&
    proof.byExitCode === annotations.byExitCode &&
    proof.counts?.total === annotations.counts?.total &&
    proof.counts?.passed === annotations.counts?.passed &&
    proof.counts?.failed === annotations.counts?.failed
  )
}
