import type { Change } from '../inspection/change.ts'
import { addedLines } from './added-lines.ts'
import { isTest } from './gaps.ts'
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

const signs: { weight: number; reason: string; shows(change: Change): boolean }[] = [
  {
    weight: weights.migration,
    reason: 'a migration',
    shows: ({ path, after }) =>
      /(?:^|\/)(?:migrations?|migrate|alembic)\//.test(path) || /\b(?:ALTER|DROP)\s+TABLE\b/i.test(after ?? ''),
  },
  {
    weight: weights.security,
    reason: 'security',
    shows: ({ path }) =>
      /(?:auth|login|session|token|crypto|password|permission|acl|rbac|oauth|secur|sandbox|csrf|cors)/i.test(path) &&
      !isTest(path),
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
