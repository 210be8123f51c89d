import type { Outcome } from '../delivery/events.ts'
import type { CommitId } from '../delivery/ids.ts'
import type { Land } from '../delivery/step.ts'
import { judgeOfTree } from '../delivery/story/course/judging.ts'
import { TransientError } from '../ports/errors.ts'
import type { Performance } from '../ports/performer.ts'
import type { NoteChange, Repository } from '../ports/repository.ts'
import { invariant, never } from '../std/never.ts'
import { oneLine } from '../std/text/plain-text.ts'
import { repositoryFor } from './place/request.ts'
import { addNotes, proofNotes, reasonOf, unnoted } from './travel/notes.ts'
import type { StepWorld } from './world.ts'

/** The user's branch moves to a proven commit, or stays where it is. */
export async function land(world: StepWorld, performance: Performance<Land>): Promise<Outcome> {
  const { state, step } = performance
  const { id, target, from, to, tree } = step
  const missing = judgeOfTree(state, tree)
  const repository = await repositoryFor(world, state)
  invariant((await repository.treeOf(to)) === tree, `${to} does not have the tree that was proven`)
  // Other settings were pinned after it was started: what has moved is finished, but nothing moves without a proof.
  if (missing !== null && (await repository.fetchTarget(target)) === from) {
    await repository.giveUpLanding({ branch: target, from, to })
    const message = `the settings have changed: ${missing} must pass once more`
    return { type: 'LandingRefused', step: id, reason: 'moved', target: from, message }
  }
  const [made] = await Promise.allSettled([proofNotes(world, performance, repository)])
  if (made.status === 'rejected' && !(await hasMoved(repository, step))) throw made.reason
  world.crashPoint('land:before')
  const result = await repository.land({ branch: target, from, to, ...onRecord(performance) })
  world.crashPoint('land:after')
  switch (result.status) {
    case 'landed':
      await note(performance, repository, made)
      world.crashPoint('land:after-notes')
      return { type: 'Landed', step: id, from, to }
    case 'moved': {
      const tip = await repository.fetchTarget(target)
      return {
        type: 'LandingRefused',
        step: id,
        reason: 'moved',
        target: tip,
        message: await movedMessage(repository, step, tip),
      }
    }
    case 'dirty':
      return { type: 'LandingRefused', step: id, reason: 'dirty', target: result.tip, message: dirtyMessage(result) }
    case 'unfiltered':
      return { type: 'LandingRefused', step: id, reason: 'dirty', target: result.tip, message: filterMessage(result) }
    default:
      return never(result)
  }
}

/** Which checkouts change is on record before any does, so that whoever comes after a power cut knows what was ours. */
function onRecord({ step, state, signal, record }: Performance<Land>): {
  begunIn: string[] | null
  begins: (checkouts: string[]) => Promise<void>
} {
  const { begunIn } = state.line
  return {
    begunIn,
    async begins(checkouts) {
      if (JSON.stringify(checkouts) === JSON.stringify(begunIn)) return
      await record({ type: 'LandingBegun', step: step.id, from: step.from, to: step.to, checkouts })
      if (signal.aborted) throw new TransientError('another driver has taken over')
    },
  }
}

/** By an earlier start of this step, which was killed, or by somebody who took the commit from our clone. */
const hasMoved = async (repository: Repository, { target, to }: Land): Promise<boolean> =>
  repository.isAncestor(to, await repository.fetchTarget(target))

/** The branch has moved, and that is so: what could not be noted of it is a concern. */
async function note(
  performance: Performance<Land>,
  repository: Repository,
  made: PromiseSettledResult<NoteChange[]>,
): Promise<void> {
  const reason =
    made.status === 'rejected' ? reasonOf(made.reason) : await addNotes(performance, { repository, notes: made.value })
  if (reason === null) return
  const later = `once that is put right, "ropewalk verify ${performance.step.to.slice(0, 10)}" writes them`
  const text = `${unnoted}: ${oneLine(reason)}; ${later}`
  await performance.record({ type: 'ConcernRaised', story: null, text })
}

/** It was no landing of ours: whoever may write to the repository has done it, also a program that ran unconfined. */
async function movedMessage(repository: Repository, { target, from }: Land, tip: CommitId): Promise<string> {
  const subject = oneLine((await repository.readCommit(tip)).message.split('\n')[0] ?? '').slice(0, 80)
  return `${target} has moved, and not by a landing of Ropewalk: it was at ${from.slice(0, 10)} and is at ${tip.slice(0, 10)} ("${subject}") now`
}

function dirtyMessage({ files, worktree }: { files: string[]; worktree: string }): string {
  const named = files.slice(0, 5).join(', ')
  const rest = files.length > 5 ? ` and ${files.length - 5} more` : ''
  return `${worktree} has uncommitted changes (${named}${rest}): commit or stash them, then ropewalk land`
}

function filterMessage({ said, worktree }: { said: string; worktree: string }): string {
  return `git cannot write a file into ${worktree} (${oneLine(said)}): put that filter right, then ropewalk land`
}
