import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DeliveryState, policyOf } from '../delivery/state.ts'
import { drive as driveLoop } from '../engine/drive.ts'
import { submit } from '../engine/load.ts'
import type { Drive } from '../engine/world.ts'
import { TerminalError } from '../ports/errors.ts'
import type { DeliveryRow, Lease, Recorded } from '../ports/event-log.ts'
import type { Pulse } from '../ports/pulses.ts'
import { policyHash } from '../settings/policy.ts'
import { chosen, driverOf, putIntent, refuseImported } from './choose-delivery.ts'
import { leavingOf } from './gc/keep.ts'
import { freshPolicy, type PreflightOptions, type Prepared, preflight } from './prepare/preflight.ts'
import { endAbandonedLedgers, refuseWhatIsNone, requestOnce, type WantedText } from './prepare/request.ts'
import { amount, requireHome } from './prepare/settings-layers.ts'
import { tellAll, type Visit } from './world.ts'

interface RequestAsked extends PreflightOptions {
  wanted: WantedText
  /** Although the same is being delivered. */
  again: boolean
}

/** A requirement becomes a delivery. `folder`: the root of its repository. */
export async function request(visit: Visit, { wanted, again, ...options }: RequestAsked) {
  // With a plan, that is what is wanted; its title may be anything.
  if (options.plan === undefined) refuseWhatIsNone(wanted.text)
  requireHome(visit.world.home)
  await endAbandonedLedgers(visit)
  const { repository, base, policy, plan, warnings, notes } = await preflight(visit, options, visit.world.home)
  tellAll(visit, { warnings, notes })
  await refreshMemory(visit, base)
  const about = { wanted, repository, base, policy, plan, review: null }
  const delivery = await requestOnce(visit, about, again || plan !== null)
  return { delivery, target: policy.target, folder: repository.path, leaving: await leavingOf(visit) }
}

/** What was learned once is kept up to date, as far as that needs no model. */
async function refreshMemory({ world, folder }: Visit, commit: string): Promise<void> {
  const learning = await world.learning(folder)
  const remembered = await learning.recall()
  const passes = (['static', 'history'] as const).filter((pass) => remembered?.passes[pass] !== undefined)
  if (passes.length > 0) await learning.learn({ commit, passes, force: false, by: null })
}

