import type { Statement } from '../../proof/statement/statement.ts'
import type { DeliveryRecord } from './record.ts'
import type { VerifyWorld } from './world.ts'

/** What a statement takes for earlier commits of its story must lie directly below it, and no deeper than the log knows. */
export async function partProblems(
  { repository }: Pick<VerifyWorld, 'repository'>,
  { subject, predicate }: Statement,
  kept: DeliveryRecord,
): Promise<string[]> {
  const { parts = [] } = predicate.ropewalk_proof
  const [first, ...rest] = parts
  if (first === undefined) return []
  const commit = subject[0].digest.gitCommit
  const from = lineBefore(kept, commit)
  const whole = from === null ? null : await repository.commits(`${from}..${commit}`)
  const [found, wanted] =
    whole === null ? [await repository.commits(`${first}..${commit}`), [...rest, commit]] : [whole, [...parts, commit]]
  return JSON.stringify(found) === JSON.stringify(wanted)
    ? []
    : ['what it names as its parts is not what lies below it']
}

/** Where the line was before this commit joined it. */
function lineBefore(kept: DeliveryRecord, commit: string): string | null {
  if (kept === null || 'broken' in kept) return null
  const joined = kept.entries.find(({ event }) => event.type === 'LineAdvanced' && event.to === commit)?.event
  return joined?.type === 'LineAdvanced' ? joined.from : null
}
