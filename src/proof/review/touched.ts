import type { Finding } from '../../delivery/judging/finding.ts'
import type { Change } from '../files/change.ts'
import { addedLines } from '../files/change.ts'

/** Lines around a changed one that have to do with it. */
const near = 20

/** Whether a finding is about what a change has touched: at its lines, or where something is used that it declares. */
export function isTouched(
  { file, line, evidence }: Pick<Finding, 'file' | 'line' | 'evidence'>,
  changes: readonly Change[],
): boolean {
  const own = file === null ? [] : changes.filter(({ path, oldPath }) => path === file || oldPath === file)
  if (own.some((change) => line === null || change.before === null || isNear(change, line))) return true
  const words = new Set(evidence.match(/\w+/g))
  const isUsed = (texts: string[]): boolean => declaredIn(texts).some((name) => words.has(name))
  // To compare two texts line by line takes long, and most of them declare nothing of it.
  return changes.some(
    (change) => isUsed([change.before ?? '', change.after ?? '']) && isUsed(changed(change).map(({ text }) => text)),
  )
}

const isNear = (change: Change, line: number): boolean =>
  changed(change).some((one) => Math.abs(one.line - line) <= near)

/** Where something was only removed, lines of the file as it was are as good as can be. */
function changed(change: Change): { line: number; text: string }[] {
  return [...addedLines(change), ...addedLines({ ...change, before: change.after, after: change.before })]
}

const declaring = /\b(?:function|class|const|let|var|def|fn|func|type|interface|enum|struct|trait)\s+(\w{3,})/g

const declaredIn = (texts: string[]): string[] =>
  texts.flatMap((text) => [...text.matchAll(declaring)].map(([, name]) => name!))
