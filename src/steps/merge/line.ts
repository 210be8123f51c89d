import type { Outcome } from '../../delivery/events.ts'
import type { AdvanceLine } from '../../delivery/step.ts'
import type { Composed, Replay } from '../../ports/repository/composing.ts'
import type { Refs } from '../../ports/repository/landings.ts'
import type { CommitMessage, Workspaces } from '../../ports/repository/workspaces.ts'
import { pathsOf } from '../../proof/files/change.ts'
import { composedRef, conflictedRef, lineRef, setRef } from '../place/refs.ts'
import { workArchived } from '../place/workspace.ts'
import type { StepWork } from '../work.ts'
import { conflictFindings, mustChoose } from './conflict.ts'
import { lockToolFor, makeLocks } from './locks.ts'
import { byPlan, chainAt, finalMessage, type Laying, replayOf } from './message.ts'
import { settleConflicts } from './settle.ts'

const asOne = 'it is one commit, and not the commits that its coder made'

/** The story's change on top of the line, as the commit, or the commits, that people will see. */
export async function composeLine(work: Laying): Promise<Outcome> {
  const { world, input, step, repository, record } = work
  const { id, story, onto, base, commit } = step
  const { delivery } = input
  const chain = await chainAt(world, { delivery, story, commit })
  const changed = (await repository.diff(base, commit)).filter(({ status }) => status !== 'added')
  const paths = changed.flatMap(pathsOf)
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

interface ByRules {
  composed: Composed
  /** Why no rule settled a file, by path. */
  declined: Map<string, string>
}

/** Composes; what git cannot merge is settled by rules, lock files last, when their manifests are merged. */
async function composeByRules(
  work: Laying,
  given: { message: CommitMessage; replay: Replay | null },
): Promise<ByRules> {
  const { world, input, step, repository } = work
  const { onto, base, commit } = step
  const what = { ...given, onto, base, commit, method: input.policy.mergeMethod }
  const formats = await world.formats()
  const compose = async (locks: ReadonlyMap<string, string | null>): Promise<ByRules> => {
    const declined = new Map<string, string>()
    const composed = await repository.compose({
      ...what,
      settle: async (conflicts, merged) => settleConflicts({ conflicts, merged }, { locks, formats }, declined),
    })
    return { composed, declined }
  }
  const first = await compose(new Map())
  const { composed, declined } = first
  if (composed.status === 'composed' || !composed.files.some(({ path }) => lockToolFor(path) !== null)) return first
  const { made, failed } = await makeLocks(work, composed)
  world.crashPoint('compose:after-locks')
  const second = await compose(new Map([...made, ...[...failed.keys()].map((path) => [path, null] as const)]))
  for (const [path, reason] of failed) second.declined.set(path, `${declined.get(path) ?? ''} (${reason})`)
  return second
}

/** The line's ref follows the log, which is the truth, wherever the ref was. */
export async function advanceLine(work: StepWork<AdvanceLine, Workspaces & Refs>): Promise<Outcome> {
  const { world, input, step, repository, record } = work
  const { id, story, from, to, tree } = step
  const { delivery, kept } = input
  const isFirst = from === input.request.base
  await setRef(repository, lineRef(delivery), { from: isFirst ? null : from, to })
  world.crashPoint('advance:after-ref')
  const close = async (attempt: number): Promise<void> => {
    const path = world.places.workspace(delivery, story, attempt)
    const archiveAs = `${delivery}/${story}/a${attempt}-closed`
    const archived = await repository.closeWorkspace({ path, archiveAs, kept })
    if (archived !== null) await record(workArchived(story, archived, 'the story is on the line'))
  }
  // What cannot be closed now is found by gc: the line must not wait for it.
  await Promise.allSettled(Array.from({ length: input.attempts }, (_, index) => close(index + 1)))
  return { type: 'LineAdvanced', step: id, story, from, to, tree }
}
