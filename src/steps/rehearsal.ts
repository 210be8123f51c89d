import type { CommitId, TreeId } from '../delivery/ids.ts'
import { type JudgedStory, type Judging, unjudged } from '../delivery/inputs/judging.ts'
import { blocks, type Proof, type Verdict } from '../delivery/judging/finding.ts'
import type { StoredProof } from '../ports/event-log.ts'
import type { JudgeWord, Rehearsal, RehearsedRun, RunRehearsal } from '../ports/proofs/rehearsal.ts'
import type { Repository } from '../ports/repository/repository.ts'
import { kindOf } from '../proof/material/sort-files.ts'
import { withoutQuarantined } from '../proof/results/baseline.ts'
import type { CheckResult } from '../proof/results/check-result.ts'
import { invariant } from '../std/never.ts'
import { type BaseRuns, baseResult, baseRuns } from './check/base-runs.ts'
import { readFindings } from './check/inspection.ts'
import { environmentKeyOf } from './check/proof.ts'
import { type JudgeCourt, verdictOf } from './judge.ts'
import { reasonOf } from './land.ts'
import { aloneWith } from './work.ts'
import type { StepWorld } from './world.ts'

export interface RehearseWorld extends Pick<StepWorld, 'code' | 'secrets'> {
  /** What running needs besides: of a home that is there for this rehearsal alone. */
  steps: () => Promise<StepWorld>
  mark: string
}

export function openRehearsal(world: RehearseWorld): Rehearsal {
  const proofs = rememberedProofs()
  const bases = baseRuns()
  return {
    judge: async (repository, { commit: { commit, parent, subject, files }, policy }) => {
      if (parent === null) return null
      const changes = await repository.diff(parent, commit)
      const story = {
        ...{ title: subject, description: '', criteria: [], files: [], mayChange: [] },
        ...{ mayBeEmpty: true },
      }
      const { findings } = await readFindings({ world, repository }, { changes, base: parent, commit, story, policy })
      return { commit, subject, kind: kindOf(files), findings }
    },
    run: async (repository, request) => {
      const { log, ...steps } = await world.steps()
      const { findProof } = proofs
      const own = { query: log.query.bind(log), spentOn: log.spentOn.bind(log), findProof }
      const yard = { world: { ...steps, log: own, repository: async () => repository }, repository, bases, proofs }
      return await runOn({ ...yard, mark: world.mark }, request)
    },
  }
}

interface Yard {
  world: StepWorld
  /** Of every process that is started for it. */
  mark: string
  repository: Repository
  bases: BaseRuns
  proofs: ReturnType<typeof rememberedProofs>
}

/** What the judges of a delivery that run something say of a commit, as if it were a story. */
async function runOn(yard: Yard, request: RunRehearsal): Promise<RehearsedRun> {
  const { commit, subject, parent: base } = request.commit
  invariant(base !== null, 'a commit without a parent is not judged')
  const { now } = yard.world.clock
  const began = now()
  const ends = { base, commit, tree: await yard.repository.treeOf(commit) }
  const words: JudgeWord[] = []
  const unjudged = (await redParent(yard, request, ends)) ?? (await heardAll())
  return { commit, subject, unjudged, words, durationMs: now() - began }

  async function heardAll(): Promise<string | null> {
    const proven: string[] = []
    for (const name of request.policy.judges.filter(runs)) {
      request.onJudge(name)
      const since = now()
      const verdict = await heard(yard, courtOf(yard, request, { judge: name, ends, proven }))
      if (verdict.status === 'none') return `${name} gave no verdict: ${verdict.reason}`
      const findings = verdict.status === 'findings' ? verdict.findings.filter(blocks) : []
      words.push({ judge: name, findings, durationMs: now() - since })
      if (!name.startsWith('check:')) continue
      // On what is red, the others would only say so again.
      if (verdict.status === 'findings') break
      proven.push(name)
      yard.proofs.keep(verdict.proof)
    }
    return null
  }
}

interface Ends {
  base: CommitId
  commit: CommitId
  tree: TreeId
}

