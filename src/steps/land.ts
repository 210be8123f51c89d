import type { Outcome } from '../delivery/events.ts'
import type { CommitId } from '../delivery/ids.ts'
import type { Land } from '../delivery/step.ts'
import { TerminalError, TransientError } from '../ports/errors.ts'
import type { Ancestry, Commits, Fetches } from '../ports/repository/commits.ts'
import type { Landings, NoteChange } from '../ports/repository/landings.ts'
import { envelopeOf, noteWith, partLine, says, signedText } from '../proof/statement-note.ts'
import { invariant, never } from '../std/never.ts'
import { oneLine } from '../std/text/plain-text.ts'
import { type Noting, statementsOf } from './statements.ts'
import type { StepWork } from './work.ts'

type Landing = StepWork<Land, Commits & Ancestry & Fetches & Landings>

/** The user's branch moves to a proven commit, or stays where it is. */
export async function landLine(work: Landing): Promise<Outcome> {
  const { world, step, repository, input } = work
  const { id, target: branch, from, to, tree } = step
  const refused = (reason: 'moved' | 'dirty', target: CommitId, message: string): Outcome => ({
    ...{ type: 'LandingRefused', step: id, reason, target, message },
  })
  invariant((await repository.treeOf(to)) === tree, `${to} does not have the tree that was proven`)
  // Other settings were pinned after it was started: what has moved is finished, but nothing moves without a proof.
  if (input.missing !== null && (await repository.fetchTarget(branch)) === from) {
    await repository.giveUpLanding({ branch, from, to })
    return refused('moved', from, `the settings have changed: ${input.missing} must pass once more`)
  }
  const [made] = await Promise.allSettled([proofNotes(work, step)])
  if (made.status === 'rejected' && !(await hasMoved(work))) throw made.reason
  world.crashPoint('land:before')
  const { begunIn } = input
  const result = await repository.land({ branch, from, to, begunIn, begins: (checkouts) => begin(work, checkouts) })
  world.crashPoint('land:after')
  switch (result.status) {
    case 'landed':
      await note(work, made)
      world.crashPoint('land:after-notes')
      return { type: 'Landed', step: id, from, to }
    case 'moved': {
      const tip = await repository.fetchTarget(branch)
      return refused('moved', tip, await movedMessage(work, tip))
    }
    case 'dirty': {
      const { files, worktree, tip } = result
      const named = `${files.slice(0, 5).join(', ')}${files.length > 5 ? ` and ${files.length - 5} more` : ''}`
      const what = `${worktree} has uncommitted changes (${named})`
      return refused('dirty', tip, `${what}: commit or stash them, then ropewalk land`)
    }
    case 'unfiltered': {
      const what = `git cannot write a file into ${result.worktree} (${oneLine(result.said)})`
      return refused('dirty', result.tip, `${what}: put that filter right, then ropewalk land`)
    }
    default:
      return never(result)
  }
}

/** Which checkouts change is on record before any does, so that whoever comes after a power cut knows what was ours. */
async function begin({ step, input, signal, record }: Landing, checkouts: string[]): Promise<void> {
  if (JSON.stringify(checkouts) === JSON.stringify(input.begunIn)) return
  await record({ type: 'LandingBegun', step: step.id, from: step.from, to: step.to, checkouts })
  if (signal.aborted) throw new TransientError('another driver has taken over')
}

/** By an earlier start of this step, which was killed, or by somebody who took the commit from our clone. */
const hasMoved = async ({ repository, step }: Landing): Promise<boolean> =>
  repository.isAncestor(step.to, await repository.fetchTarget(step.target))

/** The branch has moved, and that is so: what could not be noted of it is a concern. */
async function note(work: Landing, made: PromiseSettledResult<NoteChange[]>): Promise<void> {
  const reason = made.status === 'rejected' ? reasonOf(made.reason) : await addProofNotes(work, made.value)
  if (reason === null) return
  const later = `once that is put right, "ropewalk verify ${work.step.to.slice(0, 10)}" writes them`
  const text = `${unnoted}: ${oneLine(reason)}; ${later}`
  await work.record({ type: 'ConcernRaised', story: null, text })
}

/** It was no landing of ours: whoever may write to the repository has done it, also a program that ran unconfined. */
async function movedMessage({ repository, step }: Landing, tip: CommitId): Promise<string> {
  const { target, from } = step
  const subject = oneLine((await repository.readCommit(tip)).message.split('\n')[0] ?? '').slice(0, 80)
  return `${target} has moved, and not by a landing of Ropewalk: it was at ${from.slice(0, 10)} and is at ${tip.slice(0, 10)} ("${subject}") now`
}

/** How the concern about missing notes begins. */
export const unnoted = 'the proofs could not be noted in the repository'

/**
 * The notes of a landing. Made, and signed, before the branch moves: what cannot be signed does not land. What is
 * noted already is not signed again.
 */
export async function proofNotes(noting: Noting, step: Pick<Land, 'from' | 'to'>): Promise<NoteChange[]> {
  const { repository } = noting
  const statements = await statementsOf(noting, step)
  const present = await repository.readNotes(statements.map(({ subject }) => subject[0].digest.gitCommit))
  const notes: NoteChange[] = []
  for (const statement of statements) {
    const commit = statement.subject[0].digest.gitCommit
    const text = JSON.stringify(statement)
    if (!says(present.get(commit) ?? '', text)) notes.push(adding(commit, await signed(noting, text)))
    const { parts = [] } = statement.predicate.ropewalk_proof
    notes.push(...parts.map((part) => adding(part, partLine(commit))))
  }
  return notes
}

const adding = (commit: CommitId, line: string): NoteChange => ({ commit, add: (present) => noteWith(present, line) })

async function signed({ world, input }: Noting, text: string): Promise<string> {
  const { signWith } = input.policy
  if (signWith === null) return text
  return JSON.stringify(envelopeOf(text, await world.signing.sign(signWith, signedText(text))))
}

/** After the branch has moved. Why they could not be written; null: they are there. */
export async function addProofNotes({ repository, input }: Noting, notes: NoteChange[]): Promise<string | null> {
  if (notes.length === 0) return null
  const [added] = await Promise.allSettled([repository.addNotes({ at: input.request.at / 1000, notes })])
  if (added.status === 'rejected') return reasonOf(added.reason)
  return added.value.status === 'refused' ? added.value.reason : null
}

/** What the world says is a reason; a defect of ours is not. */
export function reasonOf(error: unknown): string {
  if (error instanceof TransientError || error instanceof TerminalError) return error.message
  throw error
}
