// For checks that run nothing: what a checker of types or of style finds wherever it looks.
import { type AddedLine, addedLines, type Change, isFixture } from '../files/change.ts'
import { isProductCode } from './spots.ts'

const mistakes: [files: RegExp, text: string][] = [
  [/(?<!\.d)\.[cm]?tsx?$/, "\nexport const brokenOnPurpose: number = 'broken'\nvar unusedOnPurpose = 1\ndebugger\n"],
  [/\.[cm]?jsx?$/, '\nvar brokenOnPurpose = missingOnPurpose == null\ndebugger\n'],
  [/\.py$/, '\n\nimport os, re\nbroken_on_purpose: int = "broken"\nif undefined_on_purpose == None: pass\n'],
  [/\.go$/, '\n\nfunc brokenOnPurpose(n int) bool {\n\tn = n\n\treturn n == n\n}\n'],
  [/\.rs$/, '\n\npub fn broken_on_purpose(n: i32) -> bool {\n    let unused = 1;\n    n == n\n}\n'],
]

/** The file with mistakes at its end that a checker of it finds; null: nobody knows any. */
export function withMistakes(path: string, text: string): string | null {
  const found = mistakes.find(([files]) => files.test(path))
  return found === undefined || !isProductCode(path, text) ? null : text.trimEnd() + found[1]
}

/** Words by which checkers are told to be silent. */
const silence =
  /(?:\/\/|\/\*|#|<!--)\s*(?:@ts-(?:nocheck|ignore|expect-error)|(?:eslint|tslint|oxlint|stylelint|prettier|standard|deno-lint|biome|jshint|flow|pylint|mypy|pyright|ruff|flake8|noqa|nolint|type|lint|pyre|staticcheck|golangci)[-:\s]?\S*.*(?:disable|ignore|skip|off|false|noqa|nolint|none|errors|basic|\$|:))|\/\/\s*nolint\b|#\s*(?:noqa|type:\s*ignore|nosec)\b|\/[/*]\s*(?:eslint-disable|istanbul ignore|@ts-)|#!?\[(?:allow|expect|cfg_attr\([^)]*allow)\b/

/** Added lines that ask a checker to look away. */
export const silencingLines = (change: Change): AddedLine[] =>
  change.after === null || isFixture(change.path) || !isProductCode(change.path, change.after)
    ? []
    : addedLines(change).filter(({ text }) => silence.test(text))
