import type { Outcome } from '../../delivery/events.ts'
import { type Handoff, noHandoff } from '../../delivery/handoff/handoff.ts'
import type { HarvestStory } from '../../delivery/plan/steps.ts'
import { policyOf, storyOf } from '../../delivery/state.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import { workMessage } from '../commit/message.ts'
import { codedRef, setRef } from '../place/refs.ts'
import { repositoryFor } from '../place/request.ts'
import type { StepWorld } from '../world.ts'

type Harvesting = Performance<HarvestStory>

/** What a human left in the workspace, committed or not, is the story's work from now on: judged like any other. */
export async function harvestStory(world: StepWorld, performance: Harvesting): Promise<Outcome> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const ref = codedRef(state.id, step)
  // An earlier start may have been killed before its outcome: the workspace may have been used since.
  const before = performance.try > 1 ? await repository.readRef(ref) : null
  const commit = before ?? (await harvested(world, performance, repository))
  if (commit === null) return nothing(step)
  await setRef(repository, ref, { from: before, to: commit })
  world.crashPoint('harvest:after-ref')
  const tree = await repository.treeOf(commit)
  const about = { step: step.id, story: step.story, session: null }
  return { type: 'StoryCoded', ...about, commit, tree, summary: 'by a human', handoff: wordsOf(world, performance) }
}

async function harvested(
  world: StepWorld,
  { state, step }: Harvesting,
  repository: Repository,
): Promise<string | null> {
  const path = world.places.workspace(state.id, step.story, step.attempt)
  const message = workMessage(state, step.story)
  const method = policyOf(state).mergeMethod
  const snapshot = await repository.harvest({ path, base: step.base, message, method })
  const isNothing = snapshot.empty && !storyOf(state, step.story).spec.mayBeEmpty
  return isNothing ? null : snapshot.commit
}

const nothing = ({ id, story }: HarvestStory): Outcome => ({
  ...{ type: 'CodingFailed', step: id, story, kind: 'empty' },
  ...{ message: 'nothing was changed in the workspace', evidence: '', session: null },
})

/** What they said when they were done is all that later roles hear of it. */
function wordsOf(world: StepWorld, { state, step }: Harvesting): Handoff {
  const asked = state.questions[`take-over-${step.story}-${step.attempt}`]
  const notes = world.redact(asked?.answer?.text ?? '').slice(0, 2_000)
  return notes === '' ? noHandoff : { ...noHandoff, quality: 'partial', notes }
}
