import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Visit } from '../world.ts'
import { isTranscript } from './found.ts'
import { dayMs, keepingOf } from './keep.ts'

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
  const { days } = keepingOf(visit, now)
  const isOld = (most: number | null, at: number): boolean =>
    most !== null && now - at >= (most - Math.min(soonDays, most / 2)) * dayMs
  const ended = (await (await world.log()).deliveries(null)).filter(({ result }) => result !== null)
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

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])
