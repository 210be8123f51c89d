import { rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { tell } from '../../../std/running/telling.ts'
import { died, diedText } from './died.ts'
import type { Ended } from './ended.ts'

const waitsMs = [50, 250, 1_000]
/** The clock of files is a little behind. */
const slackMs = 50

interface Death {
  from: number
  to: number
}

/**
 * A child that died by a signal has said nothing: it is asked again, a few times. What it left locked is given back,
 * where the lock was made while it lived; nobody else would do it.
 */
export async function again(args: string[], attempt: () => Promise<Ended>): Promise<Ended> {
  const deaths: Death[] = []
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

async function unlocked(said: string, deaths: Death[]): Promise<boolean> {
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(said)?.[1]
  const found = lock === undefined ? null : await stat(lock).catch(() => null)
  if (lock === undefined || found === null) return false
  const made = found.mtimeMs
  if (!deaths.some(({ from, to }) => made >= from - slackMs && made <= to + slackMs)) return false
  await rm(lock, { force: true })
  return true
}
