import type { Outcome } from '../delivery/events.ts'
import type { AdvanceLine } from '../delivery/step.ts'
import type { Refs } from '../ports/repository/landings.ts'
import type { Workspaces } from '../ports/repository/workspaces.ts'
import { lineRef, setRef } from './place/refs.ts'
import { workArchived } from './place/workspace.ts'
import type { StepWork } from './work.ts'

/** The line's ref follows the log, which is the truth, wherever the ref was. */
export async function advanceLine(work: StepWork<AdvanceLine, Workspaces & Refs>): Promise<Outcome> {
  const { world, input, step, repository } = work
  const { id, story, from, to, tree } = step
  const isFirst = from === input.request.base
  await setRef(repository, lineRef(input.delivery), { from: isFirst ? null : from, to })
  world.crashPoint('advance:after-ref')
  // What cannot be closed now is found by gc: the line must not wait for it.
  await Promise.allSettled(Array.from({ length: input.attempts }, (_, index) => close(work, index + 1)))
  return { type: 'LineAdvanced', step: id, story, from, to, tree }
}

async function close(
  { world, input, step, repository, record }: StepWork<AdvanceLine, Workspaces & Refs>,
  attempt: number,
): Promise<void> {
  const path = world.places.workspace(input.delivery, step.story, attempt)
  const archiveAs = `${input.delivery}/${step.story}/a${attempt}-closed`
  const archived = await repository.closeWorkspace({ path, archiveAs, kept: input.kept })
  if (archived !== null) await record(workArchived(step.story, archived, 'the story is on the line'))
}
