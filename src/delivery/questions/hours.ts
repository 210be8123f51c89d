import type { Instant } from '../ids.ts'
import type { WorkingHours } from '../policy.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** When so much time has gone by in which somebody could have seen it. */
export function deadlineAfter(at: Instant, ms: number, hours: WorkingHours | null): Instant {
  if (hours === null) return at + ms
  let left = ms
  for (let day = dayOf(at, hours); ; day += 1) {
    const { from, to } = openOn(day, hours)
    const begin = Math.max(from, at)
    if (to - begin >= left) return begin + left
    left -= Math.max(0, to - begin)
  }
}

/** How much of the time between was such. */
export function openBetween(from: Instant, to: Instant, hours: WorkingHours | null): number {
  if (hours === null) return Math.max(0, to - from)
  let sum = 0
  for (let day = dayOf(from, hours); day <= dayOf(to, hours); day += 1) {
    const open = openOn(day, hours)
    sum += Math.max(0, Math.min(open.to, to) - Math.max(open.from, from))
  }
  return sum
}

const dayOf = (at: Instant, { utcOffsetMinutes }: WorkingHours): number =>
  Math.floor((at + utcOffsetMinutes * minuteMs) / dayMs)

/** Days are counted from a Thursday. */
function openOn(day: number, { days, from, to, utcOffsetMinutes }: WorkingHours): { from: Instant; to: Instant } {
  const begin = day * dayMs - utcOffsetMinutes * minuteMs
  const isOpen = days.includes((day + 4) % 7)
  return { from: begin + from * minuteMs, to: begin + (isOpen ? to : from) * minuteMs }
}
