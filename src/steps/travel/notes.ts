import type { CommitId } from '../../delivery/ids.ts'
import type { Land } from '../../delivery/step.ts'
import { TerminalError, TransientError } from '../../ports/errors.ts'
import type { NoteChange } from '../../ports/repository/landings.ts'
import { envelopeOf, noteWith, partLine, says, signedText } from '../../proof/statement/note.ts'
import { type Noting, statementsOf } from './statements.ts'

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
