import type { Finding } from '../../../../delivery/judging/finding.ts'
import { report } from '../../report.ts'
import { type Skip, skipsIn } from '../skips.ts'
import type { TestChange, TestFile } from '../test-case.ts'

interface Names {
  /** Tests that were not there before; they may depend on the platform. */
  fresh: ReadonlySet<string>
  /** What a test was called before. */
  former: ReadonlyMap<string, string>
}

/** Tests that do not run any more, or keep others from running. */
export function skipFindings(changes: readonly TestChange[], names: Names): Finding[] {
  const had = new Map<string, number>()
  const read = changes.map((one) => ({ ...one, skips: one.before === null ? [] : skipsIn(one.before) }))
  for (const { skips } of read) for (const skip of skips) had.set(key(skip), (had.get(key(skip)) ?? 0) + 1)
  return read.flatMap(({ change, before, after, skips }) => {
    const guards = new Set(skips.map(({ guard }) => guard))
    return (after === null ? [] : skipsIn(after))
      .filter((skip) => isNews({ ...skip, name: names.former.get(skip.name) ?? skip.name }, had))
      .filter((skip) => !(skip.conditional && (isFresh(skip, names, before) || isKnownGuard(skip, before, guards))))
      .slice(0, mostFindings)
      .map((skip) => finding(skip, { file: change.path, after: after!, fresh: names.fresh }))
  })
}

/** Of one file; more of them would tell nothing else. */
const mostFindings = 100

const key = (skip: Skip): string => JSON.stringify([skip.kind, skip.name])

function isNews(skip: Skip, had: Map<string, number>): boolean {
  const count = had.get(key(skip)) ?? 0
  had.set(key(skip), count - 1)
  return count <= 0
}

/** A whole file that was not there may say what it needs. */
const isFresh = (skip: Skip, { fresh }: Names, before: TestFile | null): boolean =>
  fresh.has(skip.name) || (skip.name === '' && before === null)

/** The platform decides, by a condition that decided before the change too. */
const isKnownGuard = (skip: Skip, before: TestFile | null, guards: ReadonlySet<string>): boolean =>
  before !== null &&
  guards.has(skip.guard) &&
  skip.guard !== '' &&
  before.masked.includes(skip.guard) &&
  (platform.test(skip.guard) ||
    new RegExp(`\\b${escaped(skip.guard)}\\s*=[^\\n]*(?:${platform.source})`).test(before.text))

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const platform = /platform|GOOS|GOARCH|os\.name|win32|darwin|isWindows|target_os/

function finding(
  skip: Skip,
  { file, after, fresh }: { file: string; after: TestFile; fresh: ReadonlySet<string> },
): Finding {
  const planned = skip.kind === 'todo' && fresh.has(skip.name)
  const subject = skip.name === '' ? 'a test' : `the test "${skip.name}"`
  const lines = after.text.split('\n')
  return report({
    rule: 'test-skipped',
    file,
    line: skip.line,
    what: key(skip),
    message: `${subject} is marked "${skip.kind}": it, or others, do not run; take the mark away and mend the code`,
    evidence: lines
      .slice(skip.line - 1, skip.line + 2)
      .map((line, at) => `${at === 0 ? '+' : ' '} ${line.slice(0, 200)}`)
      .join('\n'),
    severity: planned ? 'suggestion' : 'blocking',
    fixTarget: 'tests',
  })
}
