import type { Finding } from '../../../delivery/judging/finding.ts'
import { report } from '../report.ts'
import type { TestChange } from './cases.ts'
import { type Skip, skipsIn } from './skips.ts'

/** Tests that do not run any more, or keep others from running. A fresh test may depend on the platform. */
export function skipFindings(changes: readonly TestChange[], freshNames: ReadonlySet<string>): Finding[] {
  const had = new Map<string, number>()
  for (const { before } of changes)
    if (before !== null) for (const skip of skipsIn(before)) had.set(key(skip), (had.get(key(skip)) ?? 0) + 1)
  return changes.flatMap(({ change, after }) =>
    (after === null ? [] : skipsIn(after))
      .filter((skip) => isNews(skip, had, freshNames))
      .map((skip) => finding(skip, change.path, freshNames)),
  )
}

const key = (skip: Skip): string => JSON.stringify([skip.kind, skip.name])

function isNews(skip: Skip, had: Map<string, number>, freshNames: ReadonlySet<string>): boolean {
  const count = had.get(key(skip)) ?? 0
  had.set(key(skip), count - 1)
  return count <= 0 && !(skip.conditional && freshNames.has(skip.name))
}

function finding(skip: Skip, file: string, freshNames: ReadonlySet<string>): Finding {
  const planned = skip.kind === 'todo' && freshNames.has(skip.name)
  const subject = skip.name === '' ? 'a test' : `the test "${skip.name}"`
  return report({
    rule: 'test-skipped',
    file,
    line: skip.line,
    what: key(skip),
    message: `${subject} is marked "${skip.kind}": it, or others, do not run`,
    severity: planned ? 'suggestion' : 'blocking',
    fixTarget: 'tests',
  })
}
