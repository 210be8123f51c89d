import type { Outcome } from '../delivery/events.ts'
import { judgeOfTree } from '../delivery/judging/judging.ts'
import type { Land } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import { invariant, never } from '../std/never.ts'
import { repositoryFor } from './place/request.ts'
import { addNotes, proofNotes } from './travel/notes.ts'
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
  const notes = await proofNotes(world, performance, repository)
  world.crashPoint('land:before')
  const result = await repository.land({ branch: target, from, to })
  world.crashPoint('land:after')
  switch (result.status) {
    case 'landed':
      await addNotes(performance, { repository, notes })
      world.crashPoint('land:after-notes')
      return { type: 'Landed', step: id, from, to }
    case 'moved': {
      const tip = await repository.fetchTarget(target)
      return { type: 'LandingRefused', step: id, reason: 'moved', target: tip, message: `${target} has moved` }
    }
    case 'dirty':
      return { type: 'LandingRefused', step: id, reason: 'dirty', target: result.tip, message: dirtyMessage(result) }
    default:
      return never(result)
  }
}

function dirtyMessage({ files, worktree }: { files: string[]; worktree: string }): string {
  const named = files.slice(0, 5).join(', ')
  const rest = files.length > 5 ? ` and ${files.length - 5} more` : ''
  return `${worktree} has uncommitted changes (${named}${rest}): commit or stash them, then ropewalk land`
}
