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
import { type CommitFacts, recordProblems, type Statement, trailersIn } from '../../proof/statement.ts'
import { addProofNotes, proofNotes, unnoted } from '../land.ts'
import type { Noting } from '../statements.ts'
import type { StepWorld } from '../world.ts'

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

/**
 * What the log of this machine has of a delivery; null: nothing. `broken`: where its hash chain is, and then nothing
 * else counts. `heard`: how many of the entries only came in a file, before it was adopted here.
 */
export type DeliveryRecord = { entries: Recorded[]; heard: number; broken: string | null } | null

export async function keptOf({ log }: Pick<VerifyWorld, 'log'>, delivery: string): Promise<DeliveryRecord> {
  const rows = log === null ? [] : await log.deliveries(null)
  if (log === null || !rows.some((row) => row.delivery === delivery)) return null
  const chain = await log.verify(delivery)
  if (chain.status !== 'intact') {
    const broken = `the log of ${delivery} is broken at version ${chain.version}: ${chain.problem}`
    return { entries: [], heard: 0, broken }
  }
  const entries = await log.read(delivery, 0)
  const last = (type: string): number => entries.findLastIndex(({ event }) => event.type === type)
  const adopted = last('DeliveryAdopted')
  return last('DeliveryImported') > adopted ? null : { entries, heard: Math.max(adopted, 0), broken: null }
}

/** What was recorded here, to vouch for a commit. Of one that was merged elsewhere, a file says all that is known. */
export function seenHere(kept: DeliveryRecord, commit: CommitId): DeliveryRecord {
  if (kept === null || lineBefore(kept.entries.slice(0, kept.heard), commit) !== null) return null
  return { ...kept, entries: kept.entries.slice(kept.heard), heard: 0 }
}

/** Where the line was before this commit joined it. */
function lineBefore(entries: Recorded[], commit: CommitId): CommitId | null {
  for (const { event } of entries) if (event.type === 'LineAdvanced' && event.to === commit) return event.from
  return null
}

/** The settings that the delivery went by last, as this machine's own log has them; null: nobody here knows. */
export const pinnedIn = (kept: DeliveryRecord): Policy | null =>
  kept?.entries.flatMap(({ event }) => (event.type === 'PolicyPinned' ? [event.policy] : [])).at(-1) ?? null

/** The statement against the log of its delivery, and the outputs that are kept. */
export async function againstLog(
  { blobs }: Pick<VerifyWorld, 'blobs'>,
  statement: Statement,
  kept: DeliveryRecord,
): Promise<Again & { log: 'agrees' | 'absent' }> {
  if (kept === null) return { problems: [], remarks: [], log: 'absent' }
  const problems = kept.broken === null ? recordProblems(statement, kept.entries) : [kept.broken]
  const remarks: string[] = []
  for (const { name, annotations } of statement.predicate.configuration) {
    const [output] = await Promise.allSettled([blobs.get(annotations.outputDigest)])
    if (output.status === 'rejected') problems.push(`what ${name} printed: ${(output.reason as Error).message}`)
    else if (output.value === null) remarks.push(`what ${name} printed is not kept any more`)
  }
  return { problems, remarks, log: 'agrees' }
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
  const from = lineBefore(kept?.entries ?? [], commit)
  const whole = from === null ? null : await repository.commits(`${from}..${commit}`)
  const found = whole ?? (await repository.commits(`${first}..${commit}`))
  const wanted = [...(whole === null ? rest : parts), commit]
  return JSON.stringify(found) === JSON.stringify(wanted)
    ? []
    : ['what it names as its parts is not what lies below it']
}

/** What a statement says, for people. */
export function verifiedProof(
  { subject, predicate }: Statement,
  known: Pick<VerifiedProof, 'signer' | 'log'>,
): VerifiedProof {
  const { delivery, story, provenBy, parts = [], reviewers } = predicate.ropewalk_proof
  const whole = subject[0].digest.gitCommit
  const checks = predicate.configuration.map(({ name, annotations }) => {
    const { command, counts, durationMs } = annotations
    const tests = counts === null ? null : { total: counts.total, passed: counts.passed }
    return { name, command, counts: tests, byExitCode: isByExitCode(annotations), durationMs }
  })
  const proven = provenBy.commit === whole ? null : provenBy.commit
  return { delivery, story, provenBy: proven, whole, parts, checks, reviewers, ...known }
}

type World = Pick<VerifyWorld, 'steps'> & { kept: (delivery: string) => Promise<DeliveryRecord> }

/**
 * The notes of a landing could not be written when it was made: with the log of that time they are written now. False:
 * they were not, or this commit has not landed by us.
 */
export async function writeMissing({ steps, kept }: World, { commit, message }: CommitFacts): Promise<boolean> {
  const { delivery } = trailersIn(message)
  if (steps === null || delivery === undefined) return false
  const landing = landingOf(delivery, await kept(delivery), commit)
  if (landing === null) return false
  const world = await steps()
  const { input, step } = landing
  const noting = { world, repository: await world.repository(input.request.repository), input }
  const [written] = await Promise.allSettled([proofNotes(noting, step).then((notes) => addProofNotes(noting, notes))])
  return written.status === 'fulfilled' && written.value === null
}

/** The landing of the commit here, of which notes are missing, as the delivery stood then. */
function landingOf(
  delivery: string,
  kept: DeliveryRecord,
  commit: string,
): { input: Noting['input']; step: Pick<Land, 'from' | 'to'> } | null {
  const state = initialState(delivery)
  for (const [index, entry] of (kept?.entries ?? []).entries()) {
    const { event } = entry
    if (event.type === 'Landed' && state.line.commits.some((one) => one.commit === commit)) {
      const isMissing = index >= kept!.heard && state.concerns.some((text) => text.startsWith(unnoted))
      return isMissing ? { input: { ...basisOf(state), landed: landedBy(state, event) }, step: event } : null
    }
    evolve(state, entry)
  }
  return null
}
