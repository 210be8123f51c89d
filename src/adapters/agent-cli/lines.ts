import { createReadStream } from 'node:fs'

const longestLine = 1024 * 1024

/** The lines of a file. Those that are too long are left out, so that they are never held. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let held = ''
  let tooLong = false
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...rest] = chunk.split('\n')
    held = tooLong ? '' : held + first
    for (const line of rest) {
      if (!tooLong) yield held
      tooLong = false
      held = line
    }
    if (held.length > longestLine) {
      tooLong = true
      held = ''
    }
  }
  if (!tooLong) yield held
}
