/** For people: `850ms`, `12s`, `3m05s`, `2h10m`, `3d04h`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m${two(seconds % 60)}s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours}h${two(minutes % 60)}m` : `${Math.floor(hours / 24)}d${two(hours % 24)}h`
}

const two = (n: number): string => String(n).padStart(2, '0')
