// What tests compare with is part of them: a snapshot or golden file that changes is an expectation that changes.
import type { Finding } from '../../../../delivery/judging/finding.ts'
import { type Change, pathBefore } from '../../change.ts'
import { report } from '../../report.ts'
import { missing } from '../literals.ts'
import { lostLines } from './lost-lines.ts'

export function snapshotFindings(changes: readonly Change[]): Finding[] {
  return changes
    .filter((change) => change.status !== 'added' && isExpectation(pathBefore(change)))
    .flatMap(changedSnapshot)
}

/** Kept beside the tests and compared with by them. */
export const isExpectation = (path: string): boolean =>
  /\.(?:snap|ambr|golden|approved\.\w+)$|(?:^|\/)__snapshots__\/|(?:^|\/)(?:golden|goldens|snapshots)\/[^/]+\.(?:txt|json|html|svg|ya?ml|out|xml|csv|png)$|(?:^|\/)testdata\/.*(?:\.(?:want|out|expected|txtar)|(?:want|expected|golden)\.\w+)$/.test(
    path,
  )

function changedSnapshot(change: Change): Finding[] {
  if (change.status === 'deleted') return [finding(change, 'was deleted', change.before ?? '')]
  if (change.before === null || change.after === null)
    return change.binary && change.status === 'modified' ? [finding(change, 'is another one now', '')] : []
  const gone = missing(valuesIn(change.before), valuesIn(change.after))
  return gone.length === 0
    ? []
    : [finding(change, 'expects something else than before', lostLines(change.before, change.after).text)]
}

const finding = (change: Change, what: string, evidence: string): Finding =>
  report({
    rule: change.status === 'deleted' && change.path.endsWith('.snap') ? 'test-deleted' : 'snapshot-changed',
    file: change.path,
    ...(change.after === null ? {} : { line: firstDifference(change) }),
    what: 'snapshot',
    message: `this snapshot ${what}; mend the code so that the recorded one fits, or have the story declare the file under mayChange`,
    evidence,
    fixTarget: 'code',
  })

function firstDifference({ before, after }: Change): number {
  const [had, has] = [before?.split('\n') ?? [], after?.split('\n') ?? []]
  return (
    Math.max(
      0,
      has.findIndex((line, at) => line !== had[at]),
    ) + 1
  )
}

/** What each entry holds, whatever it is called: entries may be renamed with their tests. */
function valuesIn(text: string): string[] {
  const entries = [...text.matchAll(/^exports\[`(?:\\.|[^`\\])*`\] = `((?:\\.|[^`\\])*)`;?$/gm)]
  if (entries.length > 0) return entries.map((found) => found[1]!.trim())
  const named = text.split(/^# name: .*$/m)
  if (named.length > 1) return named.slice(1).map((entry) => entry.trim())
  return [text.replace(/^---\n[\s\S]*?\n---\n/, '').trimEnd()]
}
