const two = (n: number): string => String(n).padStart(2, '0')

/** The local time of day. */
export function clockText(at: number): string {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** With the day, for what may be long ago. */
export function dateText(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockText(at)}`
}
