import type { Cli } from '../world.ts'

/** A wake-up that was lost costs no more than this. */
const lookAgainMs = 1000

/** Calls `look` at once, on each sign of change and now and then, until it says that it is over or somebody interrupts. */
export async function following(
  cli: Cli,
  delivery: string,
  look: () => Promise<boolean>,
): Promise<'over' | 'interrupted'> {
  const { wake, clock } = await cli.world.intake()
  let stirred = new AbortController()
  let interrupted = false
  const stop = () => {
    interrupted = true
    stirred.abort()
  }
  const deaf = wake.listen(delivery, () => stirred.abort())
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop)
  // Nobody reads on.
  process.stdout.on('error', stop)
  try {
    while (!interrupted) {
      stirred = new AbortController()
      if (await look()) return 'over'
      if (!interrupted) await clock.until(clock.now() + lookAgainMs, stirred.signal)
    }
    return 'interrupted'
  } finally {
    deaf()
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop)
    process.stdout.off('error', stop)
  }
}
