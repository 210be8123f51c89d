import type { Composed, Composer, Replay } from '../../ports/repository/composing.ts'
import type { CommitMessage } from '../../ports/repository/workspaces.ts'
import type { Laying } from './in-between.ts'
import { lockToolFor } from './lock-tools.ts'
import { makeLocks } from './locks.ts'
import { settleConflicts } from './settle.ts'

export interface ByRules {
  composed: Composed
  /** Why no rule settled a file, by path. */
  declined: Map<string, string>
}

/** Composes; what git cannot merge is settled by rules, lock files last, when their manifests are merged. */
export async function composeByRules(
  work: Laying,
  { message, replay }: { message: CommitMessage; replay: Replay | null },
): Promise<ByRules> {
  const { world, input, step, repository } = work
  const { onto, base, commit } = step
  const method = input.policy.mergeMethod
  const formats = await world.formats()
  const compose = async (locks: ReadonlyMap<string, string | null>): Promise<ByRules> => {
    let declined = new Map<string, string>()
    const settle: Parameters<Composer['compose']>[0]['settle'] = async (conflicts, merged) => {
      const settling = settleConflicts({ conflicts, merged }, { locks, formats })
      declined = settling.declined
      return settling.settlement
    }
    return { composed: await repository.compose({ onto, base, commit, message, method, replay, settle }), declined }
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
