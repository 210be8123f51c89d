import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'

/** A log may be years long: what a turn has left is in its last part. */
const longestTail = 16 * 1024 * 1024

/** The lines at the end of a file; none when it cannot be read. */
export async function* linesFrom(file: string): AsyncGenerator<string> {
  const size = await stat(file).then(
    (found) => found.size,
    () => null,
  )
  if (size === null) return
  const input = createReadStream(file, { encoding: 'utf8', start: Math.max(0, size - longestTail) })
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
}
