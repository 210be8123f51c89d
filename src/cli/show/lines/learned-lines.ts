import { type Pass, passes, type Remembered } from '../../../ports/memory/memory.ts'
import { shortId } from '../../../views/step-text.ts'
import type { Line } from '../line.ts'
import { bold, dim } from '../line.ts'
import { dateText } from '../time.ts'

/** What is known about a repository, and since when. */
export function learnedLines(remembered: Remembered, anew: Pass[]): Line[] {
  const known = passes.flatMap((pass) => {
    const learned = remembered.passes[pass]
    return learned === undefined ? [] : [{ pass, ...learned }]
  })
  return [
    ...known.flatMap(({ pass, at, commit, facts }): Line[] => [
      [
        bold(titles[pass]),
        dim(`  of ${shortId(commit)}, ${anew.includes(pass) ? 'just learned' : `since ${dateText(at)}`}`),
      ],
      ...facts.map(({ about, text }): Line => [`  ${about}: `, text]),
      ...(facts.length === 0 ? [dim('  nothing')] : []),
    ]),
    dim('Later prompts are told this, and that the files themselves count where they say otherwise.'),
  ]
}

const titles: Record<Pass, string> = {
  static: 'From the files',
  history: 'From the commits',
  model: 'By an agent that read it',
}
