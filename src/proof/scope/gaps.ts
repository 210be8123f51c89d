import type { Finding } from '../../delivery/judging/finding.ts'
import { type Change, isFixture } from '../inspection/change.ts'
import { report } from '../inspection/report.ts'
import { isInTestFolder, isTestName } from '../inspection/tests/test-file.ts'
import { addedSymbols } from './public-symbols.ts'

export const isTest = (path: string): boolean => isTestName(path) || isInTestFolder(path)

/** Public symbols that are new and that no test of the change names. */
export function gapFindings(changes: readonly Change[]): Finding[] {
  const tests = changes.filter(({ path }) => isTest(path)).map(({ after }) => after ?? '')
  const spoken = new Set(tests.flatMap((text) => text.match(/\w+/g) ?? []))
  return changes
    .filter(({ path }) => !isTest(path) && !isFixture(path))
    .flatMap((change) =>
      addedSymbols(change)
        // Rust keeps tests beside the code.
        .filter(({ name }) => !spoken.has(name) && !isTestedInside(change, name))
        .map(({ name, line }) =>
          report({
            rule: 'test-gap',
            file: change.path,
            line,
            what: name,
            severity: 'note',
            message: `${name} is new and public, and no test of this change names it`,
            fixTarget: 'tests',
          }),
        ),
    )
}

const isTestedInside = ({ path, after }: Change, name: string): boolean => {
  const inside = path.endsWith('.rs') ? (after ?? '').split(/#\[cfg\(test\)\]/)[1] : undefined
  return inside !== undefined && new RegExp(`\\b${name}\\b`).test(inside)
}
