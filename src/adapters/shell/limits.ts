import type { Command } from '../../ports/shell.ts'

export type Limit = 'timeout' | 'idle' | 'aborted'

const longestTimerMs = 2 ** 31 - 1

/** Resolves `reached` with the first limit the command runs into. */
export function watchLimits(command: Pick<Command, 'timeoutMs' | 'idleTimeoutMs' | 'signal'>) {
  const { promise: reached, resolve } = promiseOf<Limit>()
  const after = (ms: number, limit: Limit) => setTimeout(resolve, Math.min(ms, longestTimerMs), limit)
  const timeout = after(command.timeoutMs, 'timeout')
  const idle = command.idleTimeoutMs === null ? null : after(command.idleTimeoutMs, 'idle')
  const onAbort = () => resolve('aborted')
  command.signal.addEventListener('abort', onAbort, { once: true })
  if (command.signal.aborted) onAbort()
  return {
    reached,
    sawOutput: () => void idle?.refresh(),
    cancel: () => {
      clearTimeout(timeout)
      if (idle !== null) clearTimeout(idle)
      command.signal.removeEventListener('abort', onAbort)
    },
  }
}

function promiseOf<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((r) => {
    resolve = r
  })
  return { promise, resolve }
}
