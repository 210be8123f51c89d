import type { Parsed, Parser } from './check-result.ts'
import { readDiagnostic } from './tap-diagnostic.ts'
import { readPoint } from './tap-point.ts'
import { Stream } from './tap-stream.ts'

/** TAP 13 and 14, with subtests. */
export const tap: Parser = {
  name: 'tap',
  recognises: (text) =>
    /^TAP version 1[34]\s*$/m.test(text) || (/^1\.\.\d+\s*(?:#|$)/m.test(text) && /^(?:not )?ok\b/m.test(text)),
  parse: (text) => combine(readStreams(text)),
}

/** Several runs one after the other print several streams. */
function readStreams(text: string): Stream[] {
  const streams = [new Stream()]
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trimEnd()
    if (/^TAP version 1[34]$/.test(line)) {
      if (streams.at(-1)!.started) streams.push(new Stream())
      streams.at(-1)!.started = true
      continue
    }
    const point = readPoint(line)
    if (point === null) {
      streams.at(-1)!.note(line)
      continue
    }
    const diagnostic = readDiagnostic(lines, at + 1)
    at = diagnostic.end - 1
    if (streams.at(-1)!.isOver(point)) streams.push(new Stream())
    streams.at(-1)!.add(point, diagnostic.fields)
  }
  return streams.filter((stream) => stream.started)
}

function combine(streams: Stream[]): Parsed {
  const results = streams.map((stream) => stream.result())
  const sum = (pick: (parsed: Parsed) => number): number => results.reduce((total, one) => total + pick(one), 0)
  const failures = results.flatMap((one) => one.failures)
  return {
    counts: {
      total: sum((one) => one.counts.total),
      passed: sum((one) => one.counts.passed),
      failed: sum((one) => one.counts.failed),
      skipped: sum((one) => one.counts.skipped),
    },
    failures,
    hollow: results.flatMap((one) => one.hollow),
    passed: results.flatMap((one) => one.passed),
    complete: results.length > 0 && results.every((one) => one.complete),
    summarised: results.length > 0 && results.every((one) => one.complete || one.summarised),
    unloadable: failures.length > 0 && results.every((one) => one.failures.length === 0 || one.unloadable),
    problem: results.find((one) => one.problem !== null)?.problem ?? null,
  }
}
