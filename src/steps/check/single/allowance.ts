import { recordOfBase } from '../base-runs.ts'
import { findProof } from '../proof.ts'
import type { Bench, Court } from '../run-check.ts'
import { lookUp } from '../verdict.ts'
import type { Asking } from './asking.ts'

/** How long the runs of a judge with one check may still take together. */
export interface Allowance {
  leftMs: number
  /** How long the whole check is known to take; 0: nobody knows. */
  wholeMs: number
  /** How long one test file is likely to take, where the check is so long that this counts; else 0. */
  fileMs: number
  /** How long the slowest run took that came to its end. */
  slowestMs?: number
}

const longMs = 60_000

/** Of the time of a long check: together at most a quarter of it, whatever is looked at. */
const shares = { sensitivity: 0.1, witness: 0.15 }

const [lookMs, looks] = [20_000, 3]

/** Of a long check its share; of another what the settings allow, and less where only all of it can be asked. */
export async function allowanceFor(court: Court, asking: Asking, judge: keyof typeof shares): Promise<Allowance> {
  const { breakagesMs } = court.input.policy.limits
  const times = await wholeMsOf({ ...court, check: asking.check })
  const { wholeMs } = times
  if (wholeMs >= longMs) {
    const leftMs = Math.min(breakagesMs, wholeMs * shares[judge])
    return { leftMs, wholeMs, fileMs: wholeMs / Math.max(1, asking.tests?.length ?? 1) }
  }
  // A look is three runs, and on a busy machine, or where much is built first, each of them takes its time.
  const oneMs = Math.min(wholeMs, lookMs)
  if (judge === 'sensitivity') return { leftMs: Math.max(lookMs, looks * oneMs), fileMs: 0, ...times }
  const leftMs = asking.tests === null ? Math.min(breakagesMs, looks * lookMs) : breakagesMs
  return { leftMs, fileMs: 0, ...times }
}

async function wholeMsOf(bench: Bench): Promise<Times> {
  const { known, baseTree, keys } = await lookUp(bench)
  const now = known?.status === 'passed' && known.proof !== null ? known.proof.durationMs : 0
  const proof = await findProof(bench, { tree: baseTree, environmentKey: keys.plain })
  const ran = proof ?? (await recordOfBase(bench, { tree: baseTree, environment: keys.plain, run: 'first' }))
  return timesOf({ now, before: ran !== null && 'durationMs' in ran ? ran.durationMs : 0 })
}

type Times = Pick<Allowance, 'wholeMs' | 'slowestMs'>

/** Who makes a check slow is not looked at less for it, but given time to end. 0: nobody knows. */
export function timesOf({ now, before }: { now: number; before: number }): Times {
  if (now === 0 || before === 0) return { wholeMs: now + before }
  return now > 2 * before ? { wholeMs: before, slowestMs: now } : { wholeMs: now }
}

/** How many test files can still be run so many times. */
export const roomIn = ({ leftMs, fileMs }: Allowance, times = 1): number =>
  leftMs <= 0 ? 0 : fileMs === 0 ? Number.POSITIVE_INFINITY : Math.floor(leftMs / fileMs / times)

/** Whether all of a check that cannot run single tests would take more than it may. */
export const isTooLong = ({ tests }: Asking, { leftMs, wholeMs }: Allowance): boolean =>
  tests === null && wholeMs > Math.min(leftMs, lookMs)

export function charge(allowance: Allowance, durationMs: number, files: number): void {
  allowance.leftMs -= durationMs
  if (allowance.fileMs > 0 && files > 0) allowance.fileMs = durationMs / files
}
