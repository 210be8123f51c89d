import type { Outcome } from '../delivery/events.ts'
import type { CommitId } from '../delivery/ids.ts'
import type { CheckPolicy } from '../delivery/policy.ts'
import { policyOf, storyOf } from '../delivery/state.ts'
import type { TidyStory } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import type { FileChange, Repository } from '../ports/repository.ts'
import { workMessage } from './commit/message.ts'
import { inCleanPlace } from './place/clean.ts'
import { setRef, tidiedRef } from './place/refs.ts'
import { repositoryFor } from './place/request.ts'
import { endOf, runLine } from './place/run-line.ts'
import { setUp } from './place/setup.ts'
import type { StepWorld } from './world.ts'

type Tidying = Performance<TidyStory>

const mostPasses = 2

/** Format and lint fixes by command, on the story's own files; best effort, the checks judge afterwards. */
export async function tidyStory(world: StepWorld, performance: Tidying): Promise<Outcome> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const only = await ownFiles(repository, step, storyOf(state, step.story).red)
  const tidied =
    only.length === 0
      ? null
      : await inCleanPlace(
          { world, repository, performance },
          { name: '', commit: step.commit, dressed: true },
          (place) => tidy(world, performance, { repository, place, only }),
        )
  const { id, story } = step
  if (tidied === null || tidied.changed.length === 0) {
    const tree = await repository.treeOf(step.commit)
    return { type: 'StoryTidied', step: id, story, commit: step.commit, tree, changed: [] }
  }
  await setRef(repository, tidiedRef(state.id, step), { from: null, to: tidied.commit })
  world.crashPoint('tidy:after-ref')
  return { type: 'StoryTidied', step: id, story, ...tidied }
}

/** Tests that were shown to fail were tidied then: who writes the code to them must find them unchanged. */
async function ownFiles(repository: Repository, { base, commit }: TidyStory, red: CommitId | null): Promise<string[]> {
  const changes = await repository.diff(base, commit)
  const since = red === null ? changes : await repository.diff(red, commit)
  const open = new Set(since.map(({ path }) => path))
  const isPlain = ({ newMode, binary }: FileChange) => newMode?.startsWith('100') === true && !binary
  return changes.filter((change) => isPlain(change) && open.has(change.path)).map(({ path }) => path)
}

interface Tidied {
  commit: string
  tree: string
  changed: string[]
}

async function tidy(
  world: StepWorld,
  performance: Tidying,
  { repository, place, only }: { repository: Repository; place: string; only: string[] },
): Promise<Tidied | null> {
  const { state, step } = performance
  const message = workMessage(state, step.story)
  const ready = await setUp(world, performance, place)
  if (!ready.ok) return null
  let tidied = null as Tidied | null
  for (let pass = 1; pass <= mostPasses; pass++) {
    for (const [index, check] of policyOf(state).checks.entries())
      await fix(world, performance, { check, place, spool: `${step.id}-${pass}-${index}.fix` })
    const { commit, tree, changed } = await repository.commitPlace({
      path: place,
      commit: step.commit,
      // The coder's commits stay below it where they are to be kept.
      base: policyOf(state).mergeMethod === 'rebase' ? step.commit : step.base,
      only,
      message,
    })
    if (tree === tidied?.tree || changed.length === 0) return tidied
    tidied = { commit, tree, changed }
  }
  return tidied
}

async function fix(
  world: StepWorld,
  performance: Tidying,
  { check, place, spool }: { check: CheckPolicy; place: string; spool: string },
): Promise<void> {
  const { fix: run, timeoutMs, needs } = check
  if (run === null) return
  const exit = await runLine(world, performance, {
    run,
    cwd: place,
    site: { place, needs },
    timeoutMs,
    spool,
    onLine: null,
  })
  // An ordinary exit code says that something is left which it cannot mend: the check itself will tell.
  if (exit.reason === 'exited' && exit.code !== null && exit.code < 126) return
  const text = `tidying by "${run}" failed: ${endOf(exit)}`
  await performance.record({ type: 'ConcernRaised', story: performance.step.story, text })
}
