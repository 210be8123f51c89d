import type { Finding } from '../../delivery/judging/finding.ts'
import { type Change, isFixture } from '../files/change.ts'
import { report } from './report.ts'

/** Leftovers of a merge. A row of equals signs alone is none: it underlines headings. */
export function conflictFindings(changes: readonly Change[]): Finding[] {
  return changes
    .filter((change) => change.after !== null && change.newMode !== '120000' && !isFixture(change.path))
    .flatMap((change) => {
      const lines = markers(change.path, change.after!)
      if (lines.length <= markers(change.path, change.before ?? '').length) return []
      const line = lines[0]!
      const evidence = change
        .after!.split('\n')
        .slice(Math.max(0, line - 2), line + 10)
        .join('\n')
      return [
        report({
          rule: 'conflict-marker',
          file: change.path,
          line,
          message: 'a merge conflict is left in this file',
          evidence,
        }),
      ]
    })
}

const isProse = (path: string): boolean => /\.(?:md|markdown|mdx|rst|adoc|txt|eml)$/i.test(path)

/** Lines with markers; in prose only a whole conflict outside code blocks counts, for there they may be the topic. */
function markers(path: string, text: string): number[] {
  if (!/^(?:<{7}|>{7}|\|{7})/m.test(text)) return []
  const prose = isProse(path)
  const found: { line: number; kind: string }[] = []
  let fenced = false
  text.split('\n').forEach((line, index) => {
    if (prose && /^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    const marker = /^(<{7}|>{7}|\|{7})(?:\s|$)/.exec(line)
    if (marker && !(prose && fenced)) found.push({ line: index + 1, kind: marker[1]![0]! })
  })
  const whole = found.some((one) => one.kind === '<') && found.some((one) => one.kind === '>')
  return prose && !whole ? [] : found.map((one) => one.line)
}