/** What would be done. Looks at everything through a clone that is thrown away. */
export async function rehearseRequest(visit: Visit, { wanted, ...options }: RequestAsked): Promise<Prepared> {
  if (options.plan === undefined) refuseWhatIsNone(wanted.text)
  const home = await mkdtemp(join(tmpdir(), 'ropewalk-dry-run-'))
  try {
    return await preflight(visit, options, home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

interface Driving {
  signal: AbortSignal
  /** Stay although only a human can help. */
  stay: boolean
  changed(state: DeliveryState, recorded: Recorded[]): void
}

/** Carries a delivery on until it ends, has to wait, or is interrupted. */
export async function driveDelivery(
  { world }: Visit,
  delivery: string,
  { signal, stay, changed }: Driving,
): Promise<Exclude<Drive, { status: 'busy' | 'fenced' }>> {
  const drove = await driveLoop(await world.engine(changed), { delivery, signal, stay })
  if (drove.status === 'busy') throw busyError(drove.lease)
  if (drove.status !== 'fenced') return drove
  throw new TerminalError(
    'another process has taken this delivery over, and this one wrote nothing more',
    'follow it with `ropewalk watch`',
  )
}

function busyError(lease: Lease | null): TerminalError {
  const who = lease === null ? 'another process' : `process ${lease.pid} on ${lease.host}`
  return new TerminalError(
    `${who} is driving this delivery`,
    'follow it with `ropewalk watch`; if that process is gone, `ropewalk unlock`',
  )
}

/** What agents of a delivery do at this moment. */
export async function pulses({ world }: Visit): Promise<(delivery: string) => Pulse[]> {
  const all = await world.pulses()
  return (delivery) => all.of(delivery)
}

export interface ResumeAsked {
  /** The settings as they are now. */
  repin: boolean
  /** Somebody is there to be asked, or nobody is any more; null: as it was. */
  attended: boolean | null
  maxUsd: string | undefined
}

/** `driven`: a driver that stayed while it was paused continues by itself. */
type Resumed = { delivery: string; driver: Lease } | { delivery: string; driver: null; folder: string }

/** Opens a delivery again, whatever it was that ended the last drive. */
export async function resume(visit: Visit, name: string | undefined, asked: ResumeAsked): Promise<Resumed> {
  const { log, state } = await chosen(visit, name)
  const { id: delivery, mode, request: requested } = state
  const driver = await driverOf(log, delivery, Date.now())
  refuseImported(state)
  if (driver !== null && mode.status !== 'paused') throw busyError(driver)
  await repin(visit, state, asked)
  if (driver !== null) {
    await putIntent(visit, delivery, { type: 'ResumeDelivery', by: visit.user })
    return { delivery, driver }
  }
  // One that is being stopped is driven to that end first.
  if (mode.status !== 'stopping') await reopen(visit, state)
  return { delivery, driver, folder: requested?.repository.path ?? visit.folder }
}

/** When nothing is left to continue, driving it again only shows how it ended; a review says by itself what it needs. */
async function reopen(visit: Visit, state: DeliveryState): Promise<void> {
  const { world, user } = visit
  const intent = { type: 'ResumeDelivery', by: user } as const
  const submitted = await submit(await world.intake(), { delivery: state.id, intent, actor: user })
  if (!('refused' in submitted)) return
  if (state.mode.status !== 'ended') throw new TerminalError(submitted.refused, submitted.remedy)
  if (state.request?.review != null) return
  visit.hear({ kind: 'warning', text: `${submitted.refused}: ${submitted.remedy}` })
}

/** Settings are pinned when a delivery is requested; only somebody who says so changes them. */
async function repin(
  visit: Visit,
  state: DeliveryState,
  { repin: anew, attended, maxUsd }: ResumeAsked,
): Promise<void> {
  if (!anew && attended === null && maxUsd === undefined) return
  const policy = anew ? await freshPolicy(visit, state) : policyOf(state)
  const usd = maxUsd === undefined ? policy.ceilings.usdPerDelivery : amount(maxUsd)
  const unattended = attended === null ? policy.unattended : !attended
  const changed = { ...policy, unattended, ceilings: { ...policy.ceilings, usdPerDelivery: usd } }
  await putIntent(visit, state.id, {
    ...{ type: 'RepinPolicy', policy: changed, policyHash: policyHash(changed), by: visit.user },
  })
}

/** The kill switch: every open delivery of this machine, without waiting for a driver. `killed`: processes that were ended. */
export async function stopDeliveries(visit: Visit, because: string) {
  const rows = (await (await visit.world.log()).deliveries(null)).filter((row) => row.result === null)
  return await Promise.all(rows.map((row) => stopNow(visit, row, because)))
}

async function stopNow(visit: Visit, { delivery }: DeliveryRow, reason: string) {
  const { world, user } = visit
  const driver = await driverOf(await world.log(), delivery, Date.now())
  const intent = { type: 'StopDelivery', reason, by: user } as const
  const submitted = await submit(await world.intake(), { delivery, intent, actor: user })
  const killed = await world.sweep(delivery)
  const driven = driver !== null
  if ('refused' in submitted) return { delivery, killed, driven, said: submitted.refused }
  const said = driven ? `process ${driver.pid} is ending it` : await endedHere(visit, delivery)
  return { delivery, killed, driven, said }
}

/** Nobody drives it, so its end is driven here; one that cannot be must not keep the others from theirs. */
async function endedHere({ world }: Visit, delivery: string): Promise<string> {
  const { signal } = new AbortController()
  const remedy = `\`ropewalk resume ${delivery}\` continues it`
  try {
    const { status } = await driveLoop(await world.engine(() => {}), { delivery, signal, stay: false })
    return status === 'ended' ? 'stopped' : `it did not end (${status}): ${remedy}`
  } catch (error) {
    return `it did not end (${error instanceof Error ? error.message : error}): ${remedy}`
  }
}
