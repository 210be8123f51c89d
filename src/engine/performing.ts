import type { Interim, Stepping } from '../delivery/events.ts'
import { inputOf } from '../delivery/inputs/input.ts'
import type { DeliveryState, Started } from '../delivery/state.ts'
import type { Step } from '../delivery/step.ts'
import { diskFull, EnvironmentError, ownFilesGone, TerminalError, TransientError } from '../ports/errors.ts'
import type { Ending } from '../ports/performer.ts'
import { isDiskFull } from '../std/files.ts'
import type { EngineWorld } from './world.ts'

/** One step being performed by this process. */
export interface Performing {
  step: Step
  try: number
  abort(reason: string): void
  aborted: boolean
}

export type End = Ending | Extract<Stepping, { type: 'StepAborted' | 'StepFailed' }>

const shortWaitsMs = [200, 1_000, 5_000]
/** What is often over in seconds is looked at again in seconds. */
const parksMs = [2_000, 5_000, 15_000, 30_000, 60_000]

/** Starts performing; `ended` is called exactly once, whatever happens. */
export function begin(
  world: EngineWorld,
  started: Started,
  given: {
    state: DeliveryState
    record: (event: Interim) => Promise<void>
    ended: (one: Performing, end: End) => void
  },
): Performing {
  const controller = new AbortController()
  const one: Performing = {
    step: started.step,
    try: started.try,
    aborted: false,
    abort(reason) {
      one.aborted = true
      controller.abort(new Error(reason))
    },
  }
  const { state, record } = given
  const { step, try: count, mark } = started
  const { signal } = controller
  const perform = () =>
    world.perform({ step, input: inputOf(state, step), standing: () => state, try: count, mark, signal, record })
  void conclude(world, async () => await perform(), { step, try: count, signal }).then((end) => given.ended(one, end))
  return one
}

/** An outcome from whatever a performer does: the one place where its exceptions become facts. */
async function conclude(
  world: EngineWorld,
  perform: () => Promise<Ending>,
  { step, try: count, signal }: { step: Step; try: number; signal: AbortSignal },
): Promise<End> {
  const about = { step: step.id, story: step.story }
  for (const waitMs of [...shortWaitsMs, null]) {
    try {
      const end = await perform()
      return signal.aborted && end.type !== 'Landed' ? { type: 'StepAborted', ...about, reason: reasonOf(signal) } : end
    } catch (thrown) {
      // Any write of any step may be the one that finds it out.
      const error = ownFilesGone(thrown) ?? (isDiskFull(thrown) ? diskFull(thrown) : thrown)
      if (signal.aborted) return { type: 'StepAborted', ...about, reason: reasonOf(signal) }
      if (error instanceof TerminalError) return { type: 'StepFailed', ...about, ...failureOf(error) }
      if (!(error instanceof TransientError))
        return {
          type: 'StepFailed',
          ...about,
          message: bug(error),
          remedy: 'this is a defect of Ropewalk: please report it',
        }
      if (waitMs === null)
        return { type: 'StepParked', ...about, until: world.clock.now() + parkMs(count), reason: error.message }
      await world.clock.until(world.clock.now() + waitMs, signal)
    }
  }
  throw new Error('broken invariant: the waits are over and nothing was concluded')
}

const parkMs = (count: number): number => parksMs[Math.min(count, parksMs.length) - 1] ?? 0

const failureOf = (error: TerminalError): { message: string; remedy: string; environment?: true } => ({
  ...{ message: error.message, remedy: error.remedy },
  ...(error instanceof EnvironmentError ? { environment: true } : {}),
})

const reasonOf = (signal: AbortSignal): string => (signal.reason instanceof Error ? signal.reason.message : 'aborted')

const bug = (error: unknown): string =>
  `unexpected error: ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ') : String(error)}`
