import { rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { tell } from '../../../std/running/telling.ts'
import { verbOf } from './failures.ts'

/** How a child has ended, before anybody has judged it. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: Buffer
  stderr: string
  /** We have ended it ourselves: it had printed enough, or its time was over. */
  cut: boolean
  late: boolean
}

const waitsMs = [50, 250, 1_000]
/** The clock of files is a little behind. */
const slackMs = 50

/**
 * A child that died by a signal has said nothing: it is asked again, a few times. What it left locked is given back,
 * where the lock was made while it lived; nobody else would do it.
 */
export async function again<End extends Ended>(args: string[], attempt: () => Promise<End>): Promise<End> {
  const deaths: { from: number; to: number }[] = []
  for (;;) {
    const from = Date.now()
    const ended = await attempt()
    if (died(ended)) {
      const waitMs = waitsMs[deaths.length]
      if (waitMs === undefined) return ended
      deaths.push({ from, to: Date.now() })
      tell(`${diedText(args, ended)}, and was asked again`)
      await wait(waitMs)
    } else if (ended.code === 0 || !(await unlocked(ended.stderr, deaths))) return ended
  }
}

async function unlocked(said: string, deaths: { from: number; to: number }[]): Promise<boolean> {
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(said)?.[1]
  const made = lock === undefined ? undefined : (await stat(lock).catch(() => null))?.mtimeMs
  if (lock === undefined || made === undefined) return false
  if (!deaths.some(({ from, to }) => made >= from - slackMs && made <= to + slackMs)) return false
  await rm(lock, { force: true })
  return true
}

/** How a shell says that its child was aborted, killed, or asked to end, or touched memory that it has not. */
const codesOfShells = [134, 135, 137, 139, 143]

/** How git says it of a child of its own; what it fetches from ends without a word then. */
const byAnother = /died of signal \d+|the remote end hung up unexpectedly|early EOF/

/** By a signal that was not ours. */
export function died({ code, signal, stderr, cut, late }: Ended): boolean {
  if (cut || late) return false
  if (code === null) return signal !== null
  return codesOfShells.includes(code) || (code !== 0 && byAnother.test(stderr))
}

export function diedText(args: string[], { signal, stderr }: Ended): string {
  const by = signal ?? /died of signal \d+/.exec(stderr)?.[0].replace('died of ', '') ?? 'a signal'
  return `git ${verbOf(args)} was ended by ${by}`
}
