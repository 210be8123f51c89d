import type { DeliveryEvent } from '../delivery/events.ts'
import type { CommitId } from '../delivery/ids.ts'
import type { Basis } from '../delivery/inputs/briefing.ts'
import type { Landed } from '../delivery/inputs/input.ts'
import type { Proof } from '../delivery/judging/finding.ts'
import { agentsThatLooked } from '../delivery/review/course/record.ts'
import type { Land } from '../delivery/step.ts'
import type { Ancestry, Commits } from '../ports/repository/commits.ts'
import type { Landings } from '../ports/repository/landings.ts'
import { trailersIn } from '../proof/statement/problems.ts'
import { type Proven, reviewerName, type Statement, statementOf } from '../proof/statement/statement.ts'
import type { StepWorld } from './world.ts'

type Landing = Pick<Land, 'from' | 'to'>

/** A landing, in the state in which it is made. */
export interface Noting {
  world: StepWorld
  repository: Commits & Ancestry & Landings
  input: Basis & { landed: Landed[] }
}

/** What is said of each commit that a landing brings, oldest first. Only recorded facts go in. */
export async function statementsOf({ world, repository, input }: Noting, step: Landing): Promise<Statement[]> {
  const { landed } = input
  const [heard, parts, events] = await Promise.all([
    proofsOf(world, input),
    partsOf(repository, step, landed),
    judgingsOf(world, input.delivery),
  ])
  const statements: Statement[] = []
  for (const one of landed) {
    const { chain = null } = trailersIn((await repository.readCommit(one.commit)).message)
    const reviewers = agentsThatLooked(events, one.story).map(reviewerName)
    const told = { ...one, chain, heard, reviewers, parts: parts.get(one.commit) ?? [] }
    statements.push(statementOf(provenOf(input, told)))
  }
  return statements
}

const mostCommits = 100_000

/** Where a story has several commits on the line: those before its last. */
async function partsOf(
  repository: Ancestry,
  { from, to }: Landing,
  laid: Landed[],
): Promise<Map<CommitId, CommitId[]>> {
  const last = new Set(laid.map(({ commit }) => commit))
  const parts = new Map<CommitId, CommitId[]>()
  let before: CommitId[] = []
  for (const { commit } of await repository.history({ from, to, limit: mostCommits })) {
    if (last.has(commit)) parts.set(commit, before)
    before = last.has(commit) ? [] : [...before, commit]
  }
  return parts
}

type Told = Landed & { chain: string | null; heard: ProofsHeard; reviewers: string[]; parts: CommitId[] }

function provenOf({ delivery, policy }: Basis, { commit, tree, story, provenBy, heard, parts, ...rest }: Told): Proven {
  const { checks, setup, workspace } = policy
  return {
    commit,
    tree,
    checks: checks.flatMap((check) => {
      const found = heard(provenBy.tree, check.name)
      if (found === null) return []
      const { timeoutMs, parser, report, packages } = check
      const { concerns, relative } = found
      return [{ ...told(found.proof), concerns, relative, timeoutMs, parser, report, packages }]
    }),
    proof: {
      delivery,
      story,
      chain: rest.chain,
      provenBy: { commit: provenBy.commit, tree: provenBy.tree },
      ...(parts.length > 0 && { parts }),
      reviewers: rest.reviewers,
      setup: setup === null ? null : { run: setup.run, timeoutMs: setup.timeoutMs },
      workspace: { ports: workspace.ports, services: workspace.services, copy: workspace.copy },
    },
  }
}

const told = ({ check, command, counts, byExitCode, durationMs, environmentKey, outputDigest }: Proof) => ({
  name: check,
  command,
  counts,
  ...(byExitCode === true && { byExitCode }),
  durationMs,
  environmentKey,
  outputDigest,
})

export interface HeardProof {
  proof: Proof
  concerns: string[]
  /** It has failures that were not charged. */
  relative: boolean
}

/** The latest proof of a tree by a check. */
export type ProofsHeard = (tree: string, check: string) => HeardProof | null

/** Every proof that a delivery has on record, with what was said about it when it was first made. */
export async function proofsOf(world: StepWorld, input: Basis): Promise<ProofsHeard> {
  const heard = new Map<string, HeardProof>()
  for (const { event } of await judgements(world, input.delivery)) {
    const found = proofIn(event)
    if (found === null) continue
    const concerns = found.proof.reused ? await firstConcerns(world, input, found.proof) : found.concerns
    heard.set(`${found.proof.tree} ${found.proof.check}`, {
      proof: found.proof,
      concerns,
      relative: (found.proof.counts?.failed ?? 0) > 0,
    })
  }
  return (tree, check) => heard.get(`${tree} ${check}`) ?? null
}

/** Who was asked to judge, and what they said. */
export async function judgingsOf(world: StepWorld, delivery: string): Promise<DeliveryEvent[]> {
  const types: DeliveryEvent['type'][] = ['StepStarted', 'Judged', 'StoryReviewed']
  const events = await world.log.query({ delivery, story: null, types, after: 0, limit: 1_000_000, from: 'first' })
  return events.map(({ event }) => event)
}

const judgements = (world: StepWorld, delivery: string) =>
  world.log.query({ delivery, story: null, types: ['Judged'], after: 0, limit: 1_000_000, from: 'first' })

function proofIn(event: DeliveryEvent): { proof: Proof; concerns: string[] } | null {
  if (event.type !== 'Judged' || event.verdict.status !== 'passed' || event.verdict.proof === null) return null
  return { proof: event.verdict.proof, concerns: event.verdict.concerns }
}

/** A proof that stood for another run was made earlier, perhaps in another delivery. */
async function firstConcerns(world: StepWorld, { request }: Basis, proof: Proof): Promise<string[]> {
  const { tree, command, environmentKey } = proof
  const repository = request.repository.id
  const stored = await world.log.findProof({ repository, tree, command, environmentKey })
  if (stored === null) return []
  const first = (await judgements(world, stored.delivery)).find(({ version }) => version === stored.version)
  return first === undefined ? [] : (proofIn(first.event)?.concerns ?? [])
}
