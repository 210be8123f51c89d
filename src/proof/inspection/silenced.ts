// One comment that silences a tool is a decision; many of them switch the tool off.
import type { Finding } from '../../delivery/judging/finding.ts'
import { type Change, isFixture } from './change.ts'
import { report } from './report.ts'

const most = 4

export function silencedFindings(changes: readonly Change[]): Finding[] {
  const silenced = changes
    .filter(({ path, after }) => after !== null && isCode(path) && !isFixture(path))
    .map((change) => ({ change, lines: addedLines(change) }))
    .filter(({ lines }) => lines.length > 0)
  const count = silenced.reduce((sum, { lines }) => sum + lines.length, 0)
  if (count <= most) return []
  return silenced.map(({ change, lines }) =>
    report({
      rule: 'checks-silenced',
      file: change.path,
      line: lines[0]!.line,
      message: `${lines.length} comments here tell linters, types or coverage to look away (${count} in all); mend what they hide, or have the story declare the file under mayChange`,
      evidence: lines
        .slice(0, 12)
        .map(({ line, text }) => `${line}: + ${text.trim().slice(0, 200)}`)
        .join('\n'),
    }),
  )
}

const isCode = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|java|kts?|cs|php|swift|sh)$/.test(path)

const comment =
  /(?:\/\/|\/\*|#|\{\/\*)\s*(?:eslint-disable(?:-next-line|-line)?|@ts-ignore|@ts-expect-error|biome-ignore|oxlint-disable(?:-next-line)?|prettier-ignore|tslint:disable|(?:istanbul|c8|v8) ignore|noqa\b|type:\s*ignore|pyright:\s*ignore|pylint:\s*disable|mypy:\s*ignore|pragma:\s*no cover|rubocop:disable|shellcheck disable|nosec\b|NOSONAR)|\/\/\s*nolint\b|^\s*#!?\[(?:allow|expect)\(|@SuppressWarnings\b/

interface Line {
  line: number
  text: string
}

/** Silencing lines that the file has more of than before. */
function addedLines({ before, after }: Change): Line[] {
  const counts = new Map<string, number>()
  for (const { text } of silencing(before ?? '')) counts.set(text.trim(), (counts.get(text.trim()) ?? 0) + 1)
  return silencing(after ?? '').filter(({ text }) => {
    const count = counts.get(text.trim()) ?? 0
    counts.set(text.trim(), count - 1)
    return count <= 0
  })
}

const silencing = (text: string): Line[] =>
  text.split('\n').flatMap((one, at) => (comment.test(one) ? [{ line: at + 1, text: one }] : []))
