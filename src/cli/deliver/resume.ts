import type { Intent } from '../../delivery/intents.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { policyOf } from '../../delivery/state.ts'
import { load } from '../../engine/load.ts'
import { submit } from '../../engine/submit.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Lease } from '../../ports/event-log.ts'
import { policyHash } from '../../settings/policy.ts'
import { chooseDelivery, refuseImported } from '../choose-delivery.ts'
import { freshPolicy } from '../prepare/fresh-policy.ts'
import { amount } from '../prepare/settings-layers.ts'
import type { Cli } from '../world.ts'
import { detach } from './detach.ts'
import { busyError, go } from './go.ts'

export interface ResumeOptions {
  delivery?: string
  stay?: boolean
  detach?: boolean
  repin?: boolean
  attended?: boolean
  unattended?: boolean
  maxUsd?: string
}

/** Goes on with a delivery, whatever it was that ended the last drive. */
export async function resume(cli: Cli, name: string | undefined, options: ResumeOptions): Promise<number> {
  const log = await cli.world.log()
  const { delivery } = await chooseDelivery(cli, log, name ?? options.delivery)
  const lease = await log.leaseOf(delivery)
  const state = await load(log, delivery)
  refuseImported(state)
  if (lease !== null && lease.expiresAt > Date.now()) return await unpause(cli, state, { lease, options })
  await repin(cli, state, options)
  // One that is being stopped is driven to that end first.
  if (state.mode.status !== 'stopping') await reopen(cli, state)
  if (options.detach === true) return await detach(cli, delivery, state.request?.repository.path ?? cli.cwd)
  return await go(cli, { delivery, stay: options.stay === true })
}

/** A driver that stayed while it was paused goes on by itself, once it may. */
async function unpause(
  cli: Cli,
  state: DeliveryState,
  { lease, options }: { lease: Lease; options: ResumeOptions },
): Promise<number> {
  const { id, mode } = state
  if (mode.status !== 'paused') throw busyError(lease)
  await repin(cli, state, options)
  await put(cli, id, { type: 'ResumeDelivery', by: cli.world.user })
  if (cli.screen.json) cli.screen.emit({ delivery: id, pid: lease.pid })
  else cli.screen.print(`Resumed. Process ${lease.pid} goes on; \`ropewalk watch\` follows it.`)
  return 0
}

/** When there is nothing to go on with, driving it again only shows how it ended; a review says by itself what it needs. */
async function reopen(cli: Cli, state: DeliveryState): Promise<void> {
  const intent = { type: 'ResumeDelivery', by: cli.world.user } as const
  const submitted = await submit(await cli.world.intake(), { delivery: state.id, intent, actor: cli.world.user })
  if (!('refused' in submitted)) return
  if (state.mode.status !== 'ended') throw new TerminalError(submitted.refused, submitted.remedy)
  if (state.request?.review != null) return
  cli.screen.warn(`${submitted.refused}: ${submitted.remedy}`)
}

async function put(cli: Cli, delivery: string, intent: Intent): Promise<void> {
  const submitted = await submit(await cli.world.intake(), { delivery, intent, actor: cli.world.user })
  if ('refused' in submitted) throw new TerminalError(submitted.refused, submitted.remedy)
}

/** Settings are pinned when a delivery is requested; only somebody who says so changes them. */
async function repin(cli: Cli, state: DeliveryState, options: ResumeOptions): Promise<void> {
  const { attended, unattended: left } = options
  if (attended === true && left === true)
    throw new TerminalError('--attended and --unattended cannot both be', 'Say one of them.')
  if (options.repin !== true && attended !== true && left !== true && options.maxUsd === undefined) return
  const policy = options.repin === true ? await freshPolicy(cli, state) : policyOf(state)
  const usd = options.maxUsd === undefined ? policy.ceilings.usdPerDelivery : amount(options.maxUsd)
  const unattended = left === true || (policy.unattended && attended !== true)
  const changed = { ...policy, unattended, ceilings: { ...policy.ceilings, usdPerDelivery: usd } }
  const intent = { type: 'RepinPolicy', policy: changed, policyHash: policyHash(changed), by: cli.world.user } as const
  await put(cli, state.id, intent)
}
