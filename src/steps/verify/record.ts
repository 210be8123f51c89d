import { evolve } from '../../delivery/evolve.ts'
import type { CommitId } from '../../delivery/ids.ts'
import { basisOf } from '../../delivery/inputs/briefing.ts'
import { landedBy } from '../../delivery/inputs/input.ts'
import { isByExitCode } from '../../delivery/judging/finding.ts'
import type { Policy } from '../../delivery/policy.ts'
import { initialState } from '../../delivery/state.ts'
import type { Land } from '../../delivery/step.ts'
import type { Blobs } from '../../ports/blobs.ts'
import type { EventLog, Recorded } from '../../ports/event-log.ts'
import type { Signatures } from '../../ports/proofs/signing.ts'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import type { VerifiedProof } from '../../ports/proofs/verifier.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import { type CommitFacts, recordProblems, trailersIn } from '../../proof/statement/problems.ts'
import type { Statement } from '../../proof/statement/statement.ts'
import { addProofNotes, proofNotes, unnoted } from '../land.ts'
import type { Noting } from '../statements.ts'
import type { StepWorld } from '../world.ts'

/**
 * What the log of this machine has of a delivery; null: nothing. `broken`: where its hash chain is. `heard`: how many of
 * the entries only came in a file, before it was adopted here.
 */
export type DeliveryRecord = { broken: string } | { entries: Recorded[]; heard: number } | null

export async function keptOf({ log }: Pick<VerifyWorld, 'log'>, delivery: string): Promise<DeliveryRecord> {
  const rows = log === null ? [] : await log.deliveries(null)
  if (log === null || !rows.some((row) => row.delivery === delivery)) return null
  const chain = await log.verify(delivery)
  if (chain.status !== 'intact')
    return { broken: `the log of ${delivery} is broken at version ${chain.version}: ${chain.problem}` }
  const entries = await log.read(delivery, 0)
  const last = (type: string): number => entries.findLastIndex(({ event }) => event.type === type)
  const adopted = last('DeliveryAdopted')
  return last('DeliveryImported') > adopted ? null : { entries, heard: Math.max(adopted, 0) }
}

/** What was recorded here, to vouch for a commit. Of one that was merged elsewhere, a file says all that is known. */
export function seenHere(kept: DeliveryRecord, commit: CommitId): DeliveryRecord {
  if (kept === null || 'broken' in kept) return kept
  const { entries, heard } = kept
  const elsewhere = entries.slice(0, heard).some(({ event }) => event.type === 'LineAdvanced' && event.to === commit)
  return elsewhere ? null : { entries: entries.slice(heard), heard: 0 }
}

/** The settings that the delivery went by last, as this machine's own log has them; null: nobody here knows. */
export const pinnedIn = (kept: DeliveryRecord): Policy | null =>
  kept === null || 'broken' in kept
    ? null
    : kept.entries.reduce<Policy | null>(
        (last, { event }) => (event.type === 'PolicyPinned' ? event.policy : last),
        null,
      )

/** The statement against the log of its delivery, and the outputs that are kept. */
export async function againstLog(
  { blobs }: Pick<VerifyWorld, 'blobs'>,
  statement: Statement,
  kept: DeliveryRecord,
): Promise<Again & { log: 'agrees' | 'absent' }> {
  if (kept === null) return { problems: [], remarks: [], log: 'absent' }
  const record = 'broken' in kept ? [kept.broken] : recordProblems(statement, kept.entries)
  const outputs = await outputWords({ blobs }, statement)
  return { problems: [...record, ...outputs.problems], remarks: outputs.remarks, log: 'agrees' }
}

async function outputWords({ blobs }: Pick<VerifyWorld, 'blobs'>, { predicate }: Statement): Promise<Again> {
  const told: Again = { problems: [], remarks: [] }
  for (const { name, annotations } of predicate.configuration) {
    const [output] = await Promise.allSettled([blobs.get(annotations.outputDigest)])
    if (output.status === 'rejected') told.problems.push(`what ${name} printed: ${(output.reason as Error).message}`)
    else if (output.value === null) told.remarks.push(`what ${name} printed is not kept any more`)
  }
  return told
}

