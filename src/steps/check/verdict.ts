import { rm } from 'node:fs/promises'
import { blocks, type Finding, type Verdict } from '../../delivery/judging/finding.ts'
import type { BaseRuns } from './base-runs.ts'
import { environmentKeyOf, provenFor, relativeKey, reused } from './proof.ts'
import type { Bench } from './run-check.ts'
import { type Passed, tryCheck } from './trial.ts'

/** A check's word on a commit: an earlier proof of the same, or a run of our own. */
export async function checkVerdict(bench: Bench, bases: BaseRuns): Promise<Verdict> {
  const { known, baseTree, keys } = await lookUp(bench)
  if (known !== null) return known
  const trial = { name: '', overlay: [], baseTree, environment: keys.plain, bases, full: true }
  const own = await tryCheck(bench, trial)
  return own.status === 'passed' ? await proven(bench, own, keys) : own
}

/** What was found, as a verdict that is no proof. */
export const verdictFrom = (findings: Finding[], concerns: string[] = []): Verdict =>
  findings.length === 0
    ? { status: 'passed', proof: null, concerns }
    : { status: 'findings', findings, failures: findings.filter(blocks).length, proof: null, concerns }

/** What is known already, and under which keys what is found out will be. */
export async function lookUp(bench: Bench) {
  const { step, repository } = bench
  const [plain, baseTree] = await Promise.all([environmentKeyOf(bench), repository.treeOf(step.base)])
  const keys = { plain, relative: relativeKey(plain, baseTree) }
  return { known: await provenBefore(bench, keys), baseTree, keys }
}

type Keys = { plain: string; relative: string }

async function provenBefore(bench: Bench, keys: Keys): Promise<Verdict | null> {
  const { tree } = bench.step
  for (const environmentKey of [keys.plain, keys.relative]) {
    const stored = await provenFor(bench, { tree, environmentKey })
    if (stored !== null) return { status: 'passed', proof: reused(bench, stored, environmentKey), concerns: [] }
  }
  return null
}

async function proven({ world, step, check }: Bench, own: Passed, keys: Keys): Promise<Verdict> {
  const { digest } = await world.blobs.importFile(own.spool)
  await rm(own.spool, { force: true })
  world.crashPoint('judge:after-run')
  const proof = {
    tree: step.tree,
    check: check.name,
    command: check.run,
    environmentKey: own.relative ? keys.relative : keys.plain,
    reused: false,
    counts: own.counts,
    ...(own.byExitCode && { byExitCode: true }),
    durationMs: own.durationMs,
    outputDigest: digest,
  }
  return { status: 'passed', proof, concerns: own.concerns }
}
