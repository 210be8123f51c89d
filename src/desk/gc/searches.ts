import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Repository } from '../../ports/repository/repository.ts'
import { bornAt, isGone } from '../../std/running.ts'
import type { Visit } from '../world.ts'

export const isSearch = (name: string): boolean => searchState(name) !== 'none'

/** What searches for a regression have on disk, by their names. */
export function searchFolders({ world }: Pick<Visit, 'world'>): { path: string; name: string; gone: boolean }[] {
  return world
    .housed()
    .filter(isSearch)
    .flatMap((name) =>
      Object.values(world.folders(name))
        .filter((path) => existsSync(path))
        .map((path) => ({ path, name, gone: searchState(name) === 'gone' })),
    )
}

/** Ends what a search that was killed has left running, and removes what it has left on disk. */
export async function freeGoneSearches(visit: Visit): Promise<void> {
  const gone = searchFolders(visit).filter((one) => one.gone)
  for (const name of new Set(gone.map((one) => one.name))) await freeSearch(visit, name)
}

export async function freeSearch(visit: Visit, name: string): Promise<void> {
  await visit.world.sweep(name)
  const folders = visit.world.folders(name)
  const clone = await cloneOf(visit, join(folders.results, 'repository'))
  await clone?.removePlaces(folders.places)
  for (const path of Object.values(folders)) rmSync(path, { recursive: true, force: true })
}

/** Whose places they were: what git noted of them is there. Null: it was killed before it said so, or is gone. */
async function cloneOf({ world }: Visit, file: string): Promise<Repository | null> {
  if (!existsSync(file)) return null
  const repositories = await world.repositories(world.home)
  const opening = async () => repositories.open(JSON.parse(readFileSync(file, 'utf8')) as { id: string; path: string })
  return await opening().catch(() => null)
}

// What is on disk for a search is named after the process that makes it, so that it is known when that one is gone.

export const ownSearchId = (): string => `regress.${process.pid}.${bornAt(process.pid) ?? 'x'}`

/** Of a folder's name: whether it was a search's, and whether that goes on. */
export function searchState(name: string): 'none' | 'running' | 'gone' {
  const [, pid, born] = /^regress\.(\d+)\.(\d+|x)$/.exec(name) ?? []
  if (pid === undefined || born === undefined) return 'none'
  return isGone(Number(pid), born === 'x' ? null : born) ? 'gone' : 'running'
}
