import type { Instance } from '../../ports/holdings.ts'
import { endAbandonedLedgers } from '../prepare/ledger.ts'
import type { Visit } from '../world.ts'
import { type Choice, type Found, findAll } from './found.ts'
import { freeAll } from './free.ts'
import { dayMs, keepingOf, noteTold } from './keep.ts'

export interface GcAsked extends Pick<Choice, 'all' | 'transcripts' | 'sessions' | 'archives'> {
  /** Frees what nobody uses; else it is only shown. */
  free: boolean
  /** Nothing that was used within this time; null: however fresh. */
  olderThanMs: number | null
}

export interface GcAnswer {
  waste: Found[]
  kept: Found[]
  freed: boolean
}

/** What takes room on this machine, and what of it nobody uses. */
export async function gc(visit: Visit, asked: GcAsked, now = Date.now()): Promise<GcAnswer> {
  const { world } = visit
  const { free, olderThanMs, ...flags } = asked
  const keeping = keepingOf(visit, now)
  const before = olderThanMs === null ? Number.POSITIVE_INFINITY : now - olderThanMs
  const log = await world.log()
  if (free) await endAbandonedLedgers(visit)
  const up = (await world.abandoned()).map(leftUp)
  if (free) await world.bringDownAbandoned()
  const found = await findAll(visit, log, { ...flags, before, coldSince: now - (olderThanMs ?? coldMs), keeping })
  const [kept, waste] = parted(found)
  const [left, freed] = parted(free ? await freeAll(visit, log, waste) : waste)
  const past = found.filter((one) => one.past !== undefined)
  const paths = past.map(({ path }) => path)
  if (past.length > 0) noteTold(visit, keeping, paths)
  return { waste: [...up, ...freed], kept: [...kept, ...left], freed: free }
}

/** What is kept to be fast is warm for a week. */
const coldMs = 7 * dayMs

/** What a process had up that was killed. */
const leftUp = ({ name, place }: Instance): Found => ({
  ...{ delivery: null, kind: 'services', path: `${name} of ${place}` },
  ...{ bytes: null, at: Date.now(), kept: null },
})

const parted = (found: Found[]): [kept: Found[], waste: Found[]] => [
  found.filter(({ kept }) => kept !== null),
  found.filter(({ kept }) => kept === null),
]
