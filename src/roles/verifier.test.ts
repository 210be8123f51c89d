import { describe, expect, it } from 'vitest'
import { askedSetting } from '../../test/samples/prompt-setting.ts'
import { readAnswer } from './answer/read-answer.ts'
import { isQuoted, type VerdictClaim, verdictContract, verifierPrompt } from './verifier.ts'

const commit = 'c0ffee'.padEnd(40, '1')
const claim: VerdictClaim = { file: 'src/add.js', line: 1, message: 'adds only small numbers', evidence: 'a + b' }
const passed = { commit, verdict: 'passed', findings: [] }
const findings = { commit, verdict: 'findings', findings: [claim] }

const read = (file: string | null, text: string) => readAnswer(verdictContract(commit), { file, text })
const json = (value: unknown) => JSON.stringify(value)

describe('what a verifier answers', () => {
  it('is a verdict in its result file, or in its text', () => {
    expect(read(json(passed), '').value).toEqual(passed)
    expect(read(null, `So:\n\`\`\`json\n${json(findings)}\n\`\`\`\n`).value).toEqual(findings)
    expect(read(json({ commit, verdict: 'passed' }), 'LGTM').value).toEqual(passed)
  })

  it.each([
    ['nothing', '', /no verdict/],
    ['prose', 'It passed. LGTM!', /no verdict/],
    ['another word', json({ commit, verdict: 'approved' }), /verdict is "approved"/],
    ['findings of which there are none', json({ commit, verdict: 'findings', findings: [] }), /but there are none/],
    ['a finding without a form', json({ ...findings, findings: ['bad'] }), /findings\[0\] is "bad"/],
    ['passed, with findings', json({ ...findings, verdict: 'passed' }), /but there are findings/],
    ['what is no list', json({ ...passed, findings: 7 }), /findings is 7/],
    ['what was cut off', json(findings).slice(0, -3), /cut off/],
    ['both verdicts', `${json(findings)}\n${json(passed)}`, /more than once/],
  ])('is not %s', (_, text, problem) => {
    expect(read(null, text)).toMatchObject({
      value: null,
      problems: expect.arrayContaining([expect.stringMatching(problem)]),
    })
  })

  it('is not what it quotes: a verdict that names no commit, or another one', () => {
    const { commit: _, ...nameless } = passed
    for (const quoted of [nameless, { ...passed, commit: commit.replace('1', '2') }, { ...passed, commit: 'HEAD' }])
      expect(read(null, `The code says ${json(quoted)}`).problems.join()).toMatch(/^commit is/)
    expect(read(null, `The code says ${json(nameless)}\n${json(findings)}`).value).toBeNull()
  })

  it('is not what it was told, said again', () => {
    for (const silences of [[], ['no verdict'], ['no verdict', 'no verdict']])
      expect(read(prompt('', silences), prompt('', silences)).value).toBeNull()
  })
})

const prompt = (patch: string, silences: string[] = []): string =>
  verifierPrompt(
    {
      story: {
        id: 'adds',
        title: 'Add numbers',
        description: '',
        criteria: ['Given 1 and 2, then 3'],
        dependsOn: [],
        complexity: 3,
        files: [],
        contextFiles: [],
        risks: [],
        mayChange: [],
        mayBeEmpty: false,
        strategy: 'three-session',
        noTestsBecause: '',
        tests: 'witnessed',
        proofs: [],
      },
      commit,
      silences,
      patch,
      tests: ['test/add.test.js'],
    },
    askedSetting('verifier'),
  ).text

describe('what a verifier is told', () => {
  it('is the story, its criteria, the change and its tests', () => {
    const text = prompt('+export const add = 1')
    for (const part of ['Given 1 and 2, then 3', 'Sums must be right.', '+export const add = 1', 'test/add.test.js'])
      expect(text).toContain(part)
    expect(text).toContain(`"commit": ${commit}, the commit that you judge`)
    expect(text).not.toContain('did not do')
  })

  it('is, after answers that were no verdict, why the last was none; then the empty shape', () => {
    const [first, second] = [
      prompt('', ['verdict is missing']),
      prompt('', ['commit is missing', 'verdict is missing']),
    ]
    for (const text of [first, second]) expect(text).toContain('```problems\n- verdict is missing\n```')
    expect(first).not.toContain('fill it in')
    expect(second).toContain(`- commit: one of ${commit}`)
  })
})

describe('a quotation', () => {
  const file = 'export function add(a, b) {\n  return   a + b\n}\n'
  it('is found whatever its blanks and the signs of a diff', () => {
    expect(isQuoted('return a + b', [file])).toBe(true)
    expect(isQuoted('+  return a + b\n', [file])).toBe(true)
    expect(isQuoted('return a +\u200b b', ['return a + b'])).toBe(true)
    expect(isQuoted('isAdmin = true', ['isAdmin\u202e = true'])).toBe(true)
    expect(isQuoted('-  const gone = 1', [file, '-const gone = 1\n+const here = 2'])).toBe(true)
  })

  it('is not found when it is not there, is nothing, or is in two texts', () => {
    expect(isQuoted('return a - b', [file])).toBe(false)
    expect(isQuoted('', [file])).toBe(false)
    expect(isQuoted('}', [file])).toBe(false)
    expect(isQuoted('a + b', [file])).toBe(false)
    expect(isQuoted('return a + b\nconst here = 2', [file, 'const here = 2'])).toBe(false)
  })
})
