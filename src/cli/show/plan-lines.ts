import { sharingFiles } from '../../delivery/plan/course/planning.ts'
import type { Outline, Plan, Story } from '../../delivery/plan/plan.ts'
import { bold, dim, type ShownLine, titled } from './line.ts'

/** The story that the plan does not have: its tests are written before all others are begun. */
export const acceptanceLines = (story: { id: string; title: string } | null): ShownLine[] =>
  story === null ? [] : [[bold(story.id), `  ${story.title}`, dim('  added by the settings: its tests come first')]]

export function planLines(plan: Plan): ShownLine[] {
  const after = sharingFiles(plan)
  const lines = plan.stories.flatMap((story) => storyLines(story, after.get(story.id) ?? []))
  return [...(plan.outline === null ? [] : outlineLines(plan.outline)), ...lines]
}

/** Why it is this plan: only what somebody said. */
function outlineLines(outline: Outline): ShownLine[] {
  const { approach, runnerUp, invariants, nonGoals, tradeOffs, checklist, switchWhen, covers, risks } = outline
  const lost = runnerUp.approach === '' ? '' : `${runnerUp.approach} (${runnerUp.lostBecause})`
  const rows: [string, string[]][] = [
    ['Approach', [approach]],
    ['Rather than', [lost]],
    ['Would switch when', [switchWhen]],
    ['Stays true', invariants],
    ['Left out', nonGoals],
    ['Trade-offs', tradeOffs],
    ['Checked in the end', checklist.map(({ must, item }) => `${must ? 'must' : 'must not'}: ${item}`)],
    ['Covers', covers.map(({ criterion, stories }) => `${criterion} (${stories.join(', ') || 'no story'})`)],
    ['Risks', risks.map(({ risk, decision }) => (decision === '' ? risk : `${risk}: ${decision}`))],
  ]
  return rows.flatMap(([title, texts]) =>
    titled(
      bold(title),
      texts.filter((text) => text !== '').map((text) => `    ${text}`),
    ),
  )
}

function storyLines(story: Story, sharing: string[]): ShownLine[] {
  const others = sharing.filter((id) => !story.dependsOn.includes(id))
  return [
    [bold(story.id), `  ${story.title}`, dim(`  complexity ${story.complexity}`)],
    ...(story.dependsOn.length === 0 ? [] : [dim(`    after ${story.dependsOn.join(', ')}`)]),
    ...(others.length === 0 ? [] : [dim(`    after ${others.join(', ')} (same files)`)]),
    ...story.criteria.map((criterion) => `    - ${criterion}`),
    ...(story.strategy === null ? [] : [dim(`    ${testsText(story)}`)]),
    ...(story.mayChange.length === 0 ? [] : [dim(`    may change ${story.mayChange.join(', ')}`)]),
  ]
}

const testsText = ({ strategy, noTestsBecause }: Story): string =>
  strategy === 'none' ? `no tests: ${noTestsBecause}` : `tests: ${strategy}`
