// Whatever a triager answers, nothing that blocks is gone without a word; see test/corpora/triage.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkedTriage, opinionOf, overRejected } from '../../../../src/delivery/review/triage.ts'
import { readAnswer } from '../../../../src/roles/answer/read-answer.ts'
import { triageContract } from '../../../../src/roles/triager.ts'
import { namedFindings } from '../../../../src/steps/review/change.ts'
import { sortedOf } from '../../../../src/steps/review/findings.ts'
import { defaults } from '../../../default-settings.ts'
import { finding } from './stage.ts'

const commit = 'c'.repeat(40)
const severities = ['blocking', 'blocking', 'important', 'suggestion', 'note'] as const
const findings = severities.map((severity, index) => finding({ severity, fingerprint: `print-${index + 1}` }))
const { blocks } = defaults.review

const corpus = readFileSync(new URL('../../../corpora/triage/outputs.txt', import.meta.url), 'utf8')
const cases = corpus
  .split(/^=== /m)
  .slice(1)
  .map((part): [name: string, outcome: string, text: string] => {
    const [head = '', ...text] = part.split('\n')
    const [name = '', outcome = ''] = head.split(': ')
    return [name, outcome, text.join('\n')]
  })

function outcomeOf(text: string): string {
  const { value } = readAnswer(triageContract(commit), { file: null, text: text.replaceAll('$C', commit) })
  if (value === null) return 'faulted'
  const { problems, sorted } = checkedTriage(
    findings,
    value.sorted.map((one) => sortedOf(one, namedFindings(findings))),
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
