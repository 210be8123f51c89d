import { blocks, type Verdict } from '../../delivery/judging/finding.ts'
import { type DeliveryState, policyOf } from '../../delivery/state.ts'
import type { Judge } from '../../delivery/step.ts'
import { TerminalError, TransientError } from '../../ports/errors.ts'
import type { Performance } from '../../ports/performer.ts'
import type { JudgeWord, RehearsedRun, RunRehearsal } from '../../ports/proofs/rehearsal.ts'
import type { Repository } from '../../ports/repository.ts'
import { withoutQuarantined } from '../../proof/results/baseline.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { invariant } from '../../std/never.ts'
import { type BaseRuns, baseResult } from '../check/base-runs.ts'
import { environmentKeyOf } from '../check/proof.ts'
import { judge } from '../judge.ts'
import type { StepWorld } from '../world.ts'
import { asStory, type Ends, judgeOfStory } from './as-story.ts'
import type { RememberedProofs } from './remembered-proofs.ts'

export interface Yard {
  world: StepWorld
  /** Of every process that is started for it. */
  mark: string
  repository: Repository
  bases: BaseRuns
  proofs: RememberedProofs
}

/** What the judges of a delivery that run something say of a commit, as if it were a story. */
export async function runOn(yard: Yard, request: RunRehearsal): Promise<RehearsedRun> {
  const { commit, subject, parent: base } = request.commit
  invariant(base !== null, 'a commit without a parent is not judged')
  const { now } = yard.world.clock
  const began = now()
  const ends = { base, commit, tree: await yard.repository.treeOf(commit) }
  const state = asStory(request, ends)
  const words: JudgeWord[] = []
  const unjudged = (await redParent(yard, request, { state, ends })) ?? (await heardAll())
  return { commit, subject, unjudged, words, durationMs: now() - began }

  async function heardAll(): Promise<string | null> {
    for (const name of request.policy.judges.filter(runs)) {
      request.onJudge(name)
      const since = now()
      const verdict = await verdictOf(yard, performanceOf(yard, request, { state, step: judgeOfStory(name, ends) }))
      if (verdict.status === 'none') return `${name} gave no verdict: ${verdict.reason}`
      const findings = verdict.status === 'findings' ? verdict.findings.filter(blocks) : []
      words.push({ judge: name, findings, durationMs: now() - since })
      if (!name.startsWith('check:')) continue
      // On what is red, the others would only say so again.
      if (verdict.status === 'findings') break
      state.proven[ends.tree] = [...(state.proven[ends.tree] ?? []), name]
      yard.proofs.keep(verdict.proof)
    }
    return null
  }
}

/** Related tests are part of their check; criteria are a plan's. */
const runs = (name: string): boolean => /^(?:check|guard):|^(?:sensitivity|witness)$/.test(name)

async function verdictOf({ world, bases }: Yard, performance: Performance<Judge>): Promise<Verdict> {
  const [end] = await Promise.allSettled([judge(world, performance, bases)])
  performance.signal.throwIfAborted()
  if (end.status === 'rejected') return { status: 'none', reason: reasonOf(end.reason) }
  invariant(end.value.type === 'Judged', 'a judge judges')
  return end.value.verdict
}

/** What the world refuses is told; all else is our bug. */
function reasonOf(error: unknown): string {
  if (error instanceof TerminalError || error instanceof TransientError) return error.message
  throw error
}

/** Why nothing can be said of a commit, since its parent fails already; null: it does not. */
async function redParent(
  yard: Yard,
  request: RunRehearsal,
  { state, ends }: { state: DeliveryState; ends: Ends },
): Promise<string | null> {
  for (const check of request.policy.checks) {
    request.onJudge(`check:${check.name} on its parent`)
    const step = judgeOfStory(`check:${check.name}`, ends)
    const bench = { ...yard, check, performance: performanceOf(yard, request, { state, step }) }
    const tree = await yard.repository.treeOf(ends.base)
    const keys = { tree, environment: await environmentKeyOf(bench), run: 'first' as const }
    const [end] = await Promise.allSettled([baseResult(bench, keys, yard.bases)])
    request.signal.throwIfAborted()
    if (end.status === 'rejected') return `its parent: ${reasonOf(end.reason)}`
    const ran = end.value
    if (ran.status === 'not-set-up') return `its parent cannot be set up: ${ran.problem}: ${lastLine(ran.output)}`
    const { result } = withoutQuarantined(ran.result, { patterns: policyOf(state).quarantine, changedFiles: [] })
    if (result.status !== 'pass') return `its parent is red: ${check.name}: ${shown(result)}`
  }
  return null
}

function shown({ failures, message }: CheckResult): string {
  const names = failures.slice(0, 3).map(({ test }) => test)
  return names.length === 0 ? message : `${message} (${names.join(', ')}${failures.length > 3 ? ', …' : ''})`
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''

const performanceOf = (
  { mark }: Yard,
  { signal }: RunRehearsal,
  { state, step }: { state: DeliveryState; step: Judge },
): Performance<Judge> => ({ step, state, try: 1, mark, signal, record: async () => {} })
