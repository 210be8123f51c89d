import type { Outcome } from '../delivery/events.ts'
import { composeByRules } from './merge/compose-by-rules.ts'
import { conflictFindings, mustChoose } from './merge/conflict.ts'
import type { Laying } from './merge/in-between.ts'
import { byPlan, chainAt, finalMessage } from './merge/message.ts'
import { replayOf } from './merge/replay.ts'
import { composedRef, conflictedRef, setRef } from './place/refs.ts'

const asOne = 'it is one commit, and not the commits that its coder made'

/** The story's change on top of the line, as the commit, or the commits, that people will see. */
export async function composeLine(work: Laying): Promise<Outcome> {
  const { world, input, step, repository, record } = work
  const { id, story, onto, base, commit } = step
  const { delivery } = input
  const chain = await chainAt(world, { delivery, story, commit })
  const changed = (await repository.diff(base, commit)).filter(({ status }) => status !== 'added')
  const paths = changed.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [oldPath, path]))
  const message = finalMessage(input, { chain, changed: paths })
  const { replay, squashed } = await replayOf(work, byPlan(input.spec, paths))
  const { composed, declined } = await composeByRules(work, { message, replay })
  world.crashPoint('compose:after-commit')
  if (composed.status === 'conflict') {
    await setRef(repository, conflictedRef(delivery, step), { from: null, to: composed.commit })
    const findings = await conflictFindings(work, { files: composed.files, declined })
    for (const text of mustChoose(composed.files)) await record({ type: 'ConcernRaised', story, text })
    return { type: 'ComposeConflicted', step: id, story, onto, conflicted: composed.commit, findings }
  }
  const { tree } = composed
  if (tree === (await repository.treeOf(onto)))
    return { type: 'LineComposed', step: id, story, onto, commit: onto, tree }
  const because = squashed ?? composed.squashed
  if (because !== null) await record({ type: 'ConcernRaised', story, text: `${asOne}: ${because}` })
  await setRef(repository, composedRef(delivery, step), { from: null, to: composed.commit })
  world.crashPoint('compose:after-ref')
  return { type: 'LineComposed', step: id, story, onto, commit: composed.commit, tree }
}
