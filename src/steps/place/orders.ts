import { readlink, rm } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import { foldersAround } from '../../delivery/plan/claims.ts'
import type { Commits } from '../../ports/repository/commits.ts'
import { tellsAgents } from '../../proof/inspection/protected.ts'
import { overwrite } from '../check/run-check.ts'

/**
 * In the copy of whoever judges a change, files that agents take orders from are as they were before it: their products
 * read them unasked, and no author tells its judges what to say. Returns which files that are, and what was in their way.
 */
export async function ordersAsBefore(
  repository: Commits,
  { place, base, commit }: { place: string; base: CommitId; commit: CommitId },
): Promise<string[]> {
  if (base === commit) return []
  const [before, after] = await Promise.all([repository.listFiles(base), repository.listFiles(commit)])
  if (![...before, ...after].some(tellsAgents)) return []
  const changes = await repository.diff(base, commit)
  const paths = new Set(changes.flatMap(({ path, oldPath }) => [path, ...(oldPath === null ? [] : [oldPath])]))
  const linked = await linkedFrom(
    place,
    after.filter((path) => tellsAgents(path) && !paths.has(path)),
  )
  const touched = [...paths].filter(
    (path) => tellsAgents(path) || linked.some((one) => path === one || path.startsWith(`${one}/`)),
  )
  // What the change has taken away is not there to remove: where it put a link for a folder, another's file would be.
  const there = touched.filter((path) => after.includes(path))
  for (const path of there) await rm(join(place, path), { recursive: true, force: true })
  for (const [path, text] of await repository.readFiles(base, touched)) await overwrite(place, { path, text })
  return touched.flatMap((path) => [path, ...foldersAround(path)])
}

/** Where such files lead to that are links, as they were before; not on through what the change may have put there. */
async function linkedFrom(place: string, paths: string[]): Promise<string[]> {
  const targets = paths.map(async (path) => {
    const target = await readlink(join(place, path)).catch(() => null)
    const real = target === null || isAbsolute(target) ? '.' : normalize(join(dirname(path), target))
    return real === '.' || real.startsWith('..') ? [] : [real.replace(/\/$/, '')]
  })
  return (await Promise.all(targets)).flat()
}
