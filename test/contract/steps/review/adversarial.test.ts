// Whatever a triager answers, nothing that blocks is gone without a word; see test/corpora/triage.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkedTriage, opinionOf, overRejected } from '../../../../src/delivery/review/triage.ts'
import { readAnswer } from '../../../../src/roles/answer/read-answer.ts'
import { triageContract } from '../../../../src/roles/triager/contract.ts'
import { defaults } from '../../../../src/settings/defaults.ts'
import { named } from '../../../../src/steps/review/named.ts'
import { sortedOf } from '../../../../src/steps/review/triage-findings.ts'
import { finding } from './stage.ts'

const commit = 'c'.repeat(40)
const severities = ['blocking', 'blocking', 'important', 'suggestion', 'note'] as const
const findings = severities.map((severity, index) => finding({ severity, fingerprint: `print-${index + 1}` }))
const { blocks } = defaults.review

const folder = new URL('../../../corpora/triage/', import.meta.url)
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .map(
    (name) => [...name.split('.').slice(0, 2), readFileSync(new URL(name, folder), 'utf8')] as [string, string, string],
  )

function outcomeOf(text: string): string {
  const { value } = readAnswer(triageContract(commit), { file: null, text: text.replaceAll('$C', commit) })
  if (value === null) return 'faulted'
  const { problems, sorted } = checkedTriage(
    findings,
    value.sorted.map((one) => sortedOf(one, named(findings))),
  )
  if (problems.length > 0) return 'rework'
  const over = overRejected(findings, sorted, { blocks, outside: ['print-5'] })
  return over.length > 0 ? 'paused' : opinionOf(sorted, blocks)
}

describe('what a triager answers', () => {
  it.each(cases)('%s: %s', (_, outcome, text) => {
    expect(outcomeOf(text)).toBe(outcome)
  })

  it('is all there, and approves in none of these cases', () => {
    expect(cases.length).toBeGreaterThan(24)
    expect(cases.map(([, , text]) => outcomeOf(text))).not.toContain('approve')
  })
})
