import type { DeliveryEvent } from '../../delivery/events.ts'
import type { Proof } from '../../delivery/judging/finding.ts'
import { type Spending, spendingOf } from '../../delivery/money/ledger.ts'
import { isOfModel } from '../../delivery/shared/choosing.ts'
import type { Recorded, StoredProof, StoredRefusal } from '../event-log.ts'

// What an append must also write outside its delivery, in the same transaction.

/** The story an event is about, for looking it up. */
export function storyTold(event: DeliveryEvent): string | null {
  if (event.type === 'StepStarted') return event.step.story
  if (event.type === 'TurnSpent') return event.turn.story
  return 'story' in event ? event.story : null
}

/** The proof that an event establishes; one that was taken from an earlier run establishes nothing. */
export function proofIn(event: DeliveryEvent): Proof | null {
  if (event.type !== 'Judged' || event.verdict.status !== 'passed') return null
  const { proof } = event.verdict
  return proof === null || proof.reused ? null : proof
}

export interface ProofKey {
  repository: string
  tree: string
  command: string
  environmentKey: string
}

/** The proof of this key that the first of a chain's last events establishes; null: what led to it is worth nothing. */
export function storedProof([entry, ...later]: Recorded[], key: ProofKey): StoredProof | null {
  const proof = entry === undefined ? null : proofIn(entry.event)
  if (entry === undefined || proof === null) return null
  // It stood in a file.
  if (later.some(({ event }) => event.type === 'DeliveryImported')) return null
  const { tree, command, environmentKey, durationMs, outputDigest, counts, byExitCode } = proof
  if (tree !== key.tree || command !== key.command || environmentKey !== key.environmentKey) return null
  const { delivery, version } = entry
  return { delivery, version, durationMs, outputDigest, counts, ...(byExitCode === true && { byExitCode }) }
}

/** What an event adds to its day. */
export function spendingIn(event: DeliveryEvent): Spending | null {
  return event.type === 'TurnSpent' ? spendingOf(event.turn) : null
}

/** How long a service refuses turns, for whoever else uses it. */
export function refusalTold(
  event: DeliveryEvent,
  since: number,
): (StoredRefusal & { account: string; model: string | null }) | null {
  if (event.type !== 'AgentRefused' || event.until === null || event.until <= since) return null
  const { account, kind, until, message, remedy } = event
  return { account, model: isOfModel(kind) ? event.model : null, since, until, kind, message, remedy }
}

/** The delivery's result after these events, given what it was before them. */
export function resultAfter(before: string | null, events: DeliveryEvent[]): string | null {
  return events.reduce<string | null>((result, event) => {
    if (event.type === 'DeliveryCompleted') return event.result
    return event.type === 'DeliveryReopened' ? null : result
  }, before)
}

/** The delivery's repository after these events, given what it was before them. */
export function repositoryAfter(before: string, events: DeliveryEvent[]): string {
  return events.reduce(
    (id, event) => ('repository' in event && event.repository !== null ? event.repository.id : id),
    before,
  )
}

/** What a list of deliveries shows of the request. */
export function titleIn(events: DeliveryEvent[]): string {
  const request = events.find((event) => event.type === 'DeliveryRequested')
  return request === undefined ? '' : titleOf(request.requirement.text)
}

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  return [...line].length > 80 ? `${[...line].slice(0, 79).join('')}…` : line
}
