import { TerminalError } from '../../ports/errors.ts'
import type { Instance } from '../../ports/holdings.ts'
import { durationText } from '../../std/duration.ts'
import { endAbandonedLedgers } from '../prepare/ledger.ts'
import type { Line } from '../show/line.ts'
import { bold, dim } from '../show/line.ts'
import { table } from '../show/table.ts'
import type { Cli } from '../world.ts'
import { type Choice, type Found, findAll } from './gc/found.ts'
import { freeAll } from './gc/free.ts'
import { dayMs, keepingOf, noteTold } from './gc/keep.ts'

export interface GcOptions {
  yes?: boolean
  dryRun?: boolean
  all?: boolean
  olderThan?: string
  transcripts?: boolean
  sessions?: boolean
  archives?: boolean
}

/** Shows what takes room on this machine; frees what nobody uses when told to. */
export async function gc(cli: Cli, options: GcOptions, now = Date.now()): Promise<number> {
  const keeping = keepingOf(cli, now)
  const choice = { ...choiceOf(options, now), keeping }
  const log = await cli.world.log()
  const free = options.yes === true && options.dryRun !== true
  if (free) await endAbandonedLedgers(cli)
  const up = (await cli.world.abandoned()).map(leftUp)
  if (free) await cli.world.bringDownAbandoned()
  const found = await findAll(cli, log, choice)
  const [kept, waste] = parted(found)
  const [left, freed] = parted(free ? await freeAll(cli, log, waste) : waste)
  show(cli, { waste: [...up, ...freed], kept: [...kept, ...left], free })
  const past = found.filter((one) => one.past !== undefined)
  if (past.length > 0)
    noteTold(
      cli,
      keeping,
      past.map(({ path }) => path),
    )
  return 0
}

/** What a process had up that was killed. */
const leftUp = ({ name, place }: Instance): Found => ({
  ...{ delivery: null, kind: 'services', path: `${name} of ${place}` },
  ...{ bytes: null, at: Date.now(), kept: null },
})

const parted = (found: Found[]): [kept: Found[], waste: Found[]] => [
  found.filter(({ kept }) => kept !== null),
  found.filter(({ kept }) => kept === null),
]

function choiceOf(
  { all, transcripts, sessions, archives, olderThan }: GcOptions,
  now: number,
): Omit<Choice, 'keeping'> {
  const ageMs = olderThan === undefined ? null : ageOf(olderThan)
  const flags = {
    all: all === true,
    transcripts: transcripts === true,
    sessions: sessions === true,
    archives: archives === true,
  }
  return {
    ...flags,
    before: ageMs === null ? Number.POSITIVE_INFINITY : now - ageMs,
    coldSince: now - (ageMs ?? coldMs),
  }
}

/** What is kept to be fast is warm for a week. */
const coldMs = 7 * dayMs

function ageOf(text: string): number {
  const [, number, unit] = /^(\d+)([mhdw])$/.exec(text) ?? []
  if (number === undefined)
    throw new TerminalError(`--older-than ${text} is no age`, 'Give a number and m, h, d or w, such as 7d.')
  const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: dayMs, w: 7 * dayMs }
  return Number(number) * units[unit!]!
}

function show({ screen }: Cli, { waste, kept, free }: { waste: Found[]; kept: Found[]; free: boolean }): void {
  if (screen.json) return screen.emit({ freed: free, waste, kept })
  if (kept.length > 0) screen.print('Stays:', ...table(rows(kept)), '')
  if (waste.length === 0) screen.print('Nothing to free.')
  else screen.print(`${free ? 'Freed' : 'To be freed'}:`, ...table(rows(waste)), freedLine(bytesOf(waste), free))
}

const freedLine = (total: number, freed: boolean): Line =>
  freed
    ? `${sizeText(total)} freed; workspaces were archived first`
    : `${sizeText(total)} would be freed; do it with --yes`

const bytesOf = (found: Found[]): number => found.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)

function rows(found: Found[]) {
  const name = ({ delivery, kind, kept, past }: Found): string =>
    JSON.stringify([delivery ?? 'all deliveries', kind, kept ?? past ?? ''])
  return [...new Set(found.map(name))].map((key) => {
    const same = found.filter((one) => name(one) === key)
    const [delivery = '', kind = '', why = ''] = JSON.parse(key) as string[]
    const age = durationText(Date.now() - Math.max(...same.map(({ at }) => at)))
    const size = ['archives', 'branches', 'services'].includes(kind) ? '' : sizeText(bytesOf(same))
    return [bold(delivery), kind, `${same.length}`, size, dim(`${age} ago`), dim(why)]
  })
}

const sizeText = (bytes: number): string =>
  bytes < 1e6
    ? `${Math.ceil(bytes / 1e3)} kB`
    : bytes < 1e9
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e9).toFixed(2)} GB`
