import type { Plan } from '../../../delivery/plan/plan.ts'
import type { Line } from '../line.ts'
import { bold, dim } from '../line.ts'

export function planLines(plan: Plan): Line[] {
  return plan.stories.flatMap((story) => [
    [bold(story.id), `  ${story.title}`, dim(`  complexity ${story.complexity}`)],
    ...(story.dependsOn.length === 0 ? [] : [dim(`    after ${story.dependsOn.join(', ')}`)]),
    ...story.criteria.map((criterion) => `    - ${criterion}`),
    ...(story.mayChange.length === 0 ? [] : [dim(`    may change ${story.mayChange.join(', ')}`)]),
  ])
}
