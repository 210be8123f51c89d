import type { WorkingHours } from '../delivery/policy.ts'

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const form = /^(?:([a-z]{3})(?:-([a-z]{3}))? )?([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/

/** `mon-fri 09:00-17:30`, or `08:00-20:00` for every day; null: it says nothing that can be understood. */
export function workingHours(text: string, utcOffsetMinutes: number): WorkingHours | null {
  const [, first = 'sun', last, ...clock] = form.exec(text) ?? []
  const [fromHour, fromMinute, toHour, toMinute] = clock.map(Number)
  const begin = weekdays.indexOf(first)
  const end = weekdays.indexOf(last ?? (/^\d/.test(text) ? 'sat' : first))
  if (fromHour === undefined || begin < 0 || end < 0) return null
  const [from, to] = [fromHour * 60 + fromMinute!, toHour! * 60 + toMinute!]
  const days = weekdays.map((_, day) => day).filter((day) => (day - begin + 7) % 7 <= (end - begin + 7) % 7)
  return from < to && to <= 24 * 60 ? { days, from, to, utcOffsetMinutes } : null
}
