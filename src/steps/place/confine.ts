// How commands run that an agent may have had a hand in: the checks, set-up, fixes, what must be up.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Need } from '../../delivery/policy.ts'
import { policyOf } from '../../delivery/state.ts'
import type { Performance } from '../../ports/performer.ts'
import { borrowedObjects } from '../../ports/repository.ts'
import type { Confinement, Elsewhere } from '../../ports/shell.ts'
import type { StepWorld } from '../world.ts'
import { repositoryFor } from './request.ts'

/** A place that a command runs in. */
export interface Site {
  place: string
  /** It is lived in by an agent, and is where it is; else it looks like the user's checkout. */
  lived: boolean
  needs: Need[]
  /** It fetches what it needs, and may fill caches for that. */
  fetches: boolean
  /** Further folders that it may write to. */
  also: Elsewhere[]
}

type Asking = Pick<Performance, 'state' | 'record'>

/** Null: it runs as freely as we do, because the settings or the machine leave nothing else. */
export async function confinementIn(world: StepWorld, asking: Asking, site: Site): Promise<Confinement | null> {
  if (!(await isConfined(world, asking))) return null
  const { egress } = policyOf(asking.state)
  const { place, needs } = site
  const atHome = needs.includes('home')
  const at = await seenFrom(world, asking, site)
  const own: Elsewhere[] = at === place ? [] : [{ from: place, at, write: true }]
  const caches = site.fetches && !atHome ? await world.tools.caches() : []
  return {
    write: [...(at === place ? [place] : []), ...(needs.includes('docker') ? dockerSockets() : [])],
    hide: [world.tools.ours, ...(atHome ? [] : world.secretPlaces)],
    show: [],
    guard: [],
    bare: atHome ? [] : [world.tools.home],
    kept: [...(atHome ? [] : world.tools.places()), ...(at === place ? [await objectsOf(world, asking)] : [])],
    network: egress === 'open' || needs.includes('network') || needs.includes('docker'),
    guise: { elsewhere: [...own, ...caches, ...(await objectsIn(world, asking, { place, at })), ...site.also] },
  }
}

/** What a workspace's .git borrows, read-only. */
export const objectsOf = async (world: StepWorld, { state }: Pick<Asking, 'state'>): Promise<string> =>
  (await repositoryFor(world, state)).objectsFolder

/** Where a command finds the place that it runs in: at the path of the user's own checkout, if that can be. */
export async function seenFrom(world: StepWorld, asking: Asking, { place, lived }: Pick<Site, 'place' | 'lived'>) {
  const path = asking.state.request?.repository.path ?? ''
  if (lived || path === '' || !isFolder(path) || !(await isConfined(world, asking))) return place
  const real = realpathSync(path)
  return isWithin(world.tools.ours, real) || isWithin(real, world.tools.ours) ? place : real
}

export async function isConfined(world: StepWorld, { state, record }: Asking): Promise<boolean> {
  const { sandbox } = policyOf(state)
  if (sandbox !== 'auto') return sandbox === 'bwrap'
  const problem = await world.shell.unconfinable()
  if (problem === null) return true
  const text = `nothing is confined on this machine (${problem}): checks and agents run as you, and can do what you can`
  if (!state.concerns.includes(text)) await record({ type: 'ConcernRaised', story: null, text })
  return false
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
const isWithin = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`)

const dockerSockets = (): string[] =>
  ['/run/docker.sock', '/var/run/docker.sock'].filter((path) => existsSync(path)).map((path) => realpathSync(path))

/** What the .git of the place borrows is seen inside of it, so that nothing in it leads to us. */
async function objectsIn(world: StepWorld, asking: Asking, { place, at }: { place: string; at: string }) {
  const isThere = lstatSync(join(place, borrowedObjects), { throwIfNoEntry: false })?.isDirectory() === true
  if (!isThere || at === place) return []
  return [{ from: await objectsOf(world, asking), at: join(at, borrowedObjects), write: false }]
}
