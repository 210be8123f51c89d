const two = (n: number): string => String(n).padStart(2, '0')

/** The local time of day. */
export function clockText(at: number): string {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Without seconds, and with the day unless it is within the next twelve hours. */
export function momentText(at: number, now: number): string {
  const whole = dateText(at).slice(0, -3)
  return at - now < 12 * 3_600_000 ? whole.slice(-5) : whole
}

/** With the day, for what may be long ago. */
export function dateText(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockText(at)}`
}
