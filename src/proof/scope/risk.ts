import type { Change } from '../files/change.ts'
import { isTest } from '../files/test-file.ts'
import { addedLines } from './added-lines.ts'
import { touchesPublic } from './public-symbols.ts'

export interface Risk {
  score: number
  /** Highest first. */
  files: { path: string; score: number; reasons: string[] }[]
  /** Of the change as a whole. */
  reasons: string[]
}

const weights = {
  migration: 4,
  security: 3,
  testsRemoved: 3,
  noTests: 2.5,
  publicApi: 2,
  complexity: 1.5,
  ui: 1.5,
  size: 1,
}

/** How much a reader should look at a diff, and where first. Needs no model. */
export function riskOf(changes: readonly Change[]): Risk {
  const files = changes
    .map((change) => ({ path: change.path, ...riskOfFile(change) }))
    .sort((a, b) => b.score - a.score)
  const untested = changes.some(isSource) && !changes.some(({ path }) => isTest(path))
  const reasons = untested ? ['no test was changed'] : []
  const score = files.reduce((sum, file) => sum + file.score, 0) + (untested ? weights.noTests : 0)
  return { score, files, reasons }
}

function riskOfFile(change: Change): { score: number; reasons: string[] } {
  const found = signs.filter(({ shows }) => shows(change))
  return { score: found.reduce((sum, { weight }) => sum + weight, 0), reasons: found.map(({ reason }) => reason) }
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

const signs: { weight: number; reason: string; shows(change: Change): boolean }[] = [
  {
    weight: weights.migration,
    reason: 'a migration',
    shows: (change) =>
      /(?:^|\/)(?:migrations?|migrate|alembic)\//.test(change.path) ||
      (isSource(change) && addedLines(change).some(({ text }) => /\b(?:ALTER|DROP)\s+TABLE\b/i.test(text))),
  },
  {
    weight: weights.security,
    reason: 'security',
    shows: ({ path }) => !isTest(path) && wordsOf(path).some((word) => security.test(word)),
  },
  {
    weight: weights.testsRemoved,
    reason: 'test lines removed',
    shows: (change) => isTest(change.path) && linesOf(change.before) > linesOf(change.after),
  },
  {
    weight: weights.publicApi,
    reason: 'what others use was changed',
    shows: (change) => isSource(change) && touchesPublic(change),
  },
  {
    weight: weights.complexity,
    reason: 'many new branches',
    shows: (change) => isSource(change) && branches(change) >= 10,
  },
  {
    weight: weights.ui,
    reason: 'what people see',
    shows: ({ path }) => /\.(?:css|scss|less|vue|svelte|html|[jt]sx)$/.test(path),
  },
  { weight: weights.size, reason: 'a large change', shows: (change) => addedLines(change).length >= 200 },
]

const linesOf = (text: string | null): number => (text === null || text === '' ? 0 : text.split('\n').length)

const branches = (change: Change): number =>
  addedLines(change).filter(({ text }) =>
    /\b(?:if|elif|else if|for|while|case|catch|except|match)\b|&&|\|\||\?[^.:]*:/.test(text),
  ).length
