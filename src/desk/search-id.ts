import { bornAt, isGone } from '../std/running/process.ts'

// What is on disk for a search is named after the process that makes it, so that it is known when that one is gone.

export const ownSearchId = (): string => `regress.${process.pid}.${bornAt(process.pid) ?? 'x'}`

/** Of a folder's name: whether it was a search's, and whether that goes on. */
export function searchState(name: string): 'none' | 'running' | 'gone' {
  const [, pid, born] = /^regress\.(\d+)\.(\d+|x)$/.exec(name) ?? []
  if (pid === undefined || born === undefined) return 'none'
  return isGone(Number(pid), born === 'x' ? null : born) ? 'gone' : 'running'
}
