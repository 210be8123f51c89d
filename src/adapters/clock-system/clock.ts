import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'

/** The machine's clock. Timers stop while a machine sleeps, so a long wait looks at the clock again each hour. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    until: async (at, signal) => {
      while (Date.now() < at && !signal.aborted) await pause(Math.min(at - Date.now(), longestMs), signal)
    },
  }
}

const longestMs = 60 * 60 * 1000
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** 26 characters that sort by time: 10 of milliseconds, 16 of chance. */
export function freshId(): string {
  const chance = [...randomBytes(16)].map((byte) => digits[byte % 32]).join('')
  return timeDigits(Date.now()) + chance
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal }).catch(() => {})

function timeDigits(at: number): string {
  let [rest, text] = [at, '']
  for (let i = 0; i < 10; i++) {
    text = digits[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}
