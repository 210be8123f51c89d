import type { Outcome } from '../delivery/events.ts'
import type { CheckPolicy } from '../delivery/policy.ts'
import type { HarvestStory, LendWorkspace, TidyStory } from '../delivery/step.ts'
import { noHandoff } from '../delivery/story/handoff.ts'
import type { Commits, FileChange } from '../ports/repository/commits.ts'
import type { Refs } from '../ports/repository/landings.ts'
import type { Workspaces } from '../ports/repository/workspaces.ts'
import { workMessage } from './merge/message.ts'
import { holding, inCleanPlace } from './place/clean.ts'
import { codedRef, setRef, tidiedRef } from './place/refs.ts'
import { endOf, runPinned } from './place/run-line.ts'
import { setUp } from './place/setup.ts'
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
  const path = world.places.workspace(input.delivery, step.story, step.attempt)
  const how = { message: workMessage(input), method: input.policy.mergeMethod }
  const left = before === null ? await repository.harvest({ path, base: step.base, ...how }) : null
  if (left?.empty && !input.spec.mayBeEmpty) {
    const message = 'nothing was changed in the workspace'
    return { type: 'CodingFailed', ...about, kind: 'empty', message, evidence: '' }
  }
  const commit = before ?? left!.commit
  await setRef(repository, ref, { from: before, to: commit })
  world.crashPoint('harvest:after-ref')
  const tree = await repository.treeOf(commit)
  // What they said when they were done is all that later roles hear of it.
  const notes = world.redact(input.words).slice(0, 2_000)
  const handoff = notes === '' ? noHandoff : { ...noHandoff, quality: 'partial' as const, notes }
  return { type: 'StoryCoded', ...about, commit, tree, summary: 'by a human', handoff }
}

type Tidying = StepWork<TidyStory, Copies & Refs>

const mostPasses = 2

/** Format and lint fixes by command, on the story's own files; best effort, the checks judge afterwards. */
export async function tidyStory(work: Tidying): Promise<Outcome> {
  const { world, input, step, repository } = work
  const { id, story, commit } = step
  const only = await ownFiles(work)
  const place = { name: '', commit, dressed: true }
  const tidied = only.length === 0 ? null : await inCleanPlace(work, place, (path) => tidy(work, path, only))
  if (tidied === null)
    return { type: 'StoryTidied', step: id, story, commit, tree: await repository.treeOf(commit), changed: [] }
  await setRef(repository, tidiedRef(input.delivery, step), { from: null, to: tidied.commit })
  world.crashPoint('tidy:after-ref')
  return { type: 'StoryTidied', step: id, story, ...tidied }
}

/** Tests that were shown to fail were tidied then: who writes the code to them must find them unchanged. */
async function ownFiles({ input, step, repository }: Tidying): Promise<string[]> {
  const changes = await repository.diff(step.base, step.commit)
  const since = input.red === null ? changes : await repository.diff(input.red, step.commit)
  const open = new Set(since.map(({ path }) => path))
  const isPlain = ({ newMode, binary }: FileChange) => newMode?.startsWith('100') === true && !binary
  return changes.filter((change) => isPlain(change) && open.has(change.path)).map(({ path }) => path)
}

type Tidied = { commit: string; tree: string; changed: string[] }

async function tidy(work: Tidying, place: string, only: string[]): Promise<Tidied | null> {
  const { input, step, repository } = work
  const { checks, mergeMethod } = input.policy
  if (!(await setUp(work, place)).ok) return null
  // The coder's commits stay below it where they are to be kept.
  const base = mergeMethod === 'rebase' ? step.commit : step.base
  const how = { path: place, commit: step.commit, base, only, message: workMessage(input) }
  let tidied = null as Tidied | null
  for (let pass = 1; pass <= mostPasses; pass++) {
    for (const [index, check] of checks.entries())
      await fix(work, check, { place, spool: `${step.id}-${pass}-${index}.fix` })
    const { commit, tree, changed } = await repository.commitPlace(how)
    if (tree === tidied?.tree || changed.length === 0) return tidied
    tidied = { commit, tree, changed }
  }
  return tidied
}

async function fix(
  work: Tidying,
  { fix: run, timeoutMs, needs }: CheckPolicy,
  { place, spool }: { place: string; spool: string },
): Promise<void> {
  if (run === null) return
  const exit = await runPinned(work, { run, cwd: place, site: { place, needs }, timeoutMs, spool, onLine: null })
  // An ordinary exit code says that something is left which it cannot mend: the check itself will tell.
  if (exit.reason === 'exited' && exit.code !== null && exit.code < 126) return
  const text = `tidying by "${run}" failed: ${endOf(exit)}`
  await work.record({ type: 'ConcernRaised', story: work.step.story, text })
}
