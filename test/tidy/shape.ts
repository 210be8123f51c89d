// Rules that keep the house one that people can hold in their heads.
import { dirname } from 'node:path/posix'
import { isTest, type Module } from './module.ts'
import { roomOf } from './rooms.ts'

const smallestFile = 25
const smallestFolder = 3
const deepest = 3
/** Each adapter is one, too. */
const room = /^src(?:\/(?:adapters\/)?[^/]+)?$/

const shippedOf = (modules: Module[]): Module[] => modules.filter(({ path }) => !isTest(path))

/** How many lines each room may have, from the table in ARCHITECTURE.md. */
export function readBudgets(architecture: string): Map<string, number> {
  const table = /\| room \| lines at most \|\n\|[-|: ]+\n((?:\|.*\n?)+)/.exec(architecture)?.[1]
  if (table === undefined) throw new Error('ARCHITECTURE.md has no table of line budgets')
  const rows = [...table.matchAll(/^\| (\S+) \| ([\d,]+) \|$/gm)]
  return new Map(rows.map(([, room, most]) => [room!, Number(most!.replaceAll(',', ''))]))
}

export function overBudget(modules: Module[], budgets: Map<string, number>): string[] {
  const used = new Map([...budgets.keys()].map((room) => [room, 0]))
  const add = (room: string, lines: number): unknown => used.set(room, (used.get(room) ?? 0) + lines)
  for (const { path, text } of shippedOf(modules)) {
    const lines = text.split('\n').length - 1
    add(roomOf(path), lines)
    add('all', lines)
  }
  return [...used].flatMap(([room, lines]) => {
    const most = budgets.get(room)
    if (most === undefined) return [`${room} has no line budget in ARCHITECTURE.md`]
    return lines > most ? [`${room} has ${lines} lines, and ARCHITECTURE.md allows ${most}`] : []
  })
}

const exported = /^export (?:async |abstract |declare )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm

/** Each name that more than one module exports, with these modules. */
export function sharedNames(modules: Module[]): { name: string; paths: string[] }[] {
  const owners = new Map<string, Set<string>>()
  for (const { path, code } of shippedOf(modules))
    for (const [, name] of code.matchAll(exported)) owners.set(name!, (owners.get(name!) ?? new Set()).add(path))
  return [...owners].flatMap(([name, paths]) => (paths.size > 1 ? [{ name, paths: [...paths] }] : []))
}

/** Files so short that the one module which imports them should hold what is in them. */
export function smallFiles(modules: Module[]): { path: string; importer: string }[] {
  const shipped = shippedOf(modules)
  return shipped.flatMap(({ path, text }) => {
    if (text.split('\n').length - 1 >= smallestFile) return []
    const importers = shipped.filter(({ imports }) => imports.includes(path))
    return importers.length === 1 ? [{ path, importer: importers[0]!.path }] : []
  })
}

/** The folders that ARCHITECTURE.md names, each with the reason why it has fewer than three files. */
export function readSmallFolders(architecture: string): string[] {
  const table = /\| small folder \| why \|\n\|[-|: ]+\n((?:\|.*\n?)+)/.exec(architecture)?.[1] ?? ''
  return [...table.matchAll(/^\| `([^`]+)` \| [^|\s]/gm)].map(([, folder]) => folder!)
}

export function thinFolders(paths: string[], named: string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths.filter((one) => !isTest(one)))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  const thin = [...counts].filter(([folder, count]) => count < smallestFolder && !room.test(folder))
  const unneeded = named.filter((folder) => !thin.some(([one]) => one === folder))
  return [
    ...thin.flatMap(([folder, count]) => (named.includes(folder) ? [] : [`${folder} has ${count} files`])),
    ...unneeded.map((folder) => `${folder} is named in ARCHITECTURE.md as small, and is not`),
  ]
}

export function deepFolders(paths: string[]): string[] {
  const folders = [...new Set(paths.map((path) => dirname(path)))]
  return folders.filter((folder) => folder.split('/').length - 2 > deepest)
}
