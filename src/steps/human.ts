import type { Outcome } from '../delivery/events.ts'
import type { HarvestStory, LendWorkspace } from '../delivery/plan/steps.ts'
import { noHandoff } from '../delivery/story/handoff.ts'
import type { Commits } from '../ports/repository/commits.ts'
import type { Refs } from '../ports/repository/landings.ts'
import type { Workspaces } from '../ports/repository/workspaces.ts'
import { workMessage } from './merge/message.ts'
import { holding } from './place/clean.ts'
import { codedRef, setRef } from './place/refs.ts'
import { readyWorkspace } from './place/workspace.ts'
import type { Copies, StepWork } from './work.ts'

/** A workspace in which a human can begin: the last work that there is, with its dependencies ready. */
export async function lendWorkspace(work: StepWork<LendWorkspace, Copies & Workspaces>): Promise<Outcome> {
  const { world, input, step } = work
  const path = world.places.workspace(input.delivery, step.story, step.attempt)
  await holding(work, path, () => readyWorkspace(work, path, false))
  return { type: 'WorkspaceLent', step: step.id, story: step.story, path }
}

/** What a human left in the workspace, committed or not, is the story's work from now on: judged like any other. */
export async function harvestStory(work: StepWork<HarvestStory, Commits & Workspaces & Refs>): Promise<Outcome> {
  const { world, input, step, repository } = work
  const about = { step: step.id, story: step.story, session: null }
  const ref = codedRef(input.delivery, step)
  // An earlier start may have been killed before its outcome: the workspace may have been used since.
  const before = work.try > 1 ? await repository.readRef(ref) : null
  const commit = before ?? (await harvested(work))
  if (commit === null) {
    const message = 'nothing was changed in the workspace'
    return { type: 'CodingFailed', ...about, kind: 'empty', message, evidence: '' }
  }
  await setRef(repository, ref, { from: before, to: commit })
  world.crashPoint('harvest:after-ref')
  const tree = await repository.treeOf(commit)
  // What they said when they were done is all that later roles hear of it.
  const notes = world.redact(input.words).slice(0, 2_000)
  const handoff = notes === '' ? noHandoff : { ...noHandoff, quality: 'partial' as const, notes }
  return { type: 'StoryCoded', ...about, commit, tree, summary: 'by a human', handoff }
}

async function harvested({
  world,
  input,
  step,
  repository,
}: StepWork<HarvestStory, Commits & Workspaces & Refs>): Promise<string | null> {
  const path = world.places.workspace(input.delivery, step.story, step.attempt)
  const how = { message: workMessage(input), method: input.policy.mergeMethod }
  const { empty, commit } = await repository.harvest({ path, base: step.base, ...how })
  return empty && !input.spec.mayBeEmpty ? null : commit
}
