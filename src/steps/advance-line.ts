import type { Outcome } from '../delivery/events.ts'
import { storyOf } from '../delivery/state.ts'
import type { AdvanceLine } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository.ts'
import { lineRef, setRef } from './place/refs.ts'
import { repositoryFor, requestOf } from './place/request.ts'
import { workArchived } from './place/workspace.ts'
import type { StepWorld } from './world.ts'

/** The line's ref follows the log, which is the truth, wherever the ref was. */
export async function advanceLine(world: StepWorld, performance: Performance<AdvanceLine>): Promise<Outcome> {
  const { state, step } = performance
  const { id, story, from, to, tree } = step
  const repository = await repositoryFor(world, state)
  const isFirst = from === requestOf(state).base
  await setRef(repository, lineRef(state.id), { from: isFirst ? null : from, to })
  world.crashPoint('advance:after-ref')
  // What cannot be closed now is found by gc: the line must not wait for it.
  await Promise.allSettled(workspacesOf(world, performance).map((path) => close(performance, repository, path)))
  return { type: 'LineAdvanced', step: id, story, from, to, tree }
}

interface Place {
  path: string
  attempt: number
}

function workspacesOf(world: StepWorld, { state, step }: Performance<AdvanceLine>): Place[] {
  const { attempt } = storyOf(state, step.story)
  return Array.from({ length: attempt }, (_, index) => ({
    path: world.places.workspace(state.id, step.story, index + 1),
    attempt: index + 1,
  }))
}

async function close(
  { state, step, record }: Performance<AdvanceLine>,
  repository: Repository,
  { path, attempt }: Place,
): Promise<void> {
  const archiveAs = `${state.id}/${step.story}/a${attempt}-closed`
  const { control } = storyOf(state, step.story)
  const kept = control.status === 'proving' ? [control.commit] : []
  const archived = await repository.closeWorkspace({ path, archiveAs, kept })
  if (archived !== null) await record(workArchived(step.story, archived, 'the story is on the line'))
}
