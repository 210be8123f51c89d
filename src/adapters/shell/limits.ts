import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from '../../ports/shell.ts'

export type Limit = 'timeout' | 'idle' | 'aborted' | 'lingered'

/** How long a command that is done may take to exit by itself. */
const lingerMs = 2_000
const longestTimerMs = 2 ** 31 - 1
/** A program that waits for an answer still spins and collects garbage, up to 3 % of a core; one that works uses more. */
const workingShare = 0.08

type Watched = Pick<Command, 'timeoutMs' | 'idleTimeoutMs' | 'isWaiting' | 'done' | 'signal' | 'cwd'>

/** How much processor time the command's tree has used: as last seen, or by a new look. */
export interface ProcessorWork {
  seenMs(): number
  lookMs(): number
}

/** Resolves `reached` with the first limit the command runs into. */
export function watchLimits(command: Watched, work: ProcessorWork) {
  let resolve: (limit: Limit) => void = () => {}
  const reached = new Promise<Limit>((first) => {
    resolve = first
  })
  const timers = new Set<NodeJS.Timeout>()
  const after = (ms: number, limit: Limit) => timers.add(setTimeout(resolve, Math.min(ms, longestTimerMs), limit))
  after(command.timeoutMs, 'timeout')
  const idle = watchSilence(command, work, () => resolve('idle'))
  command.done?.then(
    () => void after(lingerMs, 'lingered'),
    () => {},
  )
  const onAbort = () => resolve('aborted')
  command.signal.addEventListener('abort', onAbort, { once: true })
  if (command.signal.aborted) onAbort()
  return {
    reached,
    sawOutput: idle.sawOutput,
    cancel: () => {
      for (const timer of timers) clearTimeout(timer)
      idle.cancel()
      command.signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Silence alone is not death: before that is said, it is looked whether somebody works. */
function watchSilence({ idleTimeoutMs, isWaiting, cwd }: Watched, work: ProcessorWork, onDead: () => void) {
  if (idleTimeoutMs === null) return { sawOutput: () => {}, cancel: () => {} }
  const silenceMs = Math.min(idleTimeoutMs, longestTimerMs)
  let alive = { at: Date.now(), workedMs: 0 }
  let cancelled = false

  const sawLife = (workedMs: number): void => {
    if (cancelled) return
    alive = { at: Date.now(), workedMs }
    timer.refresh()
  }
  async function look(): Promise<void> {
    const before = alive
    const workedMs = work.lookMs()
    if (isWaiting?.() === true || workedMs - before.workedMs > (Date.now() - before.at) * workingShare)
      return sawLife(workedMs)
    const isChanged = await changedSince(cwd, before.at)
    if (isChanged) sawLife(workedMs)
    else if (alive === before && !cancelled) onDead()
  }
  // When even a look fails, nothing is known; the hard limit still holds.
  const timer = setTimeout(() => void look().catch(() => sawLife(work.seenMs())), silenceMs)
  return {
    sawOutput: () => sawLife(work.seenMs()),
    cancel: () => {
      cancelled = true
      clearTimeout(timer)
    },
  }
}

const notOurs = new Set(['.git', 'node_modules'])
const mostEntries = 50_000

/** Whether anything under the folder was made, changed or removed since. Links are not followed; large trees are not searched to their end. */
async function changedSince(folder: string, sinceMs: number): Promise<boolean> {
  const folders = [folder]
  let seen = 0
  for (let current = folders.shift(); current !== undefined && seen < mostEntries; current = folders.shift()) {
    if (await isChanged(current, sinceMs)) return true
    for (const entry of await readdir(current, { withFileTypes: true }).catch(() => [])) {
      if (++seen > mostEntries || notOurs.has(entry.name)) continue
      const path = join(current, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (await isChanged(path, sinceMs)) return true
    }
  }
  return false
}

/** By the time of the last change that nobody can set back. */
async function isChanged(path: string, sinceMs: number): Promise<boolean> {
  const stat = await lstat(path).catch(() => null)
  return stat !== null && stat.ctimeMs > sinceMs
}