/** What a statement takes for earlier commits of its story must lie directly below it, and no deeper than the log knows. */
export async function partProblems(
  { repository }: Pick<VerifyWorld, 'repository'>,
  { subject, predicate }: Statement,
  kept: DeliveryRecord,
): Promise<string[]> {
  const { parts = [] } = predicate.ropewalk_proof
  const [first, ...rest] = parts
  if (first === undefined) return []
  const commit = subject[0].digest.gitCommit
  const from = lineBefore(kept, commit)
  const whole = from === null ? null : await repository.commits(`${from}..${commit}`)
  const [found, wanted] =
    whole === null ? [await repository.commits(`${first}..${commit}`), [...rest, commit]] : [whole, [...parts, commit]]
  return JSON.stringify(found) === JSON.stringify(wanted)
    ? []
    : ['what it names as its parts is not what lies below it']
}

/** Where the line was before this commit joined it. */
function lineBefore(kept: DeliveryRecord, commit: string): string | null {
  if (kept === null || 'broken' in kept) return null
  const joined = kept.entries.find(({ event }) => event.type === 'LineAdvanced' && event.to === commit)?.event
  return joined?.type === 'LineAdvanced' ? joined.from : null
}

/** What a statement says, for people. */
export function verifiedProof(
  { subject, predicate }: Statement,
  { signer, log }: Pick<VerifiedProof, 'signer' | 'log'>,
): VerifiedProof {
  const { delivery, story, provenBy, parts = [], reviewers } = predicate.ropewalk_proof
  return {
    delivery,
    story,
    provenBy: provenBy.commit === subject[0].digest.gitCommit ? null : provenBy.commit,
    whole: subject[0].digest.gitCommit,
    parts,
    checks: predicate.configuration.map(({ name, annotations }) => ({
      name,
      command: annotations.command,
      counts:
        annotations.counts === null ? null : { total: annotations.counts.total, passed: annotations.counts.passed },
      byExitCode: isByExitCode(annotations),
      durationMs: annotations.durationMs,
    })),
    reviewers,
    signer,
    log,
  }
}

type World = Pick<VerifyWorld, 'steps'> & { kept: (delivery: string) => Promise<DeliveryRecord> }

/**
 * The notes of a landing could not be written when it was made: with the log of that time they are written now. False:
 * they were not, or this commit has not landed by us.
 */
export async function writeMissing({ steps, kept }: World, { commit, message }: CommitFacts): Promise<boolean> {
  const { delivery } = trailersIn(message)
  const known = steps === null || delivery === undefined ? null : await kept(delivery)
  if (known === null || 'broken' in known) return false
  const landing = landingOf(delivery!, known, commit)
  if (landing === null) return false
  const world = await steps!()
  const { input, step } = landing
  const noting = { world, repository: await world.repository(input.request.repository), input }
  const written = await Promise.allSettled([proofNotes(noting, step).then((notes) => addProofNotes(noting, notes))])
  return written.every((one) => one.status === 'fulfilled' && one.value === null)
}

interface Landing extends Pick<Noting, 'input'> {
  step: Pick<Land, 'from' | 'to'>
}

type Known = Extract<DeliveryRecord, { entries: unknown }>

/** The landing of the commit here, as the delivery stood then. */
function landingOf(delivery: string, { entries, heard }: Known, commit: string): Landing | null {
  const state = initialState(delivery)
  for (const [index, entry] of entries.entries()) {
    const { event } = entry
    if (event.type === 'Landed' && state.line.commits.some((one) => one.commit === commit)) {
      const isMissing = index >= heard && state.concerns.some((text) => text.startsWith(unnoted))
      return isMissing ? { input: { ...basisOf(state), landed: landedBy(state, event) }, step: event } : null
    }
    evolve(state, entry)
  }
  return null
}

/** What verifying needs of the world. */
export interface VerifyWorld {
  repository: UserRepository
  signing: Signatures
  /** Null: this machine has no log. */
  log: Pick<EventLog, 'read' | 'verify' | 'deliveries'> | null
  blobs: Blobs
  /** Every text that a settings file has as a value. */
  textsIn: (settings: string) => Promise<string[]>
  /** Where recorded commands are run again on a commit: everything of it is gone afterwards. Its world knows the clone only. */
  rerun: (commit: CommitId, use: (place: RerunPlace) => Promise<Again>) => Promise<Again>
  /** What writes a note that is missing; null: this machine has no log. */
  steps: (() => Promise<StepWorld>) | null
}

export interface RerunPlace {
  world: StepWorld
  clone: Repository
  /** Of every process that is started for it. */
  mark: string
}

export interface Again {
  problems: string[]
  remarks: string[]
}
