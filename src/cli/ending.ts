import type { DeliveryWord } from '../views/summary.ts'
import type { Screen } from './show/screen.ts'

export const exitCodes = { done: 0, error: 1, human: 2, operator: 3, budget: 4 } as const

/** What a shell is told about a delivery that is not being driven any more. */
export const exitCodeOf = (word: DeliveryWord): number => exitCodes[kinds[word]]

const kinds: Record<DeliveryWord, keyof typeof exitCodes> = {
  done: 'done',
  'done-with-concerns': 'done',
  blocked: 'human',
  waiting: 'human',
  planning: 'human',
  working: 'human',
  landing: 'human',
  paused: 'operator',
  stopping: 'operator',
  stopped: 'operator',
  budget: 'budget',
  crashed: 'error',
}

/** A repeat within this time is the same burst (a terminal and a wrapper both pass the key on), not a second wish. */
const burstMs = 250

interface Interrupt {
  signal: AbortSignal
  /** As if the person had pressed the key. */
  trip(): void
  close(): void
}

/** The first INT, TERM or HUP asks for an orderly end; another INT after it kills. */
export function onInterrupt(acts: { first: () => void; again: () => void }): Interrupt {
  const controller = new AbortController()
  let firstAt: number | null = null
  const trip = () => {
    if (firstAt !== null) return
    // What came while this was done, however long it took, is of the same burst.
    firstAt = Number.POSITIVE_INFINITY
    acts.first()
    controller.abort()
    setImmediate(() => {
      firstAt = Date.now()
    })
  }
  const interrupted = () => {
    if (firstAt === null) trip()
    else if (Date.now() - firstAt > burstMs) acts.again()
  }
  process.on('SIGINT', interrupted)
  process.on('SIGTERM', trip)
  process.on('SIGHUP', trip)
  return {
    signal: controller.signal,
    trip,
    close() {
      process.off('SIGINT', interrupted)
      process.off('SIGTERM', trip)
      process.off('SIGHUP', trip)
    },
  }
}

/** Work that Ctrl-C ends in order, however often it is pressed. */
export async function interruptible<T>(
  { warn }: Pick<Screen, 'warn'>,
  work: (signal: AbortSignal) => Promise<T>,
  again: () => void = () => {},
): Promise<T> {
  const interrupt = onInterrupt({ first: () => warn('Interrupted: ending what is running.'), again })
  return await work(interrupt.signal).finally(() => interrupt.close())
}

/** For work that leaves nothing behind: the second Ctrl-C ends it at once. */
export const leaveAtOnce = (): void => process.exit(exitCodes.operator)

/** For what goes on for as long as somebody reads it. */
export async function whileRead<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupt = onInterrupt({ first: () => {}, again: () => {} })
  process.stdout.on('error', interrupt.trip)
  return await work(interrupt.signal).finally(() => {
    interrupt.close()
    process.stdout.off('error', interrupt.trip)
  })
}
