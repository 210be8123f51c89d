import { existsSync } from 'node:fs'
import { TerminalError } from '../../ports/errors.ts'
import { counted } from '../../views/step-text.ts'
import { chooseDelivery, type DeliveryOption } from '../choose-delivery.ts'
import { bold, dim, type Line } from '../show/line.ts'
import { table } from '../show/table.ts'
import { dateText } from '../show/time.ts'
import type { Cli, Salvaged, World } from '../world.ts'

export interface UnlockOptions extends DeliveryOption {
  force?: boolean
  salvage?: boolean
}

/** Takes a delivery from a driver that is gone; or makes a damaged log usable again. */
export async function unlock(cli: Cli, options: UnlockOptions): Promise<number> {
  if (options.salvage === true) return await salvage(cli)
  const { screen, world } = cli
  const log = await world.log()
  const { delivery } = await chooseDelivery(cli, log, options.delivery)
  const lease = await log.leaseOf(delivery)
  // Not by our clock: that may be ahead of the holder's. Whoever is known to be gone holds none.
  if (lease !== null && options.force !== true)
    throw new TerminalError(
      `process ${lease.pid} on ${lease.host} drives ${delivery}; its lease runs until ${dateText(lease.expiresAt)}`,
      `end that process first, or let \`ropewalk resume\` watch whether it is gone; if you know that it is, \`ropewalk unlock --force --delivery ${delivery}\``,
    )
  await log.breakLease(delivery)
  if (screen.json) screen.emit({ delivery, broken: lease })
  else if (lease === null) screen.print(`Nobody drives ${delivery}: there was nothing to unlock.`)
  else screen.print(`Taken from process ${lease.pid} on ${lease.host}. \`ropewalk resume\` goes on.`)
  return 0
}

async function salvage({ screen, world }: Cli): Promise<number> {
  const report = await world.salvage()
  const left = await leftOf(world)
  if (screen.json) screen.emit({ ...report, left })
  else screen.print(...reportLines(report), ...leftLines(left))
  return 0
}

function reportLines(report: Salvaged): Line[] {
  if (report.status === 'intact') return ['The log is intact; nothing was changed.']
  const { deliveries, damagedFile } = report
  const rows = deliveries.map(({ delivery, kept, lost, problem }) => [
    delivery,
    `${kept} kept`,
    lost === 0 ? '' : `${lost ?? 'some'} lost`,
    dim(problem ?? ''),
  ])
  return [
    deliveries.length === 0
      ? 'There is a log again; no event could be kept.'
      : 'The log is usable again; every event of the intact part is in it.',
    ...table(rows, '  '),
    ...(damagedFile === null ? [] : [`What was there is kept as ${damagedFile}.`]),
  ]
}

interface Left {
  delivery: string
  commits: { clone: string; refs: string[] }[]
  folders: string[]
}

/** Work of deliveries that the log knows nothing of any more: it is kept where it is. */
async function leftOf(world: World): Promise<Left[]> {
  const known = new Set((await (await world.log()).deliveries(null)).map(({ delivery }) => delivery))
  const kept = await world.keptRefs()
  const ids = [...new Set([...kept.map(({ delivery }) => delivery), ...world.housed()])].filter((id) => !known.has(id))
  return ids.sort().map((delivery) => ({
    delivery,
    commits: kept.filter((one) => one.delivery === delivery).map(({ clone, refs }) => ({ clone, refs })),
    folders: Object.values(world.folders(delivery)).filter((folder) => existsSync(folder)),
  }))
}

function leftLines(left: Left[]): Line[] {
  if (left.length === 0) return []
  return [
    'The log knows nothing of these deliveries. What is here of them stays, and can be looked at with git:',
    ...left.flatMap(({ delivery, commits, folders }): Line[] => [
      [bold(`  ${delivery}`)],
      ...commits.flatMap(({ clone, refs }) => [
        `    ${counted(refs.length, 'ref', 'refs')}: git --git-dir ${clone} log ${refs.find((ref) => ref.endsWith('/line')) ?? refs[0]}`,
      ]),
      ...folders.map((folder) => `    ${folder}`),
    ]),
    'To have such work proven and landed, start another delivery, and name these commits in its requirement.',
  ]
}
