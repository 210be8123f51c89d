import { isTest, type Module } from './module.ts'

/** For each room, the rooms that it may import besides itself and std; null: all. */
export type Rooms = Map<string, Set<string> | null>

const pureRooms = ['delivery', 'views', 'proof', 'std']

/** Libraries that only compute: no room is less pure for them. */
const pureLibraries: Record<string, string[]> = {
  std: ['fast-string-truncated-width'],
  proof: ['diff', 'htmlparser2', 'zod'],
}

/** From the table in ARCHITECTURE.md. */
export function readRooms(architecture: string): Rooms {
  const table = /\| room \| may import[^\n]*\n\|[-|]+\n((?:\|.*\n?)+)/.exec(architecture)?.[1]
  if (table === undefined) throw new Error('ARCHITECTURE.md has no room table')
  const rooms: Rooms = new Map([['std', new Set()]])
  for (const line of table.trim().split('\n')) {
    const [names = '', allowed = ''] = line.split('|').slice(1, 3)
    for (const name of listed(names)) rooms.set(name.replace('/*', ''), allowedRooms(allowed))
  }
  return rooms
}

function allowedRooms(cell: string): Set<string> | null {
  const words = listed(cell.split(';')[0]!)
  if (words.includes('all')) return null
  return new Set(words.filter((word) => word !== 'nothing'))
}

const listed = (cell: string): string[] => cell.split(',').map((word) => word.trim())

export const roomOf = (path: string): string => {
  const [, first = '', second] = path.split('/')
  return second === undefined ? first.replace(/\.ts$/, '') : first
}

const adapterOf = (path: string): string => path.split('/')[2] ?? ''

export function wrongImports(modules: Module[], rooms: Rooms): string[] {
  const known = new Set(modules.map((module) => module.path))
  return modules.flatMap((module) => [
    ...(rooms.has(roomOf(module.path)) ? [] : [`${module.path} is in no room of ARCHITECTURE.md`]),
    ...module.imports.flatMap((target) => {
      const problem = target.startsWith('src/')
        ? insideProblem(module.path, target, rooms)
        : outsideProblem(module.path, target)
      if (problem !== null) return [`${module.path} imports ${target}: ${problem}`]
      return target.startsWith('src/') && target.endsWith('.ts') && !known.has(target)
        ? [`${module.path} imports ${target}, which is not there`]
        : []
    }),
  ])
}

function insideProblem(path: string, target: string, rooms: Rooms): string | null {
  const [from, to] = [roomOf(path), roomOf(target)]
  if (!/\.(?:ts|json|md)$/.test(target)) return 'name the owning file with its ending'
  if (from === 'adapters' && to === 'adapters')
    return adapterOf(path) === adapterOf(target) ? null : 'adapters never import each other'
  if (from === to || to === 'std') return null
  const allowed = rooms.get(from)
  return allowed === null || allowed?.has(to) ? null : `${from} may not import ${to}`
}

function outsideProblem(path: string, target: string): string | null {
  if (isTest(path)) return null
  if (!target.startsWith('node:') && /^(?:\.|\/|test\/|bench\/|scripts\/|examples\/)/.test(target))
    return 'it is outside src'
  const room = roomOf(path)
  if (!pureRooms.includes(room) || pureLibraries[room]?.includes(target)) return null
  return room === 'std' && target.startsWith('node:') ? null : `${room} is pure`
}

/** One cycle for each module that is in one and was not shown yet. Type imports count. */
export function importCycles(modules: Module[]): string[] {
  const graph = new Map(modules.map((module) => [module.path, module.imports]))
  const shown = new Set<string>()
  return modules.flatMap(({ path }) => {
    if (shown.has(path)) return []
    const cycle = wayBack(graph, path)
    if (cycle === null) return []
    for (const one of cycle) shown.add(one)
    return [[...cycle, path].join(' -> ')]
  })
}

/** The shortest way from a module back to itself. */
function wayBack(graph: Map<string, string[]>, start: string): string[] | null {
  const ways: string[][] = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of graph.get(way.at(-1)!) ?? []) {
      if (next === start) return way
      if (seen.has(next) || !graph.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return null
}

/** A file that has nothing of its own to export. */
export function barrels(modules: Module[]): string[] {
  return modules.filter(isBarrel).map((module) => `${module.path} only re-exports`)
}

function isBarrel({ code }: Module): boolean {
  const statement =
    /^(?:export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})(?:\s*from\s*(['"])\s*\1)?|import\b[^'"]*(['"])\s*\2)[ \t]*;?/gm
  const rest = code.replace(statement, '').trim()
  return rest === '' && /\bexport\b/.test(code)
}
