import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Requirement } from '../../delivery/intent/context.ts'
import type { Intent } from '../../delivery/intents.ts'
import type { Policy } from '../../delivery/policy.ts'
import { drive } from '../../engine/drive.ts'
import { obtainLease } from '../../engine/lease.ts'
import { load, submit } from '../../engine/load.ts'
import { TerminalError } from '../../ports/errors.ts'
import { isQuestion } from '../../proof/intent/question.ts'
import { policyHash } from '../../settings/policy.ts'
import { addressesIn } from '../../std/text/addresses.ts'
import { plainText } from '../../std/text/plain-text.ts'
import { isLedger, putIntent, withoutLedgers } from '../choose-delivery.ts'
import type { Visit } from '../world.ts'

/** What is wanted, verbatim, and where it came from. */
export interface WantedText {
  text: string
  source: string
}

type Requested = Extract<Intent, { type: 'RequestDelivery' }>

interface Request extends Omit<Requested, 'type' | 'requirement' | 'target' | 'policyHash'> {
  delivery: string
  wanted: WantedText
}

/** Puts the request on record. */
export async function putRequest(visit: Visit, { delivery, wanted, ...request }: Request): Promise<string> {
  const { policy } = request
  const requirement = requirementFrom(wanted, visit.user)
  const pinned = { target: policy.target, policyHash: policyHash(policy) }
  await putIntent(visit, delivery, { type: 'RequestDelivery', requirement, ...request, ...pinned })
  return delivery
}

/** What is stored of it: with its links, however it came to us. */
function requirementFrom(wanted: WantedText, submitter: string): Requirement {
  const links = addressesIn(wanted.text).slice(0, mostLinks)
  return { ...wanted, submitter, ...(links.length === 0 ? {} : { links }) }
}

const mostLinks = 100

/** A question, or what is no text: nothing is begun for it. */
export function refuseWhatIsNone(text: string): void {
  const refused = notARequirement(text)
  if (refused !== null) throw new TerminalError(refused.why, refused.remedy)
}

/**
 * Requests a delivery unless the same is being delivered already. What is typed, in a file or on standard input has no
 * id of its own: its text is what it is known by, wherever it came from. `again`: whoever wants it twice says so.
 */
export async function requestOnce(
  visit: Visit,
  request: Omit<Request, 'delivery'> & { delivery?: string },
  again: boolean,
): Promise<string> {
  const { id: repository } = request.repository
  const { text } = request.wanted
  const put = () => putRequest(visit, { delivery: freshDeliveryId(text), ...request })
  if (again) return await put()
  return await oneAtATime(visit, repository, async () => {
    await refuseDuplicate(visit, repository, text)
    return await put()
  })
}

const mostMs = 30_000
const lookAgainMs = 50

/** Two that begin at the same instant must not both look before one of them is on record. */
async function oneAtATime<T>(visit: Visit, repository: string, work: () => Promise<T>): Promise<T> {
  const { log, clock } = await visit.world.intake()
  const { pid } = process
  const asked = { delivery: `intake.${repository}`, worker: `intake-${pid}`, host: hostname(), pid, ttlMs: mostMs }
  for (;;) {
    const lease = await obtainLease({ log, clock }, asked)
    if (lease !== null) return await work().finally(() => log.releaseLease(lease))
    await clock.until(clock.now() + lookAgainMs, new AbortController().signal)
  }
}

async function refuseDuplicate({ world }: Visit, repository: string, text: string): Promise<void> {
  const log = await world.log()
  const open = withoutLedgers(await log.deliveries(repository)).filter(({ result }) => result === null)
  for (const { delivery } of open) {
    const { request } = await load(log, delivery)
    if (request == null || request.review !== null || request.requirement.text.trim() !== text.trim()) continue
    throw new TerminalError(
      `this is being delivered already: ${delivery}`,
      `look at it with \`ropewalk status ${delivery}\`, continue it with \`ropewalk resume ${delivery}\`, or deliver it twice with \`ropewalk run --again\``,
    )
  }
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** The requirement's first words, to be recognised by, and enough chance never to meet another. */
export function freshDeliveryId(requirement: string): string {
  const words = plainText(requirement.slice(0, 200))
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9\s]+/g, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  let slug = ''
  for (const word of words) {
    if (slug.length + word.length > 24) break
    slug += `${word}-`
  }
  return `${slug}${[...randomBytes(10)].map((byte) => digits[byte % 32]).join('')}`
}

/** Why a text cannot be a requirement, whoever brings it, and what to do instead; null: it can. */
export function notARequirement(text: string): { why: string; remedy: string } | null {
  if (isBinary(text)) return { why: 'the requirement is not text', remedy: 'give it as text in UTF-8' }
  if (!/\p{L}/u.test(text))
    return { why: 'the requirement has no words in it', remedy: 'say what should be different when it is done' }
  if (isQuestion(text))
    return {
      why: 'this asks for an answer, not for a change, so there is nothing to deliver',
      remedy:
        'say what should be different when it is done, for example "Document … in the README"; for an answer, ask an agent directly',
    }
  return null
}

/** What was read as text and is none has characters that no text has, or that stand for what could not be read. */
function isBinary(text: string): boolean {
  const sample = text.slice(0, 100_000)
  const strange = sample.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0
  return sample.includes('\0') || strange * 50 > sample.length
}

export interface LedgerSubject {
  delivery: string
  text: string
  repository: { id: string; path: string }
  base: string
  policy: Policy
}

/** A delivery that has ended before it began: only there to hold what was spent on something that is none. */
export async function openLedger(visit: Visit, { text, ...about }: LedgerSubject): Promise<void> {
  await putRequest(visit, { ...about, wanted: { text, source: 'command line' }, plan: null, review: null })
  await endLedger(visit, about.delivery, 'it only holds what was spent')
}

const settlingMs = 60_000

/**
 * An estimate that was killed: nobody would ever resume it, as no list has it, so that what it left running would go on.
 * One that was requested just now may not be driven yet.
 */
export async function endAbandonedLedgers(visit: Pick<Visit, 'world' | 'user'>): Promise<void> {
  const log = await visit.world.log()
  const open = (await log.deliveries(null)).filter((row) => row.result === null && isLedger(row))
  for (const { delivery, requestedAt, updatedAt } of open) {
    const lease = await log.leaseOf(delivery)
    const isDriven = lease !== null && lease.expiresAt > Date.now()
    if (isDriven || (updatedAt === requestedAt && Date.now() - requestedAt < settlingMs)) continue
    await endLedger(visit, delivery, 'its process was killed')
  }
}

/** Nothing waits for an answer any more. */
export async function endLedger(
  { world, user }: Pick<Visit, 'world' | 'user'>,
  delivery: string,
  reason: string,
): Promise<void> {
  const intent = { type: 'StopDelivery', reason, by: user } as const
  await submit(await world.intake(), { delivery, intent, actor: user })
  const engine = await world.engine(() => {})
  await drive(engine, { delivery, signal: new AbortController().signal, stay: false })
}
