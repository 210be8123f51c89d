import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { load } from '../../engine/load.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { hashOf } from '../../std/hash.ts'
import { identifierProblem } from '../../std/identifier.ts'
import type { Line } from '../show/line.ts'
import { bold, dim } from '../show/line.ts'
import { table } from '../show/table.ts'
import type { Cli } from '../world.ts'

export interface GcOptions {
  yes?: boolean
  transcripts?: boolean
}

interface Waste {
  delivery: string
  kind: string
  path: string
  bytes: number
}

/** Shows what ended deliveries still take on this machine; frees it when told to. */
export async function gc(cli: Cli, options: GcOptions): Promise<number> {
  const log = await cli.world.log()
  const ended = (await log.deliveries(null)).filter((row) => row.result !== null).map((row) => row.delivery)
  const waste: Waste[] = []
  for (const delivery of cli.world.housed()) {
    const driven = (await log.leaseOf(delivery)) !== null
    if (ended.includes(delivery) && !driven) waste.push(...wasteOf(cli, delivery, options.transcripts === true))
  }
  show(cli, options.yes === true ? await freeAll(cli, log, waste) : waste, options)
  return 0
}

/** Each delivery is held as its driver would hold it, so that nobody begins to work in what is being removed. */
async function freeAll(cli: Cli, log: EventLog, waste: Waste[]): Promise<Waste[]> {
  const freed: Waste[] = []
  for (const delivery of new Set(waste.map((one) => one.delivery))) {
    const holder = { worker: `gc-${process.pid}`, host: hostname(), pid: process.pid }
    const lease = await log.takeLease({ delivery, ...holder, at: Date.now(), ttlMs: longestMs })
    if (lease === null) continue
    const own = waste.filter((one) => one.delivery === delivery)
    try {
      for (const one of own) await free(cli, log, one)
    } finally {
      await log.releaseLease(lease)
    }
    freed.push(...own)
  }
  return freed
}

const longestMs = 3_600_000

function wasteOf(cli: Cli, delivery: string, transcripts: boolean): Waste[] {
  return Object.entries(cli.world.folders(delivery)).flatMap(([kind, folder]) =>
    !existsSync(folder)
      ? []
      : readdirSync(folder)
          .filter((name) => transcripts || !isTranscript(name))
          .map((name) => ({ delivery, kind, path: join(folder, name), bytes: sizeOf(join(folder, name)) })),
  )
}

/** What an agent said is nowhere else: it goes only when somebody says so. */
const isTranscript = (name: string): boolean => name.endsWith('.transcript') || name === 'driver.log'

function sizeOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** A workspace is archived before it goes, so that nothing anybody wrote is lost. */
async function free(cli: Cli, log: EventLog, { delivery, kind, path }: Waste): Promise<void> {
  if (kind !== 'workspaces') return rmSync(path, { recursive: true, force: true })
  const { request } = await load(log, delivery)
  if (request === null) return
  const repository = await (await cli.world.repositories(cli.world.home)).open(request.repository)
  await repository.closeWorkspace({ path, archiveAs: `${delivery}/freed/${refName(basename(path))}`, kept: [] })
}

/** A workspace is called like its story, and a little longer than an id may be. */
const refName = (name: string): string =>
  identifierProblem(name) === null ? name : `${name.slice(0, 40)}-${hashOf(name)}`

function show({ screen }: Cli, waste: Waste[], { yes: freed = false, transcripts = false }: GcOptions): void {
  const total = waste.reduce((sum, one) => sum + one.bytes, 0)
  if (screen.json) screen.emit({ freed, waste })
  else if (waste.length === 0)
    screen.print(transcripts ? 'Nothing to free.' : 'Nothing to free; transcripts are kept (see --transcripts).')
  else screen.print(...table(byDelivery(waste)), freedLine(total, freed))
}

const freedLine = (total: number, freed: boolean): Line =>
  freed
    ? `${sizeText(total)} freed; workspaces were archived first`
    : `${sizeText(total)} would be freed; do it with --yes`

function byDelivery(waste: Waste[]) {
  const sums = new Map<string, { count: number; bytes: number }>()
  for (const { delivery, kind, bytes } of waste) {
    const sum = sums.get(`${delivery} ${kind}`) ?? { count: 0, bytes: 0 }
    sums.set(`${delivery} ${kind}`, { count: sum.count + 1, bytes: sum.bytes + bytes })
  }
  return [...sums].map(([name, { count, bytes }]) => {
    const [delivery = '', kind = ''] = name.split(' ')
    return [bold(delivery), kind, `${count}`, dim(sizeText(bytes))]
  })
}

const sizeText = (bytes: number): string =>
  bytes < 1e6
    ? `${Math.ceil(bytes / 1e3)} kB`
    : bytes < 1e9
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e9).toFixed(2)} GB`
