import type { Plan, Story } from '../../delivery/plan/plan.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import { canonical } from '../../std/hash.ts'

/** What is different, story by story; stories can neither come nor go. */
export function amendments(
  state: DeliveryState,
  given: Plan,
): { story: string; changes: Partial<Omit<Story, 'id'>> }[] {
  const ids = given.stories.map((story) => story.id)
  // What was added to mend the result was never in the user's file.
  const planned = state.plan.plan?.stories.map(({ id }) => id) ?? []
  const moved = [...ids.filter((id) => !state.order.includes(id)), ...planned.filter((id) => !ids.includes(id))]
  if (moved.length > 0)
    throw new TerminalError(
      `work on this plan has begun, so stories can neither come nor go: ${moved.join(', ')}`,
      'skip a story with `ropewalk skip`, and bring other work in by another delivery',
    )
  if (given.outline !== null && canonical(given.outline) !== canonical(state.plan.plan?.outline ?? null))
    throw new TerminalError(
      'work on this plan has begun, so its outline stays as it was approved',
      'leave the outline as it was; `ropewalk plan --export` shows it',
    )
  return given.stories.flatMap((story) => {
    const changes = changesOf(state.stories[story.id]!.spec, story)
    return Object.keys(changes).length === 0 ? [] : [{ story: story.id, changes }]
  })
}

function changesOf(before: Story, after: Story): Partial<Omit<Story, 'id'>> {
  const entries = Object.entries(after).filter(
    ([key, value]) => key !== 'id' && canonical(value) !== canonical(before[key as keyof Story]),
  )
  const changes = Object.fromEntries(entries) as Partial<Omit<Story, 'id'>>
  if (changes.dependsOn !== undefined)
    throw new TerminalError(
      `${after.id}: what a story depends on cannot be changed once work has begun`,
      'leave dependsOn as it was; `ropewalk plan --export` shows it',
    )
  return changes
}
