import type { Outcome } from '../delivery/events.ts'
import type { CheckPolicy } from '../delivery/policy.ts'
import { policyOf } from '../delivery/state.ts'
import type { TidyStory } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository.ts'
import { workMessage } from './commit/message.ts'
import { inCleanPlace } from './place/clean.ts'
import { setRef, tidiedRef } from './place/refs.ts'
import { repositoryFor } from './place/request.ts'
import { setUp } from './place/setup.ts'
import type { StepWorld } from './world.ts'

type Tidying = Performance<TidyStory>

const mostPasses = 2

/** Format and lint fixes by command, on the story's own files; best effort, the checks judge afterwards. */
export async function tidyStory(world: StepWorld, performance: Tidying): Promise<Outcome> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const only = await ownFiles(repository, step)
  const tidied =
    only.length === 0
      ? null
      : await inCleanPlace({ world, repository, delivery: state.id }, { name: step.id, commit: step.commit }, (place) =>
          tidy(world, performance, { repository, place, only }),
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

async function ownFiles(repository: Repository, { base, commit }: TidyStory): Promise<string[]> {
  const changes = await repository.diff(base, commit)
  return changes.filter((change) => change.status !== 'deleted' && !change.binary).map((change) => change.path)
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
      base: step.base,
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
  { state, step, mark, signal, record }: Tidying,
  { check, place, spool }: { check: CheckPolicy; place: string; spool: string },
): Promise<void> {
  if (check.fix === null) return
  const exit = await world.shell.run({
    run: { line: check.fix },
    cwd: place,
    env: world.environment({ CI: 'true' }),
    input: '',
    mark,
    timeoutMs: check.timeoutMs,
    idleTimeoutMs: null,
    signal,
    spool: world.places.spool(state.id, spool),
    onLine: null,
    onStart: null,
  })
  signal.throwIfAborted()
  // An ordinary exit code says that something is left which it cannot mend: the check itself will tell.
  if (exit.reason === 'exited' && exit.code !== null && exit.code < 126) return
  const why = exit.reason === 'exited' ? `exit code ${exit.code}` : exit.reason
  await record({ type: 'ConcernRaised', story: step.story, text: `tidying by "${check.fix}" failed: ${why}` })
}
