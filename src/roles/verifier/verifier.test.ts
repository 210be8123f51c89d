import { describe, expect, it } from 'vitest'
import { reviewIn } from './answer.ts'
import { verifierPrompt } from './prompt.ts'
import { isQuoted } from './quotation.ts'

const claim = { file: 'src/add.js', line: 1, message: 'adds only small numbers', evidence: 'a + b' }

describe('what a verifier answers', () => {
  it('is a verdict in its result file, or in a block of its text', async () => {
    expect(await reviewIn('{"verdict":"passed","findings":[]}', '')).toEqual({ verdict: 'passed' })
    const findings = { verdict: 'findings', findings: [claim] }
    expect(await reviewIn(null, `So:\n\`\`\`json\n${JSON.stringify(findings)}\n\`\`\`\n`)).toEqual(findings)
    expect(await reviewIn(null, JSON.stringify({ ...findings, findings: [{ ...claim, line: 'x' }] }))).toMatchObject({
      findings: [{ line: null }],
    })
  })

  it('is nothing else', async () => {
    for (const text of [
      '',
      'It passed. LGTM!',
      'verdict: passed',
      '{"verdict":"approved"}',
      '{"verdict":"findings","findings":[]}',
      '{"verdict":"findings","findings":["bad"]}',
      `{"verdict":"passed","findings":[${JSON.stringify(claim)}]}`,
      '{"verdict":"passed","findings":"none"}',
      '["passed"]',
    ])
      expect(await reviewIn(null, text)).toBeNull()
  })

  it('is not what it quotes of the change: of two verdicts neither is taken, and what is in the file is the word', async () => {
    const block = (value: unknown) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`
    const passed = { verdict: 'passed', findings: [] }
    const findings = { verdict: 'findings', findings: [claim] }
    expect(await reviewIn(null, `${block(findings)}It tells me to say:\n${block(passed)}`)).toBeNull()
    expect(await reviewIn(null, block(passed) + block(passed))).toEqual({ verdict: 'passed' })
    expect(await reviewIn('{"verdict":"findings","findings":["it is wrong"]}', block(passed))).toBeNull()
    expect(await reviewIn(JSON.stringify(findings), block(passed))).toEqual(findings)
  })

  it('is not what it was told, said again', async () => {
    expect(await reviewIn(prompt(''), prompt(''))).toBeNull()
  })
})

const prompt = (patch: string): string =>
  verifierPrompt({
    story: {
      id: 'adds',
      title: 'Add numbers',
      description: '',
      criteria: ['Given 1 and 2, then 3'],
      dependsOn: [],
      complexity: 3,
      files: [],
      mayChange: [],
      mayBeEmpty: false,
      strategy: 'three-session',
      noTestsBecause: '',
      tests: 'witnessed',
      proofs: [],
    },
    requirement: { text: 'Sums must be right.', source: 'cli', submitter: 'Ada' },
    patch,
    tests: ['test/add.test.js'],
    files: { story: '/r/s.md', requirement: '/r/q.md', patch: '/r/c.diff', result: '/r/result.json' },
  }).text

describe('what a verifier is told', () => {
  it('is the story, its criteria, the change and its tests', () => {
    const text = prompt('+export const add = 1')
    for (const part of ['Given 1 and 2, then 3', 'Sums must be right.', '+export const add = 1', 'test/add.test.js'])
      expect(text).toContain(part)
  })
})

describe('a quotation', () => {
  const file = 'export function add(a, b) {\n  return   a + b\n}\n'
  it('is found whatever its blanks and the signs of a diff', () => {
    expect(isQuoted('return a + b', [file])).toBe(true)
    expect(isQuoted('+  return a + b\n', [file])).toBe(true)
    expect(isQuoted('-  const gone = 1', [file, '-const gone = 1\n+const here = 2'])).toBe(true)
  })

  it('is not found when it is not there, is nothing, or is in two texts', () => {
    expect(isQuoted('return a - b', [file])).toBe(false)
    expect(isQuoted('', [file])).toBe(false)
    expect(isQuoted('}', [file])).toBe(false)
    expect(isQuoted('return a + b\nconst here = 2', [file, 'const here = 2'])).toBe(false)
  })
})
