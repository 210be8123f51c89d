import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../settings/settings.ts'
import { hashOf } from '../../std/hash.ts'
import { jsonObjectIn } from '../../std/json-file.ts'
import { userSettings } from '../prepare/settings-layers.ts'
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
export function keepingOf({ world }: Visit, now: number): Keeping {
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
  { key, most, at, path }: { key: string; most: number | null; at: number; path: string },
  { now, told }: Keeping,
  otherwise: string,
): Stay {
  if (most === null || now - at < most * dayMs) return { kept: otherwise }
  const past = `older than ${most} days (keep.${key})`
  return { kept: told.includes(hashOf(path)) ? null : `${past}: goes with the next gc --yes`, past }
}
