import type { CommitId } from '../../delivery/ids.ts'
import type { Basis } from '../../delivery/inputs/basis.ts'
import type { Landed } from '../../delivery/inputs/landing.ts'
import type { Proof } from '../../delivery/judging/finding.ts'
import { agentsThatLooked } from '../../delivery/review/course/reviewers.ts'
import type { Land } from '../../delivery/step.ts'
import type { Ancestry, Commits } from '../../ports/repository/commits.ts'
import type { Landings } from '../../ports/repository/landings.ts'
import { trailersIn } from '../../proof/statement/problems.ts'
import { type Proven, reviewerName, type Statement, statementOf } from '../../proof/statement/statement.ts'
import type { StepWorld } from '../world.ts'
import { judgingsOf, type ProofsHeard, proofsOf } from './proofs.ts'

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
