import type { Flags } from '../../desk/prepare/settings-layers.ts'
import type { Cli } from '../cli.ts'
import { readPlan, readRequirement } from '../given.ts'
import { dim } from '../show/line.ts'
import { leavingLines } from '../show/lines/status-lines.ts'
import { detach } from './detach.ts'
import { dryRunLines } from './dry-run.ts'
import { go } from './go.ts'

export interface RunOptions extends Flags {
  file?: string
  plan?: string
  unattended?: boolean
  detach?: boolean
  dryRun?: boolean
  /** Although the same is being delivered. */
  again?: boolean
}

/** A requirement becomes a delivery, and the delivery is driven. */
export async function run(cli: Cli, [text]: string[], options: RunOptions): Promise<number> {
  const { desk, screen, cwd } = cli
  const { target, gates, maxUsd, unattended, plan: file } = options
  const wanted = await readRequirement(cwd, { text, file: options.file })
  const plan = file === undefined ? undefined : await readPlan(cwd, file)
  const flags = { ...(gates !== undefined && { gates }), ...(maxUsd !== undefined && { maxUsd }), target }
  const asked = { ...flags, wanted, plan, unattended: unattended === true, again: options.again === true }
  if (options.dryRun === true) {
    const prepared = await desk.rehearseRequest(asked)
    screen.show({ requirement: wanted.text, ...prepared }, () => dryRunLines(prepared))
    return 0
  }
  const { delivery, target: branch, folder, leaving } = await desk.request(asked)
  if (!screen.json) screen.print(...leavingLines(leaving))
  if (options.detach === true) return await detach(cli, delivery, folder)
  if (!screen.json) screen.print(`Delivery ${delivery}`, dim(`  will be merged to ${branch} once it is proven`))
  return await go(cli, { delivery, stay: false })
}
