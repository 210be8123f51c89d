import type { Vantage } from '../../delivery/review/review.ts'
import { addedLines, type Change, isFixture } from '../files/change.ts'
import { isTest } from '../files/test-file.ts'
import { sensingLines } from '../inspection/sensing.ts'
import { isManifest } from '../related/tree.ts'
import { isLock, riskOf } from './risk.ts'

/** A vantage point that a diff calls for, and the files that do. */
export interface Called {
  vantage: Vantage
  files: string[]
}

/** From where this diff must be looked at, whatever the settings say. */
export function vantagesFor(changes: readonly Change[]): Called[] {
  const reasons = new Map(riskOf(changes).files.map(({ path, reasons: all }) => [path, all]))
  const because = (reason: string) => (change: Change) => reasons.get(change.path)!.includes(reason)
  const calls: [Vantage, (change: Change) => boolean][] = [
    ['security', (change) => because('security')(change) || touchesSecurity(change) || runsElsewhere(change)],
    ['integrity', (change) => sensingLines(change).length > 0],
    ['migration', because('a migration')],
    ['api', (change) => because('what others use was changed')(change) || isContract(change)],
    ['ui', because('what people see')],
  ]
  const called = calls.map(([vantage, calling]) => ({ vantage, files: pathsOf(changes.filter(calling)) }))
  const tests = pathsOf(changes.filter(({ path }) => isTest(path)))
  // Where nothing but tests has changed, whether they would notice anything is the only question.
  const onlyTests = tests.length > 0 && tests.length === changes.length
  return [...called, { vantage: 'tests' as const, files: onlyTests ? tests : [] }].filter(
    ({ files }) => files.length > 0,
  )
}

const pathsOf = (changes: readonly Change[]): string[] => changes.map(({ path }) => path)

/** What untrusted text must not reach unseen. */
const dangerous =
  /\b(?:exec|execSync|spawn|spawnSync|eval|child_process|subprocess|os\.system|pickle\.loads|yaml\.load|innerHTML|dangerouslySetInnerHTML|createHash|createCipher\w*|bcrypt|jwt|verifyToken|setCookie|Access-Control-Allow-Origin)\b|\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^\n]*(?:\$\{|["'`]\s*\+|%s)/

const touchesSecurity = (change: Change): boolean =>
  !isTest(change.path) && addedLines(change).some(({ text }) => dangerous.test(text))

/** No check executes these: tools do, where somebody installs, opens, enters or commits. */
const runByTools =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|\.yarn\/.*|setup\.py|binding\.gyp|[\w.-]+\.gypi|build\.rs|\.cargo\/config(?:\.toml)?|pip\.(?:conf|ini)|\.envrc|shell\.nix|flake\.nix|devbox\.json|\.?mise(?:\.\w+)?\.toml|\.(?:vscode|idea|devcontainer|husky|githooks|git-hooks)\/.*|\.gitpod\.yml|\.gitmodules|\.?lefthook\.ya?ml|\.pre-commit-config\.yaml)$/i

const runsElsewhere = (change: Change): boolean =>
  !isFixture(change.path) && (runByTools.test(change.path) || fetchesElsewhere(change))

/** A manifest or a lock that names a host which it did not name before. Where a package asks for money is no such host. */
function fetchesElsewhere({ path, before, after }: Change): boolean {
  if (!isManifest(path) && !isLock(path)) return false
  const hostsIn = (text: string | null): string[] =>
    [...(text ?? '').matchAll(/^(?!.*"url":).*:\/\/([\w.@:-]+)/gm)].map(([, host]) => host!)
  const known = new Set(hostsIn(before))
  return known.size > 0 && hostsIn(after).some((host) => !known.has(host))
}

/** Descriptions of what others call. */
const isContract = ({ path }: Change): boolean =>
  /(?:^|\/)(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json)$|\.(?:proto|graphql|gql|thrift|avsc)$/.test(path)
