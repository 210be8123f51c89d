import { describe, expect, it } from 'vitest'
import type { Criterion } from '../../../src/delivery/plan/plan.ts'
import { judged, wordsOf } from './verdicts.ts'
import { check, openYard } from './yard.ts'

const wordsFor = async (proofs: Criterion[], run = 'true'): Promise<string[]> => {
  const yard = await openYard({
    files: { 'a.txt': 'alpha\n', 'cov/stale.info': 'LF:10\nLH:10\n' },
    stories: [{ id: 'one', proofs }],
    script: [{ do: [{ write: { 'docs/b.md': '# Beta\n' } }] }],
    policy: { judges: ['criteria'], checks: [check({ run })] },
  })
  return wordsOf(await judged(yard))
}

describe('criteria', () => {
  it('hold', async () => {
    expect(
      await wordsFor(
        [
          { type: 'file-exists', path: './docs/b.md' },
          { type: 'file-exists', path: 'docs' },
          { type: 'file-contains', path: 'docs/b.md', text: 'Beta' },
          { type: 'command-succeeds', run: 'grep -q alpha a.txt && test -e docs/b.md' },
          { type: 'output-contains', run: 'cat docs/*.md', text: '# Beta' },
          { type: 'coverage-at-least', report: 'cov/lcov.info', percent: 75 },
        ],
        "printf 'LF:4\\nLH:3\\n' > cov/lcov.info",
      ),
    ).toEqual([])
  })

  it('are a blocking finding each where they do not', async () => {
    expect(
      await wordsFor([
        { type: 'file-exists', path: 'docs/c.md' },
        { type: 'file-contains', path: 'a.txt', text: 'omega' },
        { type: 'file-contains', path: 'missing', text: 'omega' },
        { type: 'command-succeeds', run: 'exit 3' },
        { type: 'output-contains', run: 'echo omeg', text: 'omega' },
        { type: 'output-contains', run: 'echo omega; false', text: 'omega' },
        { type: 'coverage-at-least', report: 'cov/stale.info', percent: 1 },
      ]),
    ).toEqual([
      'blocking: there is no docs/c.md',
      'blocking: a.txt does not contain "omega"',
      'blocking: there is no missing',
      'blocking: `exit 3` did not succeed: exit code 3',
      'blocking: the output of `echo omeg` lacks "omega"',
      'blocking: `echo omega; false` did not succeed: exit code 1',
      'blocking: none of the checks writes cov/stale.info, so that nobody knows the coverage',
    ])
  })

  it('compare the coverage that a check has just written', async () => {
    const proofs: Criterion[] = [{ type: 'coverage-at-least', report: 'cov/stale.info', percent: 90 }]
    expect(await wordsFor(proofs, "printf 'LF:4\\nLH:3\\n' > cov/stale.info")).toEqual([
      'blocking: 75.00 % of the lines are covered, not 90 %',
    ])
    expect(await wordsFor(proofs, 'echo nothing > cov/stale.info')).toEqual([
      'blocking: cov/stale.info tells no coverage of lines',
    ])
  })
})
