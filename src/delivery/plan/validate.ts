import { covers } from '../../std/glob.ts'
import { identifierProblem } from '../../std/identifier.ts'
import { type Complexity, complexities, type Plan, type Story } from './plan.ts'

/** What is wrong with a plan, by name; empty when nothing is. */
export function planProblems(plan: Plan, storiesPerPlan: number): string[] {
  if (plan.stories.length === 0) return ['the plan has no stories']
  if (plan.stories.length > storiesPerPlan) {
    return [
      `the plan has ${plan.stories.length} stories; at most ${storiesPerPlan} are allowed (limits.storiesPerPlan)`,
    ]
  }
  const problems = [...idProblems(plan), ...dependencyProblems(plan), ...pathProblems(plan), ...strategyProblems(plan)]
  return problems.length > 0 ? problems : cycleProblems(plan)
}

function idProblems(plan: Plan): string[] {
  const seen = new Map<string, string>()
  return plan.stories.flatMap(({ id }) => {
    const problem = identifierProblem(id)
    if (problem !== null) return [`story id ${JSON.stringify(id)} ${problem}`]
    const twin = seen.get(id.toLowerCase())
    seen.set(id.toLowerCase(), id)
    if (twin === undefined) return []
    return [twin === id ? `two stories have the id ${id}` : `story ids ${twin} and ${id} differ only in case`]
  })
}

function dependencyProblems(plan: Plan): string[] {
  const known = new Set(plan.stories.map((story) => story.id))
  return plan.stories.flatMap((story) =>
    story.dependsOn.flatMap((id) => {
      if (id === story.id) return [`${story.id} depends on itself`]
      return known.has(id) ? [] : [`${story.id} depends on ${id}, which is not in the plan`]
    }),
  )
}

function pathProblems(plan: Plan): string[] {
  return plan.stories.flatMap((story) =>
    pathsOf(story)
      .filter(isOutside)
      .map((path) => `${story.id} names ${JSON.stringify(path)}, which is not a path inside the repository`),
  )
}

const pathsOf = ({ files, mayChange, contextFiles, proofs }: Story): string[] => [
  ...[...files, ...mayChange, ...contextFiles],
  ...proofs.flatMap((proof) => ('path' in proof ? [proof.path] : 'report' in proof ? [proof.report] : [])),
]

/** Also what git keeps for itself, and what a shell or another system would take for a place elsewhere. */
function isOutside(path: string): boolean {
  const parts = path.split(/[/\\]/)
  const isOurs = parts.every((part) => part !== '..' && part.toLowerCase() !== '.git')
  return (
    !isOurs || parts[0] === '' || parts[0] === '~' || /^[a-z]:/i.test(path) || path.trim() === '' || hasControl(path)
  )
}

const hasControl = (path: string): boolean => [...path].some((char) => char < ' ')

/** A planner does not hand out what keeps agents in their place: a human may, with a plan of their own. */
export const settingsProblems = ({ stories }: Plan): string[] =>
  stories.flatMap((story) =>
    [...story.files, ...story.mayChange]
      .filter((path) => own.test(path))
      .map((path) => `${story.id} names ${path}: what Ropewalk goes by is changed by people only`),
  )

/** A pattern hands them out as well; what is only expected to change hands out nothing. */
export const patternProblems = ({ stories }: Plan): string[] =>
  stories.flatMap(({ id, mayChange }) =>
    mayChange.flatMap((pattern) => {
      const covered = own.test(pattern) ? undefined : ours.find((path) => covers(pattern.toLowerCase(), path))
      const because = 'what Ropewalk goes by is changed by people only, so name the files one by one'
      return covered === undefined ? [] : [`${id} may change ${pattern}, and with it ${covered}: ${because}`]
    }),
  )

const own = /^(\.\/)*(ropewalk\.ya?ml|\.ropewalk(\/.*)?)$/i
const ours = ['ropewalk.yaml', 'ropewalk.yml', '.ropewalk/prompts/coder.md', '.ropewalk/x']

const strategyProblems = ({ stories }: Plan): string[] =>
  stories.flatMap(({ id, strategy, noTestsBecause }) =>
    strategy === 'none' && noTestsBecause.trim() === ''
      ? [`${id} is to have no tests (strategy: none) and does not say why (noTestsBecause)`]
      : [],
  )

