import { describe, expect, it } from 'vitest'
import { story } from '../../../test/simulation/sample.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import { freshStory } from '../../delivery/story/story.ts'
import type { ReviewView } from './review-view.ts'
import { sarifOf } from './sarif.ts'
import { storyReview } from './story-review.ts'

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
