import type { Complexity, Plan, Story } from './plan.ts'
import { complexities } from './plan.ts'

export interface Scored {
  complexity: Complexity
  reasons: string[]
}

/** How complex a story looks to somebody who can only count. A cross-check of what its author says, nothing more. */
export function scoreOf({ files, criteria, dependsOn, mayChange, risks, contextFiles }: Story): Scored {
  const parts: [points: number, reason: string][] = [
    [Math.max(0, files.length - 1) / 2, `${files.length} files`],
    [Math.max(0, foldersOf(files) - 1), `${foldersOf(files)} folders`],
    [Math.max(0, criteria.length - 2) / 2, `${criteria.length} criteria`],
    [Math.max(0, dependsOn.length - 1) / 2, `${dependsOn.length} dependencies`],
    [risks.length / 2, `${risks.length} risks`],
    [mayChange.length, `${mayChange.length} protected paths`],
    [contextFiles.length / 4, `${contextFiles.length} files to read`],
  ]
  const points = parts.reduce((sum, [part]) => sum + part, 1)
  const reasons = parts.filter(([part]) => part >= 0.5).map(([, reason]) => reason)
  return { complexity: complexities.findLast((one) => one <= points) ?? 1, reasons }
}

const foldersOf = (files: string[]): number => new Set(files.map((file) => file.split('/').slice(0, -1).join('/'))).size

/** Stories that look much larger than they are said to be: by two steps of the scale or more. */
export const doubtsOf = ({ stories }: Plan): string[] =>
  stories.flatMap((story) => {
    const { complexity, reasons } = scoreOf(story)
    const steps = complexities.indexOf(complexity) - complexities.indexOf(story.complexity)
    if (steps < 2) return []
    return [`${story.id} is planned as ${story.complexity} and looks like ${complexity}: ${reasons.join(', ')}`]
  })
