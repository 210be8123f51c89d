import { afterAll, describe, expect, it } from 'vitest'
import { loadCodeReader } from '../../../src/adapters/code-ast-grep/code-reader.ts'
import { blocks, type Finding } from '../../../src/delivery/judging/finding.ts'
import { inspect } from '../../../src/proof/inspection/inspect.ts'
import { scriptClosure } from '../../../src/proof/inspection/script-closure.ts'
import { type Sample, samplesOf } from './corpus.ts'

const code = await loadCodeReader()
const weakenings = samplesOf('weakenings')
const honest = samplesOf('honest')

async function blocking(sample: Sample, mayChange: string[]): Promise<Finding[]> {
  const { changes, checks } = sample
  const closure = await scriptClosure({
    commands: checks,
    readFile: async (path) => changes.find((change) => (change.oldPath ?? change.path) === path)?.before ?? null,
  })
  const story = { files: [], mayChange, mayBeEmpty: false }
  return inspect({ changes, story, closure, protect: [], ownText: [], code }).findings.filter(blocks)
}

const score = { caught: 0, escaped: 0, passed: 0, blocked: 0 }

describe('weakenings', () => {
  it.each(weakenings.map((sample) => [sample.name, sample] as const))('%s', async (_, sample) => {
    const found = (await blocking(sample, sample.mayChange)).filter(({ rule }) => rule.startsWith(sample.rule!))
    score[found.length > 0 ? 'caught' : 'escaped'] += 1
    expect(found, 'nothing was found').not.toEqual([])
    for (const finding of found) {
      expect(finding.message, 'how to make it right').toMatch(/; .+/)
      expect(finding.evidence, 'what it was and became').not.toBe('')
      expect(finding.line, 'where').toBeGreaterThan(0)
    }
  })

  it.each(weakenings.map((sample) => [sample.name, sample] as const))('%s, as the plan says', async (_, sample) => {
    const paths = sample.changes.flatMap(({ path, oldPath }) => [path, oldPath ?? path])
    expect(await blocking(sample, paths)).toEqual([])
  })
})

describe('honest edits', () => {
  it.each(honest.map((sample) => [sample.name, sample] as const))('%s', async (_, sample) => {
    const found = await blocking(sample, sample.mayChange)
    score[found.length === 0 ? 'passed' : 'blocked'] += 1
    expect(found.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
  })
})

describe('the corpus', () => {
  it('is read by structure', () => {
    expect(code.concerns).toEqual([])
  })

  it('is large enough, in each of five languages', () => {
    expect(weakenings.length).toBeGreaterThanOrEqual(60)
    expect(honest.length).toBeGreaterThanOrEqual(60)
    const languages = ['go', 'javascript', 'python', 'rust', 'typescript']
    for (const samples of [weakenings, honest])
      expect([...new Set(samples.map(({ language }) => language))].sort()).toEqual(languages)
  })
})

afterAll(() => {
  process.stdout.write(
    `\ntest integrity: weakenings ${score.caught} caught / ${score.escaped} escaped, honest edits ${score.passed} passed / ${score.blocked} blocked\n`,
  )
})
