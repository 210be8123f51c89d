import { describe, expect, it } from 'vitest'
import { story } from '../../../test/simulation/sample.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import { freshStory } from '../../delivery/story/story.ts'
import { type ReviewView, storyReview } from './review.ts'
import { sarifOf } from './sarif.ts'

const finding: Finding = {
  ...{ source: 'review:correctness', rule: 'review', severity: 'important', file: 'src/a b#.ts', line: 3 },
  ...{ message: 'It is wrong.', evidence: '', fingerprint: 'f1', fixTarget: 'code' },
}
const said = {
  status: 'returned' as const,
  checked: ['a'],
  rebuttals: [],
  outside: [],
  checklist: [],
  findings: [finding],
}

describe('storyReview', () => {
  it('is nothing where nobody has reviewed', () => {
    expect(storyReview(freshStory(story('a'), 'story'))).toBeNull()
  })

  it('shows an absent reviewer as absent, and of two words on a criterion the worse', () => {
    const reviewed = freshStory(story('a'), 'story')
    const who = { agent: 'one', model: null }
    const word = (state: 'met' | 'partial') => ({ criterion: 'c', state, why: '' })
    reviewed.review.words = {
      correctness: { ...who, word: { ...said, verdict: 'approve', findings: [], criteria: [word('met')] } },
      criteria: { ...who, word: { ...said, verdict: 'needs-work', criteria: [word('partial')] } },
      security: { ...who, word: { status: 'absent', reason: 'late' } },
    }
    const view = storyReview(reviewed)
    expect(view?.criteria).toEqual([word('partial')])
    expect(view?.reviewers.map(({ vantage, verdict }) => [vantage, verdict])).toEqual([
      ['correctness', 'approve'],
      ['criteria', 'needs-work'],
      ['security', null],
    ])
  })
})

describe('scope', () => {
  const beyond = (fingerprint: string) => ({ ...finding, rule: 'scope', fingerprint })
  const reviewedWith = (...scopes: (string[] | undefined)[]) => {
    const one = freshStory(story('a'), 'review')
    const words = scopes.map((scope) => ({
      ...{ ...said, verdict: 'approve' as const, criteria: [], findings: ['x', 'y', 'z'].map(beyond) },
      ...(scope === undefined ? {} : { scope }),
    }))
    const [correctness, criteria] = words.map((word) => ({ agent: 'one', model: null, word }))
    one.review.words = { correctness: correctness!, ...(criteria === undefined ? {} : { criteria }) }
    return one
  }

  it('is one thing, whoever says it, with what became of it', () => {
    const one = reviewedWith(['x', 'y'], ['y', 'z'])
    one.review.deferred = [{ finding: beyond('x'), because: 'later' }]
    one.review.rejected = [{ finding: beyond('y'), because: 'it was asked for' }]
    const { status, findings } = storyReview(one)!.scope
    expect(status).toBe('found')
    expect(findings.map((each) => [each.finding.fingerprint, each.fate, each.because])).toEqual([
      ['x', 'deferred', 'later'],
      ['y', 'rejected', 'it was asked for'],
      ['z', 'open', ''],
    ])
  })

  it('is none only where somebody looked for it', () => {
    expect(storyReview(reviewedWith([]))?.scope).toMatchObject({ status: 'none' })
    expect(storyReview(reviewedWith(undefined))?.scope).toMatchObject({ status: 'unjudged' })
  })
})

describe('SARIF', () => {
  const view: ReviewView = {
    ...{ delivery: 'd', subject: 'Review x', base: 'b', commit: 'c', verdict: null, reason: '', concerns: [] },
    ...{ core: [], noise: [], round: 1, reviewers: [], criteria: [], checklist: [], split: [], unverified: false },
    ...{ trustedBy: null, scope: { status: 'none', why: '', findings: [] } },
    ...{ open: [finding], deferred: [{ finding: { ...finding, file: null }, because: 'out of scope' }], rejected: [] },
  }

  it('says where, how bad, what was let go, and that there is no verdict', () => {
    expect(sarifOf(view, '1')).toMatchObject({
      runs: [
        {
          invocations: [{ executionSuccessful: false }],
          results: [
            {
              level: 'warning',
              locations: [
                { physicalLocation: { artifactLocation: { uri: 'src/a%20b%23.ts' }, region: { startLine: 3 } } },
              ],
            },
            { suppressions: [{ kind: 'external', justification: 'out of scope' }] },
          ],
        },
      ],
    })
  })
})
