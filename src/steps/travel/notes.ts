import { policyOf } from '../../delivery/state.ts'
import type { Land } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { NoteChange, Repository } from '../../ports/repository.ts'
import { envelopeOf, signedText } from '../../proof/statement/envelope.ts'
import { noteWith } from '../../proof/statement/note.ts'
import { requestOf } from '../place/request.ts'
import type { StepWorld } from '../world.ts'
import { statementsOf } from './statements.ts'

/** The notes of a landing. Made, and signed, before the branch moves: what cannot be signed does not land. */
export async function proofNotes(
  world: StepWorld,
  { state, step }: Performance<Land>,
  repository: Repository,
): Promise<NoteChange[]> {
  const { signWith } = policyOf(state)
  const statements = await statementsOf(world, { state, step, repository })
  const notes: NoteChange[] = []
  for (const statement of statements) {
    const text = JSON.stringify(statement)
    const line =
      signWith === null ? text : JSON.stringify(envelopeOf(text, await world.signing.sign(signWith, signedText(text))))
    notes.push({ commit: statement.subject[0].digest.gitCommit, add: (present) => noteWith(present, line) })
  }
  return notes
}

/** After the branch has moved. Notes that cannot be written are a concern: the landing stands without them. */
export async function addNotes(
  { state, record }: Performance<Land>,
  { repository, notes }: { repository: Repository; notes: NoteChange[] },
): Promise<void> {
  if (notes.length === 0) return
  const added = await repository.addNotes({ at: requestOf(state).at / 1000, notes })
  if (added.status !== 'refused') return
  const text = `the proofs could not be noted in the repository: ${added.reason}`
  await record({ type: 'ConcernRaised', story: null, text })
}
