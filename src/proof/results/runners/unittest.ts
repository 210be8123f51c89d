import type { Report, TestFailure } from '../check-result.ts'
import { countsOf, failure, namesOf, report } from '../report.ts'

/** Python's own unittest: dots or names, what failed, and two lines at the end. */
export const readUnittest = (text: string): Report[] =>
  [...text.matchAll(summary)].map((found, index, all) => reportOf(text, found, all[index - 1]))

const summary = /^Ran (\d+) tests? in [\d.]+s\r?\n\r?\n(OK|FAILED|NO TESTS RAN)(?: \(([^)\n]*)\))?$/gm

function reportOf(text: string, found: RegExpMatchArray, before: RegExpMatchArray | undefined): Report {
  const from = before === undefined ? 0 : before.index! + before[0].length
  const own = text.slice(from, found.index)
  const figure = (name: string): number => Number(new RegExp(`(?:^|, )${name}=(\\d+)`).exec(found[3] ?? '')?.[1] ?? 0)
  const failed = figure('failures') + figure('errors') + figure('unexpected successes')
  const skipped = figure('skipped')
  const passed = Math.max(0, Number(found[1]) - failed - skipped)
  const failures = failuresIn(own)
  const names = [...own.matchAll(/^(\w+) \([\w.]+\)(?:\n.*)? \.\.\. ok$/gm)].map(([, name]) => name!)
  return report({
    counts: countsOf({ passed, failed, skipped }),
    failures,
    passed: namesOf(
      names.map((name) => ({ full: name, own: name })),
      passed,
    ),
    unloadable: failures.length > 0 && failures.every(({ test }) => /\bFailedTest\b/.test(test)),
    from,
    to: found.index! + found[0].length,
  })
}

const block =
  /^={20,}\n(?:FAIL|ERROR): (\S+)(?: \(([^)\n]*)\))?.*\n(?:.*\n)?-{20,}\n([\s\S]*?)(?=\n={20,}\n|\n-{20,}\n|$(?![\s\S]))/gm

const failuresIn = (text: string): TestFailure[] =>
  [...text.matchAll(block)].map(([, name, place, body]) => {
    const at = [...body!.matchAll(/File "([^"\n]+)", line (\d+)/g)].at(-1)
    const error = body!.trim().split('\n').at(-1) ?? ''
    const test = /_FailedTest/.test(place ?? '') ? `FailedTest ${name}` : name!
    const where = at === undefined ? {} : { file: at[1]!, line: Number(at[2]) }
    return failure({ ...where, test, error, stack: body!.slice(0, 4_000) })
  })
