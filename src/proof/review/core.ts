import { baseName, type Change, isFixture } from '../files/change.ts'
import { onlyFormChanged } from '../files/form.ts'
import { saysGenerated } from '../inspection/scope.ts'
import { isCode } from '../related/tree.ts'
import { riskOf } from './risk.ts'

/** What a reader should look at, and what only comes with it. */
export interface Core {
  /** What matters most first. */
  core: { path: string; reasons: string[] }[]
  noise: { path: string; because: string }[]
}

export function coreOf(changes: readonly Change[]): Core {
  const noise = changes.flatMap((change) => {
    const because = noiseIn(change)
    return because === null ? [] : [{ path: change.path, because }]
  })
  const rest = changes.filter(({ path }) => !noise.some((one) => one.path === path))
  return { core: riskOf(rest).files.map(({ path, reasons }) => ({ path, reasons })), noise }
}

export const isLock = (path: string): boolean => lockFile.test(baseName(path))

const lockFile =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|flake\.lock)$/

/** Why a file of the change needs no reader's eye; null: it does. */
function noiseIn(change: Change): string | null {
  const { path, status, binary, before, after } = change
  if (isLock(path)) return 'a lock file'
  if (/\.snap$|(?:^|\/)__snapshots__\//.test(path)) return 'a snapshot'
  if (/\.min\.(?:js|css)$|\.map$|(?:^|\/)(?:vendor|third_party|node_modules|dist)\//.test(path))
    return 'built or vendored'
  // Code that holds something unreadable is what a reader must hear of.
  if (binary && !isCode(path)) return 'not text'
  // What its author says of a file is no reason; what it said before is.
  if (before !== null && saysGenerated(before)) return 'generated'
  if (status === 'renamed' && before !== null && before === after) return 'only moved'
  if (onlyFormChanged(change)) return 'only its form has changed'
  return isFixture(path) ? 'test data' : null
}
