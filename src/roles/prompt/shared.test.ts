import { describe, expect, it } from 'vitest'
import type { CheckedAssumption, Interpretation } from '../../delivery/intent/interpretation.ts'
import { noIntent } from '../../delivery/intent/state.ts'
import { noHandoff } from '../../delivery/story/handoff.ts'
import {
  conventionPaths,
  conventionsSection,
  correctionsSection,
  doubtsSection,
  handoffsSection,
  intentSection,
} from './shared.ts'

describe('conventions', () => {
  it('are looked for in every folder around the paths, and not at the root', () => {
    expect(conventionPaths(['src/api/a.ts', 'src/b.ts', 'c.ts'])).toEqual([
      'src/AGENTS.md',
      'src/CLAUDE.md',
      'src/api/AGENTS.md',
      'src/api/CLAUDE.md',
    ])
  })

  it('are at most five, those that govern most, each with its own folder, and not the same twice', () => {
    const paths = Array.from({ length: 8 }, (_, n) => [`f${n}/a`, ...(n < 3 ? [`f${n}/b`] : [])]).flat()
    const found = Array.from({ length: 8 }, (_, n) => ({ path: `f${n}/AGENTS.md`, text: `rule ${n}` }))
    const twin = { path: 'f0/CLAUDE.md', text: 'rule 0' }
    const elsewhere = { path: 'f0-more/AGENTS.md', text: 'not for these' }
    const { parts } = conventionsSection([...found, twin, elsewhere], paths)
    expect(parts.map((part) => /from (\S+)/.exec(part)?.[1])).toEqual([0, 1, 2, 3, 4].map((n) => `f${n}/AGENTS.md`))
  })
})

describe('handoffs', () => {
  const handoff = {
    ...noHandoff,
    quality: 'full' as const,
    decisions: [{ what: 'kept', why: 'simple' }],
    tests: ['t.test.js'],
    deviations: [
      { from: 'the plan', why: 'there is no such file', material: true },
      { from: 'a name', why: 'taken', material: false },
    ],
    notes: 'mended since',
  }

  it('are the fields of the row, whole, what others must know first', () => {
    const { parts } = handoffsSection('coder', [{ story: 'one', handoff }])
    expect(parts[0]).toContain('the plan: there is no such file')
    expect(parts.map((part) => part.split('\n')[0])).toEqual([
      'one, it is not what the plan says, and others must know:',
      'one, where it is not what the plan says:',
      'one, what was decided:',
      'one, tests that it added:',
      'one, later notes, not checked by anybody:',
    ])
    expect(handoffsSection('reviewer', [{ story: 'one', handoff }]).parts).toEqual([])
  })

  it('that are only notes say so', () => {
    const { parts } = handoffsSection('coder', [
      { story: 'one', handoff: { ...noHandoff, quality: 'partial', notes: 'done' } },
    ])
    expect(parts).toEqual(['one, only notes, not checked by anybody:\n```handoff\n- done\n```'])
  })
})

describe('what is meant', () => {
  const reading = {
    summary: 'Totals are rounded',
    terms: [],
    behaviours: ['1.005 is 1.01'],
    files: [],
    size: 'small' as const,
    examples: [],
  }
  const checked = (id: string, verdict: CheckedAssumption['verdict']): CheckedAssumption => ({
    ...{ id, claim: `claim ${id}`, verdict, evidence: 'seen', file: 'src/a.js', line: 3 },
  })
  const intent = {
    ...noIntent(),
    words: {
      first: {
        status: 'read' as const,
        interpretation: {} as Interpretation,
        quality: 'full' as const,
        agent: '',
        model: null,
      },
    },
    meaning: { reading, seat: 'first' as const, by: 'law', because: '' },
    contract: {
      hash: 'h',
      criteria: ['Given 1.005, then 1.01'],
      answers: [{ question: 'up?', answer: 'half up', by: 'ada' }],
    },
    checked: { first: [checked('a', 'holds'), checked('b', 'unknown'), checked('c', 'refuted')] },
    council: {
      ...{ level: 'clear' as const, survived: true, winner: null, basis: '', weaker: false },
      dissents: [{ seat: 'challenger-1' as const, summary: 'Totals are cut', differs: ['rounding'] }],
    },
  }

  it('is told with its criteria and what a human answered', () => {
    const text = intentSection(intent).parts.join('\n')
    for (const part of ['Totals are rounded', '1.005 is 1.01', 'Given 1.005, then 1.01', 'ada: half up'])
      expect(text).toContain(part)
    expect(intentSection(noIntent()).parts).toEqual([])
  })

  it('is told with its doubts: what is refuted comes first', () => {
    const { parts } = doubtsSection(intent)
    expect(parts[0]).toMatch(/the code says otherwise:\n```assumption\nclaim c\nsrc\/a\.js:3/)
    expect(parts[1]).toMatch(/treat it as a risk\.\n```assumption\nclaim b/)
    expect(parts[2]).toContain('Totals are cut')
    expect(parts.join()).not.toContain('claim a')
  })

  it('is corrected once, however often it is said', () => {
    const one = { story: 's', assumption: 'from 1', fact: 'from 0', evidence: '' }
    const corrections = [one, { ...one, story: 't' }]
    expect(correctionsSection(corrections).parts).toEqual(['```correction\nassumed: from 1\nit is: from 0\n```'])
  })
})
