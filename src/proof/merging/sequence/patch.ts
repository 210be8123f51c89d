import { linesOf } from '../line-endings.ts'
import { matches } from './diff.ts'

const context = 2

/** What became of a text, as lines with `-`, `+` and a little around them. */
export function patchOf(before: string, after: string): string {
  const [left, right] = [linesOf(before), linesOf(after)]
  const found = matches(left, right)
  if (found === null) return '(almost every line is another)'
  const lines: { sign: string; text: string }[] = []
  let [l, r] = [0, 0]
  for (const match of [...found, { left: left.length, right: right.length }]) {
    while (l < match.left) lines.push({ sign: '-', text: left[l++]! })
    while (r < match.right) lines.push({ sign: '+', text: right[r++]! })
    if (l < left.length && r < right.length) lines.push({ sign: ' ', text: left[l]! })
    l++
    r++
  }
  return shown(lines)
}

function shown(lines: { sign: string; text: string }[]): string {
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]))
  const near = new Set(changed.flatMap((at) => Array.from({ length: 2 * context + 1 }, (_, i) => at - context + i)))
  const texts = lines.flatMap(({ sign, text }, index) => {
    if (near.has(index)) return [`${sign}${text.replace(/\n$/, '')}`]
    return near.has(index - 1) ? ['…'] : []
  })
  return texts.join('\n')
}
