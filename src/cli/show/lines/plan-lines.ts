import type { Plan, Story } from '../../../delivery/plan/plan.ts'
import type { Line } from '../line.ts'
import { bold, dim } from '../line.ts'

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
