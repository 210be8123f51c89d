import { readdirSync, readFileSync } from 'node:fs'
import type { CheckResult } from '../../../src/proof/results/check-result.ts'
import { type CheckOutput, judgeOutput } from '../../../src/proof/results/judge-output.ts'

const corpora = 'test/corpora/results'

export const caseNames = (runner: string): string[] =>
  readdirSync(`${corpora}/${runner}`)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => name.slice(0, -'.txt'.length))

/** A recorded run: its exit code, what it printed, and the report that it left. */
export function readCase(runner: string, name: string): CheckOutput {
  const text = readFileSync(`${corpora}/${runner}/${name}.txt`, 'utf8')
  const [head, rest] = cut(text, '\n--- stdout\n')
  const [stdout, after] = cut(rest, '\n--- stderr\n')
  const [stderr, left] = cut(after, '\n--- report ')
  const [path, report] = cut(left, '\n')
  const code = Number(head.slice('exit '.length))
  return {
    parser: 'auto',
    stdout,
    stderr,
    exit: { reason: code === 124 ? 'timeout' : 'exited', code, signal: null },
    truncated: false,
    root: '/place',
    ...(left === '' ? {} : { report: path, reports: [{ path, text: report }] }),
  }
}

export const judgeCase = (runner: string, name: string, rest: Partial<CheckOutput> = {}): CheckResult =>
  judgeOutput({ ...readCase(runner, name), ...rest })

function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}
