import {
  type Complexity,
  complexities,
  type Plan,
  type Story,
  strategies,
  testKinds,
} from '../../delivery/plan/plan.ts'

export type ReadPlan = { ok: true; plan: Plan } | { ok: false; problems: string[] }

/** The shape a planner must return, with the defaults of a plan file. Whether its graph makes sense is for the law. */
export function readPlan(value: unknown): ReadPlan {
  const stories = Array.isArray(value) ? value : record(value).stories
  if (!Array.isArray(stories)) return { ok: false, problems: ['the answer has no list "stories"'] }
  const problems: string[] = []
  const plan = { stories: stories.map((story, index) => readStory(story, index, problems)) }
  return problems.length === 0 ? { ok: true, plan } : { ok: false, problems }
}

function readStory(value: unknown, index: number, problems: string[]): Story {
  const given = record(value)
  const id = text(given.id)
  const name = id === '' ? `story ${index + 1}` : id
  if (id === '') problems.push(`${name} has no id`)
  const list = (key: string): string[] => {
    const items = given[key] ?? []
    const strings = typeof items === 'string' ? [items] : items
    if (Array.isArray(strings) && strings.every((item) => typeof item === 'string')) return strings
    problems.push(`${name}: ${key} must be a list of texts`)
    return []
  }
  const complexity = Number(given.complexity ?? 3) as Complexity
  if (!complexities.includes(complexity)) problems.push(`${name}: complexity must be one of ${complexities.join(', ')}`)
  const strategy = strategies.find((one) => one === given.strategy) ?? null
  if (strategy === null && given.strategy != null)
    problems.push(`${name}: strategy must be one of ${strategies.join(', ')}, or left out`)
  return {
    id,
    title: text(given.title) || id,
    description: text(given.description),
    criteria: list('criteria'),
    dependsOn: list('dependsOn'),
    complexity,
    files: list('files'),
    mayChange: list('mayChange'),
    mayBeEmpty: given.mayBeEmpty === true,
    strategy,
    noTestsBecause: text(given.noTestsBecause),
    tests: testKinds.find((kind) => kind === given.tests) ?? 'witnessed',
    proofs: [],
  }
}

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}

const text = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
