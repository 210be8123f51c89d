import { rm } from 'node:fs/promises'
import type { Verdict } from '../../delivery/judging/finding.ts'
import { policyOf } from '../../delivery/state.ts'
import type { BaseRuns } from './base-runs.ts'
import { formerScripts } from './former.ts'
import { typedAtRoot } from './lines.ts'
import type { Overlay } from './overlay.ts'
import { environmentKeyOf, findProof, relativeKey, reused } from './proof.ts'
import type { Bench } from './run-check.ts'
import { type Passed, tryCheck } from './trial.ts'

/** A check's word on a commit: an earlier proof of the same, or a run of our own. */
export async function checkVerdict(bench: Bench, bases: BaseRuns): Promise<Verdict> {
  const { known, former, baseTree, keys } = await lookUp(bench)
  if (known !== null) return known
  const trial = { baseTree, environment: await environmentKeyOf(bench, []), bases, full: true }
  const own = await tryCheck(bench, { ...trial, name: '', overlay: [] })
  if (own.status !== 'passed') return own
  const both = former.length === 0 ? own : await tryCheck(bench, { ...trial, name: '-former', overlay: former })
  if (both.status !== 'passed') return asFormer(both, former)
  return await proven(bench, own, { both, keys })
}

/** What is known already, and under which keys what is found out will be. */
export async function lookUp(bench: Bench) {
  const { performance, repository, check } = bench
  const { base, commit } = performance.step
  const setup = policyOf(performance.state).setup
  const lines = await typedAtRoot(repository, { ...check, fix: null, related: null }, base)
  const commands = setup === null ? lines : [...lines, setup.run]
  const [former, baseTree] = await Promise.all([
    formerScripts(repository, { base, commit, commands }),
    repository.treeOf(base),
  ])
  const environment = await environmentKeyOf(bench, former)
  const keys = { plain: environment, relative: relativeKey(environment, baseTree) }
  return { known: await provenBefore(bench, keys), former, baseTree, keys }
}

type Keys = { plain: string; relative: string }

async function provenBefore(bench: Bench, keys: Keys): Promise<Verdict | null> {
  const { tree } = bench.performance.step
  for (const environmentKey of [keys.plain, keys.relative]) {
    const stored = await findProof(bench, { tree, environmentKey })
    if (stored !== null) return { status: 'passed', proof: reused(bench, stored, environmentKey), concerns: [] }
  }
  return null
}

function asFormer(verdict: Verdict, former: Overlay[]): Verdict {
  if (verdict.status !== 'findings') return verdict
  const how = `with ${former.map(({ path }) => path).join(', ')} as on the base`
  return { ...verdict, findings: verdict.findings.map((one) => ({ ...one, message: `${one.message} (${how})` })) }
}

async function proven(
  { world, performance, check }: Bench,
  own: Passed,
  { both, keys }: { both: Passed; keys: Keys },
): Promise<Verdict> {
  const { digest } = await world.blobs.importFile(own.spool, world.redact)
  await rm(own.spool, { force: true })
  world.crashPoint('judge:after-run')
  const proof = {
    tree: performance.step.tree,
    check: check.name,
    command: check.run,
    environmentKey: own.relative || both.relative ? keys.relative : keys.plain,
    reused: false,
    counts: own.counts,
    ...(own.byExitCode && { byExitCode: true }),
    durationMs: own.durationMs,
    outputDigest: digest,
  }
  return { status: 'passed', proof, concerns: [...new Set([...own.concerns, ...both.concerns])] }
}
