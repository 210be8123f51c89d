// Answers instead of a rule: the very values of a test, what it gives and what it awaits, on one line of the product.
import type { Finding } from '../../delivery/judging/finding.ts'
import { type Change, isFixture } from '../files/change.ts'
import { isTest } from '../files/test-file.ts'
import { addedLines } from '../scope/added-lines.ts'
import { tell } from './report.ts'

const [fewest, mostLines, mostTold] = [3, 3_000, 3]

/** No run can show it, so people are told; a table of what things cost looks the same, so nothing is held back for it. */
export function answerFindings(changes: readonly Change[]): Finding[] {
  const code = changes.filter(({ path, after }) => after !== null && /\.(?:py|go|rs|[cm]?[jt]sx?)$/.test(path))
  const isOfTests = ({ path }: Change): boolean => isTest(path) || isFixture(path)
  const awaited = linesOf(code.filter(isOfTests)).map(({ values }) => values)
  return linesOf(code.filter((one) => !isOfTests(one)))
    .filter(({ values }) => awaited.some((all) => holds(all, values) || holds(values, all)))
    .slice(0, mostTold)
    .map(({ path, line, text, values }) => {
      const what = `has the very values that a test gives and awaits (${[...values].slice(0, 4).join(', ')}), which may be an answer written down instead of a rule`
      return tell('holds-answers', path, { line, text, what })
    })
}

const holds = (all: ReadonlySet<string>, some: ReadonlySet<string>): boolean => [...some].every((one) => all.has(one))

/** Lines that are new, each with the one after it where that ends what it begins, and enough values to mean one case. */
function linesOf(changes: readonly Change[]) {
  return changes
    .flatMap((change) => {
      const lines = addedLines(change)
      return lines.map(({ line, text }, index) => {
        const next = lines[index + 1]
        const goesOn = next?.line === line + 1 && /[:{]\s*$|=>\s*$/.test(text) && valuesIn(text).size > 0
        return { path: change.path, line, text, values: valuesIn(goesOn ? `${text}\n${next.text}` : text) }
      })
    })
    .filter(({ values }) => values.size >= fewest)
    .slice(0, mostLines)
}

const valuesIn = (text: string): Set<string> =>
  new Set(
    [...text.slice(0, 500).matchAll(/"([^"\n]+)"|'([^'\n]+)'|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.]*\w)/g)]
      .flatMap(([, a, b, number]) => number ?? keyParts(a ?? b!))
      .filter((value) => !/^(?:[012]|100|1000)$/.test(value)),
  )

/** What is given may have been put together to one key: `20FIVE`, `20,FIVE`. */
const keyParts = (text: string): string[] => /^(\d+)\W?([A-Za-z]\w*)$/.exec(text)?.slice(1) ?? [text]
