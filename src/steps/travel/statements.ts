import type { CommitId } from '../../delivery/ids.ts'
import type { Proof } from '../../delivery/judging/finding.ts'
import { reviewersOf } from '../../delivery/review/course/reviewers.ts'
import { type DeliveryState, policyOf } from '../../delivery/state.ts'
import type { Land } from '../../delivery/step.ts'
import { isCheck, isProven } from '../../delivery/story/course/judging.ts'
import type { Repository } from '../../ports/repository.ts'
import { trailersIn } from '../../proof/statement/problems.ts'
import { type Proven, reviewerName, type Statement, statementOf } from '../../proof/statement/statement.ts'
import type { StepWorld } from '../world.ts'
import { type Heard, judgingsOf, proofsOf } from './proofs.ts'

type Landing = Pick<Land, 'from' | 'to'>
type Laid = DeliveryState['line']['commits'][number]

/** What is said of each commit that a landing brings, oldest first. Only recorded facts go in. */
export async function statementsOf(
  world: StepWorld,
  { state, step, repository }: { state: DeliveryState; step: Landing; repository: Repository },
): Promise<Statement[]> {
  const commits = landedBy(state, step)
  const [heard, parts, events] = await Promise.all([
    proofsOf(world, state),
    partsOf(repository, step, commits),
    judgingsOf(world, state.id),
  ])
  const statements: Statement[] = []
  for (const [index, one] of commits.entries()) {
    const provenBy = commits.slice(index).find(({ tree }) => hasAllProofs(state, tree)) ?? commits.at(-1)!
    const { chain = null } = trailersIn((await repository.readCommit(one.commit)).message)
    const reviewers = reviewersOf(events, one.story).map(reviewerName)
    const told = { ...one, chain, provenBy, heard, reviewers, parts: parts.get(one.commit) ?? [] }
    statements.push(statementOf(provenOf(state, told)))
  }
  return statements
}

/** A story without a change has no commit of its own: it names the one before it. */
function landedBy({ line }: DeliveryState, { from, to }: Landing): Laid[] {
  const upTo = line.commits.slice(0, line.commits.findLastIndex(({ commit }) => commit === to) + 1)
  return upTo.filter(
    ({ commit }, index) => commit !== from && upTo.findIndex((other) => other.commit === commit) === index,
  )
}

const mostCommits = 100_000

/** Where a story has several commits on the line: those before its last. */
async function partsOf(
  repository: Repository,
  { from, to }: Landing,
  laid: Laid[],
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

const hasAllProofs = (state: DeliveryState, tree: string): boolean =>
  policyOf(state).judges.every((judge) => !isCheck(judge) || isProven(state, tree, judge))

type Told = Laid & { chain: string | null; provenBy: Laid; heard: Heard; reviewers: string[]; parts: CommitId[] }

function provenOf(state: DeliveryState, { commit, tree, story, provenBy, heard, parts, ...rest }: Told): Proven {
  const { checks, setup, workspace } = policyOf(state)
  return {
    commit,
    tree,
    checks: checks.flatMap((check) => {
      const found = heard(provenBy.tree, check.name)
      if (found === null) return []
      const { timeoutMs, parser, report, packages } = check
      return [
        {
          ...told(found.proof),
          concerns: found.concerns,
          relative: found.relative,
          timeoutMs,
          parser,
          report,
          packages,
        },
      ]
    }),
    proof: {
      delivery: state.id,
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
