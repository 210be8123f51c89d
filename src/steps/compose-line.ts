import type { Outcome } from '../delivery/events.ts'
import { storyOf } from '../delivery/state.ts'
import type { ComposeLine } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import { chainAt } from './commit/chain.ts'
import { conflictFindings, mustChoose } from './commit/conflict.ts'
import { byPlan, finalMessage } from './commit/message.ts'
import { composeByRules } from './merge/compose-by-rules.ts'
import { replayOf } from './merge/replay.ts'
import { composedRef, conflictedRef, setRef } from './place/refs.ts'
import { repositoryFor } from './place/request.ts'
import type { StepWorld } from './world.ts'

const asOne = 'it is one commit, and not the commits that its coder made'

/** The story's change on top of the line, as the commit, or the commits, that people will see. */
export async function composeLine(world: StepWorld, performance: Performance<ComposeLine>): Promise<Outcome> {
  const { state, step } = performance
  const { id, story, onto, base, commit } = step
  const repository = await repositoryFor(world, state)
  const chain = await chainAt(world, { delivery: state.id, story, commit })
  const changed = (await repository.diff(base, commit)).filter(({ status }) => status !== 'added')
  const paths = changed.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]))
  const message = finalMessage(state, story, { chain, changed: paths })
  const addition = byPlan(storyOf(state, story).spec, paths)
  const { replay, squashed } = await replayOf(world, performance, { repository, addition })
  const { composed, declined } = await composeByRules(world, performance, { repository, message, replay })
  world.crashPoint('compose:after-commit')
  if (composed.status === 'conflict') {
    await setRef(repository, conflictedRef(state.id, step), { from: null, to: composed.commit })
    const findings = await conflictFindings(performance, repository, { files: composed.files, declined })
    for (const text of mustChoose(composed.files)) await performance.record({ type: 'ConcernRaised', story, text })
    return { type: 'ComposeConflicted', step: id, story, onto, conflicted: composed.commit, findings }
  }
  const { tree } = composed
  if (tree === (await repository.treeOf(onto)))
    return { type: 'LineComposed', step: id, story, onto, commit: onto, tree }
  const because = squashed ?? composed.squashed
  if (because !== null) await performance.record({ type: 'ConcernRaised', story, text: `${asOne}: ${because}` })
  await setRef(repository, composedRef(state.id, step), { from: null, to: composed.commit })
  world.crashPoint('compose:after-ref')
  return { type: 'LineComposed', step: id, story, onto, commit: composed.commit, tree }
}
