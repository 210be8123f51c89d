import type { DeliveryEvent } from '../delivery/events.ts'
import type { CommitId } from '../delivery/ids.ts'
import type { Basis } from '../delivery/inputs/briefing.ts'
import type { Landed } from '../delivery/inputs/input.ts'
import type { Proof } from '../delivery/judging/finding.ts'
import type { CheckPolicy } from '../delivery/policy.ts'
import { agentsThatLooked } from '../delivery/review/course/record.ts'
import type { Land } from '../delivery/step.ts'
import type { Recorded } from '../ports/event-log.ts'
import type { Ancestry, Commits } from '../ports/repository/commits.ts'
import type { Landings } from '../ports/repository/landings.ts'
import { type Proven, reviewerName, type Statement, statementOf, trailersIn } from '../proof/statement.ts'
import type { StepWorld } from './world.ts'

type Landing = Pick<Land, 'from' | 'to'>

/** A landing, in the state in which it is made. */
export interface Noting {
  world: StepWorld
  repository: Commits & Ancestry & Landings
  input: Basis & { landed: Landed[] }
}

/** What is said of each commit that a landing brings, oldest first. Only recorded facts go in. */
export async function statementsOf(noting: Noting, step: Landing): Promise<Statement[]> {
  const { world, repository, input } = noting
  const [heard, parts, asked] = await Promise.all([
    proofsOf(world, input),
    partsOf(noting, step),
    judgingsOf(world, input.delivery, ['StepStarted', 'Judged', 'StoryReviewed']),
  ])
  const events = asked.map(({ event }) => event)
  const statements: Statement[] = []
  for (const { commit, tree, story, provenBy } of input.landed) {
    const { chain = null } = trailersIn((await repository.readCommit(commit)).message)
    const before = parts.get(commit) ?? []
    const reviewers = agentsThatLooked(events, story)
    const { delivery, policy } = input
    const { setup, workspace } = policy
    const proof: Proven['proof'] = {
      ...{ delivery, story, chain, provenBy: { commit: provenBy.commit, tree: provenBy.tree } },
      ...(before.length > 0 && { parts: before }),
      reviewers: reviewers.map(reviewerName),
      setup: setup === null ? null : { run: setup.run, timeoutMs: setup.timeoutMs },
      workspace: { ports: workspace.ports, services: workspace.services, copy: workspace.copy },
    }
    const checks = policy.checks.flatMap((check) => saidOf(check, heard.get(`${provenBy.tree} ${check.name}`)))
    statements.push(statementOf({ commit, tree, checks, proof }))
  }
  return statements
}

/** Where a story has several commits on the line: those before its last. */
async function partsOf({ repository, input }: Noting, { from, to }: Landing): Promise<Map<CommitId, CommitId[]>> {
  const last = new Set(input.landed.map(({ commit }) => commit))
  const parts = new Map<CommitId, CommitId[]>()
  let before: CommitId[] = []
  for (const { commit } of await repository.history({ from, to, limit: 100_000 })) {
    if (last.has(commit)) parts.set(commit, before)
    before = last.has(commit) ? [] : [...before, commit]
  }
  return parts
}

function saidOf({ name, timeoutMs, parser, report, packages }: CheckPolicy, heard: HeardProof | undefined) {
  if (heard === undefined) return []
  const { command, counts, byExitCode, durationMs, environmentKey, outputDigest } = heard.proof
  return [
    {
      ...{
        name,
        command,
        counts,
        ...(byExitCode === true && { byExitCode }),
        durationMs,
        environmentKey,
        outputDigest,
      },
      concerns: heard.concerns,
      // It has failures that were not charged.
      relative: (counts?.failed ?? 0) > 0,
      ...{ timeoutMs, parser, report, packages },
    },
  ]
}

interface HeardProof {
  proof: Proof
  concerns: string[]
}

/** Every proof that a delivery has on record, by tree and check, the latest; with what was said about it when it was first made. */
async function proofsOf(world: StepWorld, { delivery, request }: Basis): Promise<Map<string, HeardProof>> {
  const heard = new Map<string, HeardProof>()
  for (const { event } of await judgingsOf(world, delivery, ['Judged'])) {
    const found = proofIn(event)
    if (found === null) continue
    const { proof } = found
    const concerns = proof.reused ? await firstConcerns(world, request.repository.id, proof) : found.concerns
    heard.set(`${proof.tree} ${proof.check}`, { proof, concerns })
  }
  return heard
}

/** Who was asked to judge, and what they said. */
const judgingsOf = (world: StepWorld, delivery: string, types: DeliveryEvent['type'][]): Promise<Recorded[]> =>
  world.log.query({ delivery, story: null, types, after: 0, limit: 1_000_000, from: 'first' })

function proofIn(event: DeliveryEvent): HeardProof | null {
  if (event.type !== 'Judged' || event.verdict.status !== 'passed' || event.verdict.proof === null) return null
  return { proof: event.verdict.proof, concerns: event.verdict.concerns }
}

/** A proof that stood for another run was made earlier, perhaps in another delivery. */
async function firstConcerns(world: StepWorld, repository: string, proof: Proof): Promise<string[]> {
  const { tree, command, environmentKey } = proof
  const stored = await world.log.findProof({ repository, tree, command, environmentKey })
  if (stored === null) return []
  const first = (await judgingsOf(world, stored.delivery, ['Judged'])).find(({ version }) => version === stored.version)
  return first === undefined ? [] : (proofIn(first.event)?.concerns ?? [])
}
