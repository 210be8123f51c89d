import type { Parser } from '../../check-result.ts'
import { readEvents } from './events.ts'
import { readLines } from './lines.ts'

/** `go test`, with and without -v, and its JSON. */
export const go: Parser = {
  read: (text) => {
    const events = readEvents(text)
    return events.length > 0 ? events : readLines(text)
  },
}
