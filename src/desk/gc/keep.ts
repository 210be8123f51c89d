import { lstatSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../settings/settings.ts'
import { jsonObjectIn } from '../../std/files.ts'
import { hashOf } from '../../std/hash.ts'
import type { Visit } from '../world.ts'

export const dayMs = 24 * 3_600_000

/** How long things stay, and which of those that are past it somebody was told of. */
export interface Keeping {
  days: Settings['keep']
  now: number
  /** Hashes of paths; none when other days were set. */
  told: string[]
}

/** Null: it may go. `past`: why, when its age alone is the reason. */
export interface Stay {
  kept: string | null
  past?: string
}

/** The home is of all repositories of this machine: only its user says how long things stay there. */
export async function keepingOf({ world }: Visit, now: number): Promise<Keeping> {
  // Every look at a delivery asks what is about to leave, and seldom needs them.
  const { userSettings } = await import('../prepare/settings-layers.ts')
  const { settings } = userSettings({ world })
  const { told, days } = jsonObjectIn(toldFile(world))
  const isSame = Array.isArray(told) && JSON.stringify(days) === JSON.stringify(settings.keep)
  return { days: settings.keep, now, told: isSame ? told : [] }
}

/** Puts on record that somebody has seen these, which are past their days. */
export function noteTold({ world }: Visit, { days }: Keeping, paths: string[]): void {
  try {
    writeFileSync(toldFile(world), JSON.stringify({ days, told: paths.map(hashOf) }), { mode: 0o600 })
  } catch {
    // A home that cannot be written to: it counts as not told, so nothing goes.
  }
}

const toldFile = ({ home }: Visit['world']): string => join(home, 'gc-told.json')

/** What is nowhere else goes by its age only after it was told; `otherwise`: why it stays until then. */
export function stayOf(
  { key, at, path }: { key: keyof Keeping['days']; at: number; path: string },
  { now, told, days }: Keeping,
  otherwise: string,
): Stay {
  const most = days[key]
  if (most === null || now - at < most * dayMs) return { kept: otherwise }
  const past = `older than ${most} days (keep.${key})`
  return { kept: told.includes(hashOf(path)) ? null : `${past}: goes with the next gc --yes`, past }
}

export interface Leaving {
  what: string
  count: number
}

/** What of ended deliveries is past the days that it is kept for, or will be soon; usually nothing. */
export async function leavingOf(visit: Visit, now = Date.now()): Promise<Leaving[]> {
  // It is said beside other things: what cannot be read now must not keep anybody from those.
  const [found] = await Promise.allSettled([leaving(visit, now)])
  return found.status === 'fulfilled' ? found.value : []
}

/** Nobody has to look every day. */
const soonDays = 7

async function leaving(visit: Visit, now: number): Promise<Leaving[]> {
  const { world } = visit
  const ended = (await (await world.log()).deliveries(null)).filter(({ result }) => result !== null)
  if (ended.length === 0) return []
  const { days } = await keepingOf(visit, now)
  const isOld = (most: number | null, at: number): boolean =>
    most !== null && now - at >= (most - Math.min(soonDays, most / 2)) * dayMs
  const endedLongAgo = (most: number | null): string[] =>
    ended.flatMap(({ delivery, updatedAt }) => (isOld(most, updatedAt) ? [delivery] : []))
  const transcripts = ended.flatMap(({ delivery }) => {
    const folder = world.folders(delivery).spools
    const names = namesIn(folder).filter(isTranscript)
    return names.filter((name) => isOld(days.transcriptsDays, statSync(join(folder, name)).mtimeMs))
  })
  // With 0, as by default, each `gc --yes` frees what it has archived.
  const left = days.workspacesDays === 0 ? [] : endedLongAgo(days.workspacesDays)
  const workspaces = left.flatMap((delivery) => namesIn(world.folders(delivery).workspaces))
  const archived = endedLongAgo(days.archivesDays)
  const branched = endedLongAgo(days.branchesDays)
  const kept = archived.length + branched.length === 0 ? [] : await world.keptRefs()
  const refs = kept.flatMap(({ delivery, refs }) =>
    refs.map((ref) => ({ delivery, isArchive: ref.split('/')[2] === 'archive' })),
  )
  const all: [string, unknown[]][] = [
    ['transcript', transcripts],
    ['workspace', workspaces],
    ['archived ref', refs.filter(({ delivery, isArchive }) => isArchive && archived.includes(delivery))],
    ['branch ref', refs.filter(({ delivery, isArchive }) => !isArchive && branched.includes(delivery))],
  ]
  return all.flatMap(([what, { length }]) => (length === 0 ? [] : [{ what, count: length }]))
}

/** What an agent said is nowhere else: it goes only when somebody says so, or when its days are over. */
export const isTranscript = (name: string): boolean => name.endsWith('.transcript') || name === 'driver.log'

export function namesIn(folder: string): string[] {
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder ? readdirSync(folder) : []
}
