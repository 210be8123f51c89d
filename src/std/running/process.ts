import { readFileSync } from 'node:fs'

/** When a process was started, in the kernel's ticks: with its pid, this tells it from any other. Null: no such process, or no /proc. */
export function bornAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain anything, so fields are counted from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

/** Whether the process of this machine that had the pid has ended. */
export function isGone(pid: number, born: string | null): boolean {
  if (born !== null) return bornAt(pid) !== born
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
