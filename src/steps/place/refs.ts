import type { CommitId } from '../../delivery/ids.ts'
import { TransientError } from '../../ports/errors.ts'
import type { Refs } from '../../ports/repository/landings.ts'

export const lineRef = (delivery: string): string => `refs/ropewalk/${delivery}/line`

/** The commit of one coding turn. That it exists says that the turn is over and its work is safe. */
export const codedRef = (delivery: string, turn: { story: string; attempt: number; round: number; turn: number }) =>
  `refs/ropewalk/${delivery}/story/${turn.story}/${turn.attempt}-${turn.round}-${turn.turn}`

export const tidiedRef = (delivery: string, turn: { story: string; attempt: number; round: number }) =>
  `refs/ropewalk/${delivery}/story/${turn.story}/${turn.attempt}-${turn.round}-tidied`

/** Tests of what reviewers found, on top of what they looked at. */
export const reproducedRef = (delivery: string, { id, story }: { id: string; story: string }): string =>
  `refs/ropewalk/${delivery}/story/${story}/reproduced-${id}`

type Composing = { id: string; story: string }

/** One for each time that the story is composed: what replaces a commit must not make it unreachable. */
export const composedRef = (delivery: string, { id, story }: Composing): string =>
  `refs/ropewalk/${delivery}/composed/${story}/${id}`

export const conflictedRef = (delivery: string, { id, story }: Composing): string =>
  `refs/ropewalk/${delivery}/conflicted/${story}/${id}`

export const conflictedRefs = (delivery: string, story: string): string =>
  `refs/ropewalk/${delivery}/conflicted/${story}/`

/** Puts a ref of ours where the log says it is, wherever it was; `from` is where it most likely was. */
export async function setRef(
  repository: Refs,
  ref: string,
  { from, to }: { from: CommitId | null; to: CommitId },
): Promise<void> {
  let seen = from
  for (let again = 0; again < 4; again++) {
    if (await repository.moveRef(ref, seen, to)) return
    seen = await repository.readRef(ref)
  }
  throw new TransientError(`${ref} is being moved by somebody else`)
}
