import type { Vantage } from '../../delivery/review/review.ts'
import { addedLines, baseName, type Change, isFixture } from '../files/change.ts'
import { onlyFormChanged } from '../files/form.ts'
import { isTest } from '../files/test-file.ts'
import { saysGenerated } from '../inspection/scope.ts'
import { sensingLines } from '../inspection/sensing.ts'
import { isCode, isManifest } from '../related/tree.ts'

export interface Risk {
  score: number
  /** Highest first. */
  files: { path: string; score: number; reasons: string[] }[]
  /** Of the change as a whole. */
  reasons: string[]
}

/** How much a reader should look at a diff, and where first. Needs no model. */
export function riskOf(changes: readonly Change[]): Risk {
  const files = changes
    .map((change) => {
      const found = signs.filter(({ shows }) => shows(change))
      const score = found.reduce((sum, { weight }) => sum + weight, 0)
      return { path: change.path, score, reasons: found.map(({ reason }) => reason) }
    })
    .sort((a, b) => b.score - a.score)
  const untested = changes.some(isSource) && !changes.some(({ path }) => isTest(path))
  const score = files.reduce((sum, file) => sum + file.score, 0) + (untested ? 2.5 : 0)
  return { score, files, reasons: untested ? ['no test was changed'] : [] }
}

const source = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kts?|cs|php|swift|scala|c|cc|cpp|h|ex|exs|sql|sh)$/
const isSource = ({ path }: Change): boolean => source.test(path) && !isTest(path)

const security =
  /^(?:auth|authn|authz|authenticat\w*|authoriz\w*|o?auth2?|logins?|sessions?|tokens?|crypto\w*|passwords?|passwd|permissions?|acls?|rbac|secur\w*|secrets?|sandbox\w*|csrf|cors|jwt|saml|sso)$/

/** Of a path: `OAuthToken` has two. */
const wordsOf = (path: string): string[] =>
  path
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

const adds = (change: Change, pattern: RegExp): number =>
  addedLines(change).filter(({ text }) => pattern.test(text)).length

const branch = /\b(?:if|elif|else if|for|while|case|catch|except|match)\b|&&|\|\||\?[^.:]*:/

const signs: { weight: number; reason: string; shows(change: Change): boolean }[] = [
  {
    weight: 4,
    reason: 'a migration',
    shows: (change) =>
      /(?:^|\/)(?:migrations?|migrate|alembic)\//.test(change.path) ||
      (isSource(change) && adds(change, /\b(?:ALTER|DROP)\s+TABLE\b/i) > 0),
  },
  {
    weight: 3,
    reason: 'security',
    shows: ({ path }) => !isTest(path) && wordsOf(path).some((word) => security.test(word)),
  },
  {
    weight: 3,
    reason: 'test lines removed',
    shows: ({ path, before, after }) => isTest(path) && linesIn(before) > linesIn(after),
  },
  { weight: 2, reason: 'what others use was changed', shows: (change) => isSource(change) && losesPublic(change) },
  { weight: 1.5, reason: 'many new branches', shows: (change) => isSource(change) && adds(change, branch) >= 10 },
  {
    weight: 1.5,
    reason: 'what people see',
    shows: ({ path }) => /\.(?:css|scss|less|vue|svelte|html|[jt]sx)$/.test(path),
  },
  { weight: 1, reason: 'a large change', shows: (change) => addedLines(change).length >= 200 },
]

const linesIn = (text: string | null): number => (text === null || text === '' ? 0 : text.split('\n').length)

/** How a line begins that declares what others can use, by the customs of its language. */
const publicSymbols: [files: RegExp, line: RegExp][] = [
  [
    /\.[cm]?[jt]sx?$/,
    /^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|class|const|let|enum)\s+\w|^(?:module\.)?exports\.\w+\s*=/,
  ],
  [/\.py$/, /^(?:async\s+)?(?:def|class)\s+[A-Za-z]/],
  [/\.go$/, /^func\s+(?:\([^)]*\)\s*)?[A-Z]/],
  [/\.rs$/, /^\s*pub\s+(?:async\s+)?(?:const\s+)?(?:unsafe\s+)?(?:fn|struct|enum|trait)\s+\w/],
]

/** A public symbol that was there before is not there as it was. */
function losesPublic({ path, before, after }: Change): boolean {
  const left = new Set(after?.split('\n'))
  const lost = before?.split('\n').filter((line) => !left.has(line)) ?? []
  return publicSymbols.some(([files, symbol]) => files.test(path) && lost.some((line) => symbol.test(line)))
}

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