/** Related tests are part of their check; criteria are a plan's. */
const runs = (name: string): boolean => /^(?:check|guard):|^(?:sensitivity|witness)$/.test(name)

async function heard({ bases }: Yard, court: JudgeCourt): Promise<Verdict> {
  const [end] = await Promise.allSettled([verdictOf(court, bases)])
  court.signal.throwIfAborted()
  return end.status === 'rejected' ? { status: 'none', reason: reasonOf(end.reason) } : end.value
}

/** Why nothing can be said of a commit, since its parent fails already; null: it does not. */
async function redParent(yard: Yard, request: RunRehearsal, ends: Ends): Promise<string | null> {
  for (const check of request.policy.checks) {
    request.onJudge(`check:${check.name} on its parent`)
    const bench = { ...courtOf(yard, request, { judge: `check:${check.name}`, ends, proven: [] }), check }
    const tree = await yard.repository.treeOf(ends.base)
    const keys = { tree, environment: await environmentKeyOf(bench), run: 'first' as const }
    const [end] = await Promise.allSettled([baseResult(bench, keys, yard.bases)])
    request.signal.throwIfAborted()
    if (end.status === 'rejected') return `its parent: ${reasonOf(end.reason)}`
    const ran = end.value
    if (ran.status === 'not-set-up')
      return `its parent cannot be set up: ${ran.problem}: ${ran.output.trim().split('\n').at(-1)}`
    const { result } = withoutQuarantined(ran.result, { patterns: request.policy.quarantine, changedFiles: [] })
    if (result.status !== 'pass') return `its parent is red: ${check.name}: ${shown(result)}`
  }
  return null
}

function shown({ failures, message }: CheckResult): string {
  const names = failures.slice(0, 3).map(({ test }) => test)
  return names.length === 0 ? message : `${message} (${names.join(', ')}${failures.length > 3 ? ', …' : ''})`
}

const id = 'rehearsed'

/** A judge of a delivery of which nothing is known but that this commit is to be a story of it. */
function courtOf(
  { world, repository, mark }: Yard,
  { commit: { subject }, policy, known, signal }: RunRehearsal,
  { judge, ends, proven }: { judge: string; ends: Ends; proven: string[] },
): JudgeCourt {
  const requirement = { text: subject, source: '', submitter: '' }
  const request = { requirement, repository: known, target: policy.target, base: ends.base, review: null, at: 0 }
  const input: Judging = { ...unjudged({ delivery: 'rehearse', request, policy }), story: asStory(subject), proven }
  // Old tests are asked as on the line: all of them.
  const scope = judge.startsWith('guard:') ? 'line' : 'story'
  const name = `${ends.commit.slice(0, 12)}-${judge.replace(/\W+/g, '-')}`
  const step = { id: name, story: id, scope, judge, ...ends } as const
  return { ...aloneWith({ world, repository, mark, signal }), input, step }
}

const asStory = (title: string): JudgedStory => ({
  ...{ kind: 'story', phase: 'code', red: null, reproduced: null, isVerified: false },
  spec: {
    ...{ id, title, description: '', criteria: [], dependsOn: [], complexity: 1 },
    ...{ files: [], contextFiles: [], risks: [], mayChange: [], mayBeEmpty: true },
    ...{ strategy: null, noTestsBecause: '', tests: 'witnessed', proofs: [] },
  },
})

/** Proofs by tree that no log has to know: they are of no delivery, and gone with the rehearsal. */
function rememberedProofs() {
  const known = new Map<string, StoredProof>()
  const keyOf = ({ tree, command, environmentKey }: Pick<Proof, 'tree' | 'command' | 'environmentKey'>): string =>
    JSON.stringify([tree, command, environmentKey])
  return {
    keep(proof: Proof | null): void {
      if (proof === null) return
      const { durationMs, outputDigest, counts, byExitCode } = proof
      const told = { durationMs, outputDigest, counts, ...(byExitCode && { byExitCode }) }
      known.set(keyOf(proof), { delivery: 'rehearse', version: 0, ...told })
    },
    findProof: async (asked: Parameters<typeof keyOf>[0]) => known.get(keyOf(asked)) ?? null,
  }
}
