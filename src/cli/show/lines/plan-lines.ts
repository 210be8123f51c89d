import type { Plan, Story } from '../../../delivery/plan/plan.ts'
import type { DeliveryState } from '../../../delivery/state.ts'
import { acceptanceOf } from '../../../delivery/story/acceptance.ts'
import type { Line } from '../line.ts'
import { bold, dim } from '../line.ts'

/** The story that the plan does not have: its tests are written before all others are begun. */
export function acceptanceLines(state: DeliveryState): Line[] {
  const story = acceptanceOf(state)
  if (story === null) return []
  const { id, title } = story.spec
  return [[bold(id), `  ${title}`, dim('  not of the plan: before all others, and run on the result')]]
}

export function planLines(plan: Plan): Line[] {
  return plan.stories.flatMap((story) => [
    [bold(story.id), `  ${story.title}`, dim(`  complexity ${story.complexity}`)],
    ...(story.dependsOn.length === 0 ? [] : [dim(`    after ${story.dependsOn.join(', ')}`)]),
    ...story.criteria.map((criterion) => `    - ${criterion}`),
    ...testsLine(story),
    ...(story.mayChange.length === 0 ? [] : [dim(`    may change ${story.mayChange.join(', ')}`)]),
  ])
}

function testsLine({ strategy, noTestsBecause }: Story): Line[] {
  if (strategy === null) return []
  return [dim(strategy === 'none' ? `    no tests: ${noTestsBecause}` : `    tests: ${strategy}`)]
}
