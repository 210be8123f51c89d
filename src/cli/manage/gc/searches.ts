import { existsSync, rmSync } from 'node:fs'
import { searchState } from '../../../ports/proofs/search-id.ts'
import type { Cli } from '../../world.ts'

export const isSearch = (name: string): boolean => searchState(name) !== 'none'

/** What searches for a regression have on disk, by their names. */
export function searchFolders({ world }: Pick<Cli, 'world'>): { path: string; name: string; gone: boolean }[] {
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
export async function freeGoneSearches(cli: Cli): Promise<void> {
  const gone = searchFolders(cli).filter((one) => one.gone)
  for (const name of new Set(gone.map((one) => one.name))) await freeSearch(cli, name)
}

export async function freeSearch(cli: Cli, name: string): Promise<void> {
  await cli.world.sweep(name)
  const clone = await cloneOf(cli)
  const folders = cli.world.folders(name)
  await clone?.removePlaces(folders.places)
  for (const path of Object.values(folders)) rmSync(path, { recursive: true, force: true })
}

/** What git noted of its places is with the clone of this repository, where the search was most likely made. */
async function cloneOf({ world, cwd }: Cli) {
  const repositories = await world.repositories(world.home)
  return await repositories
    .find(cwd)
    .then((known) => repositories.open(known))
    .catch(() => null)
}
