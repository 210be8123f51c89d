// Every moment at which the binary can be made to die, read from its source, and how often the walk comes by.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorded } from '../../../src/ports/event-log.ts'

export interface Point {
  name: string
  /** The most often that the walk can come by. */
  most: number
}

/** Engine points around each step, points inside the steps, and points around each call of the repository. */
export function pointsOf(events: Recorded[]): Point[] {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const { event } of events) count(event.type === 'StepStarted' ? event.step.verb : event.type)
  const often = (name: string) => counts.get(name) ?? 0
  return [
    ...verbs().map((verb) => ({ name: `started:${verb}`, most: often(verb) })),
    ...outcomes().flatMap((type) =>
      ['before', 'after'].map((when) => ({ name: `${when}:${type}`, most: often(type) })),
    ),
    ...stepPoints().map((name) => ({ name, most: often(verbOf[name.split(':')[0]!] ?? '') })),
    ...methods().flatMap((name) =>
      ['before', 'after'].map((when) => ({ name: `repository.${name}:${when}`, most: 2 })),
    ),
  ]
}

const verbOf: Record<string, string> = {
  harvest: 'HarvestContext',
  read: 'ReadRequirement',
  assumptions: 'CheckAssumptions',
  examples: 'TryExamples',
  audit: 'AuditPlan',
  plan: 'DraftPlan',
  code: 'CodeStory',
  tidy: 'TidyStory',
  judge: 'Judge',
  review: 'Review',
  compose: 'ComposeLine',
  advance: 'AdvanceLine',
  land: 'Land',
}

const verbs = (): string[] => found(read('src/delivery/step.ts'), /^ {2}verb: '(\w+)'/gm)

const outcomes = (): string[] =>
  found(between(read('src/delivery/events.ts'), 'export type Outcome', 'export type Cod'), /type: '(\w+)'/g)

/** A point with a variable part is one for each verb that asks an agent. */
function stepPoints(): string[] {
  const files = readdirSync('src/steps', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const names = files.flatMap((name) => found(read(join('src/steps', name)), /crashPoint\([`']([^`']+)[`']\)/g))
  return names.flatMap((name) =>
    name.startsWith('$')
      ? ['code', 'plan', 'review', 'read', 'assumptions', 'audit'].map((who) => name.replace(/^\$\{.*\}/, who))
      : [name],
  )
}

/** Of all the ports that are one repository, and not of those who open it. */
const methods = (): string[] =>
  readdirSync('src/ports/repository').flatMap((name) => {
    const [ports = ''] = read(join('src/ports/repository', name)).split('export interface Repositories')
    return found(ports, /^ {2}(\w+)\(/gm)
  })

function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from)
  return text.slice(start, text.indexOf(to, start))
}

const read = (path: string): string => readFileSync(path, 'utf8')
const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => name!)),
]
