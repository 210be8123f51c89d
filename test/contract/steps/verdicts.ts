import type { Verdict } from '../../../src/delivery/judging/finding.ts'
import type { Performed, Yard } from './yard.ts'

/** Codes the story and asks the first judge that is due. */
export async function judged(yard: Yard): Promise<Verdict> {
  await yard.perform('CodeStory')
  return verdictOf(await yard.perform('Judge'))
}

export function verdictOf({ ending }: Performed): Verdict {
  if (ending.type !== 'Judged') throw new Error(`not judged: ${ending.type}`)
  return ending.verdict
}

/** What was found, the most important first words only. */
export const wordsOf = (verdict: Verdict): string[] =>
  verdict.status === 'findings' ? verdict.findings.map(({ severity, message }) => `${severity}: ${message}`) : []

/** Commands that start so are told to take so long: nobody waits for them. What each was told to take, in their order. */
export function tellDurations(yard: Yard, start: string, msOf: (line: string) => number): number[] {
  const { shell } = yard.world
  const told: number[] = []
  yard.world.shell = {
    ...shell,
    run: async (command) => {
      const exit = await shell.run(command)
      const line = 'line' in command.run ? command.run.line : ''
      if (!line.startsWith(start)) return exit
      const durationMs = msOf(line)
      told.push(durationMs)
      return { ...exit, durationMs }
    },
  }
  return told
}
