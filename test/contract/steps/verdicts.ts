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