/** Names one cycle, in order. */
function cycleProblems(plan: Plan): string[] {
  const stories = new Map(plan.stories.map((story) => [story.id, story]))
  const done = new Set<string>()
  for (const start of plan.stories) {
    const cycle = findCycle(stories, start, done)
    if (cycle !== null) return [`the stories depend on each other in a circle: ${cycle.join(' → ')}`]
  }
  return []
}

/** Depth first without recursion: a chain may be as long as the plan. */
function findCycle(stories: Map<string, Story>, start: Story, done: Set<string>): string[] | null {
  const path: { id: string; rest: string[] }[] = [{ id: start.id, rest: [...start.dependsOn] }]
  while (path.length > 0) {
    const top = path.at(-1)!
    const id = top.rest.pop()
    if (id === undefined) {
      done.add(top.id)
      path.pop()
      continue
    }
    const loop = path.findIndex((entry) => entry.id === id)
    if (loop >= 0) return [...path.slice(loop).map((entry) => entry.id), id]
    if (!done.has(id)) path.push({ id, rest: [...(stories.get(id)?.dependsOn ?? [])] })
  }
  return null
}

/** Criteria of the requirement that no story fulfils, and what the plan says of stories that it does not have. */
export function coverProblems({ stories, outline }: Plan, criteria: string[]): string[] {
  const known = new Set(stories.map(({ id }) => id))
  const covers = outline?.covers ?? []
  const covered = new Set(covers.filter((one) => one.stories.length > 0).map(({ criterion }) => plainWords(criterion)))
  return [
    ...covers.flatMap(({ criterion, stories: ids }) =>
      ids
        .filter((id) => !known.has(id))
        .map((id) => `"${criterion}" is to be fulfilled by ${id}, which is not in the plan`),
    ),
    ...criteria
      .filter((criterion) => !covered.has(plainWords(criterion)))
      .map((criterion) => `no story is said to fulfil this criterion of the requirement (covers): ${criterion}`),
  ]
}

/** Two ways to write the same words. */
export const plainWords = (text: string): string => text.trim().replace(/\s+/g, ' ').replace(/\.$/, '').toLowerCase()

export interface Scored {
  complexity: Complexity
  reasons: string[]
}

/** How complex a story looks to somebody who can only count. A cross-check of what its author says, nothing more. */
export function scoreOf({ files, criteria, dependsOn, mayChange, risks, contextFiles }: Story): Scored {
  const parts: [points: number, reason: string][] = [
    [Math.max(0, files.length - 1) / 2, `${files.length} files`],
    [Math.max(0, foldersOf(files) - 1), `${foldersOf(files)} folders`],
    [Math.max(0, criteria.length - 2) / 2, `${criteria.length} criteria`],
    [Math.max(0, dependsOn.length - 1) / 2, `${dependsOn.length} dependencies`],
    [risks.length / 2, `${risks.length} risks`],
    [mayChange.length, `${mayChange.length} protected paths`],
    [contextFiles.length / 4, `${contextFiles.length} files to read`],
  ]
  const points = parts.reduce((sum, [part]) => sum + part, 1)
  const reasons = parts.filter(([part]) => part >= 0.5).map(([, reason]) => reason)
  return { complexity: complexities.findLast((one) => one <= points) ?? 1, reasons }
}

const foldersOf = (files: string[]): number => new Set(files.map((file) => file.split('/').slice(0, -1).join('/'))).size

/** Stories that look much larger than they are said to be: by two steps of the scale or more. */
export const doubtsOf = ({ stories }: Plan): string[] =>
  stories.flatMap((story) => {
    const { complexity, reasons } = scoreOf(story)
    const steps = complexities.indexOf(complexity) - complexities.indexOf(story.complexity)
    if (steps < 2) return []
    return [`${story.id} is planned as ${story.complexity} and looks like ${complexity}: ${reasons.join(', ')}`]
  })

/**
 * What a declared path takes hold of: a file, or a folder with all that is in it. Of a pattern it is the folder before
 * its first wildcard; one that begins with a wildcard is only a name.
 */
export function claimOf(path: string): string {
  const plain = path.replace(/^(?:\.\/)+/, '').replace(/\/+/g, '/')
  const folder = /^([^*?]+)\/[^/]*[*?]/.exec(plain)?.[1]
  return (folder ?? plain).replace(/\/$/, '')
}

/** All folders around it, the root left out. */
export function foldersAround(claim: string): string[] {
  const parts = claim.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
