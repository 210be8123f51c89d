import type { Parser } from '../../check-result.ts'
import { readDiagnostic } from './diagnostic.ts'
import { readPoint } from './point.ts'
import { Stream } from './stream.ts'

/** TAP 13 and 14, with subtests. */
export const tap: Parser = {
  read: (text) => readStreams(text).flatMap((stream) => (stream.ofNode() ? [] : [stream.result()])),
}

const isTap = (text: string): boolean =>
  /^TAP version 1[34]\s*$/m.test(text) || (/^1\.\.\d+\s*(?:#|$)/m.test(text) && /^(?:not )?ok\b/m.test(text))

/** Several runs one after the other print several streams. */
export function readStreams(text: string): Stream[] {
  if (!isTap(text)) return []
  const streams = [new Stream()]
  const lines = text.split('\n')
  const starts = startsOf(lines)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trimEnd()
    if (/^TAP version 1[34]$/.test(line)) {
      if (streams.at(-1)!.started) streams.push(new Stream())
      streams.at(-1)!.started = true
      streams.at(-1)!.reach(starts[at]!, line)
      continue
    }
    const point = readPoint(line)
    if (point === null) {
      if (streams.at(-1)!.note(line)) streams.at(-1)!.reach(starts[at]!, line)
      continue
    }
    const diagnostic = readDiagnostic(lines, at + 1)
    if (streams.at(-1)!.isOver(point)) streams.push(new Stream())
    streams.at(-1)!.add(point, diagnostic.fields)
    streams.at(-1)!.reach(starts[at]!, line)
    at = diagnostic.end - 1
  }
  return streams.filter((stream) => stream.started)
}

function startsOf(lines: string[]): number[] {
  let at = 0
  return lines.map((line) => {
    const start = at
    at += line.length + 1
    return start
  })
}
