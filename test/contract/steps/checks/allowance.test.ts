import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../../../src/delivery/judging/finding.ts'
import { tellDurations, verdictOf, wordsOf } from '../verdicts.ts'
import { check, type Given, openYard } from '../yard.ts'

const testOf = (name: string, body: string) =>
  `import test from 'node:test'\nimport assert from 'node:assert'\nimport * as m from '../src/${name}.mjs'\ntest('${name}', () => {\n  ${body}\n})\n`

const code = (name: string) =>
  `export const ${name} = (n) => {\n  if (n < 0) return 0\n  return n * 2 + 1\n}\nexport const isBig = (n) => n > 100\n`

const suiteOf = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => `old${n}`).flatMap((name) => [
      [`src/${name}.mjs`, code(name)],
      [`test/${name}.test.mjs`, testOf(name, `assert.equal(m.${name}(1), 3)\n  assert.ok(!m.isBig(100))`)],
    ]),
  )

const story = (body: string) => ({ 'src/extra.mjs': code('extra'), 'test/extra.test.mjs': testOf('extra', body) })

interface Said {
  sensitivity: Verdict
  witness: Verdict
  /** What the commands of both took together, as the shell told it. */
  tookMs: number
  runs: number
}

/** Stands for the whole suite. */
const run = 'node --test ./test/old0.test.mjs'
const related = 'node --test {files}'

/** Each test file is told to take the same time, alone or with the others: nobody waits for it. */
async function judgedWith(files: number, fileMs: number, write: Record<string, string>): Promise<Said> {
  const given: Given = {
    files: suiteOf(files),
    stories: [{ id: 'one' }],
    script: [{ do: [{ write }] }],
    policy: { judges: ['sensitivity', 'witness'], checks: [check({ run, related, timeoutMs: 3_600_000 })] },
    untried: true,
  }
  const yard = await openYard(given)
  const took = tellDurations(
    yard,
    'node --test',
    (line) => fileMs * (line === run ? files : line.split('.test.mjs').length - 1),
  )
  await yard.perform('TryBase')
  await yard.perform('CodeStory')
  took.length = 0
  const [sensitivity, witness] = [verdictOf(await yard.perform('Judge')), verdictOf(await yard.perform('Judge'))]
  return { sensitivity, witness, tookMs: took.reduce((sum, one) => sum + one, 0), runs: took.length }
}

const good = story(
  'assert.equal(m.extra(1), 3)\n  assert.equal(m.extra(-1), 0)\n  assert.equal(m.extra(0), 1)\n  assert.ok(!m.isBig(100))',
)

describe('the time that sensitivity and witness take together', () => {
  it('is at most a quarter of what a suite of a minute takes, and what has no time left is told', async () => {
    const { sensitivity, witness, tookMs } = await judgedWith(40, 1_500, good)
    expect(tookMs).toBeLessThanOrEqual(15_000)
    expect(wordsOf(sensitivity)).toEqual([expect.stringMatching(/^note: test still notices src\/old\d+\.mjs:/)])
    expect(wordsOf(witness)).toEqual([expect.stringMatching(/^note: not tried, for lack of time: src\/extra\.mjs:\d/)])
  })

  it('does not grow to that of a suite of ten minutes, where tests that notice nothing still go back', async () => {
    const { witness, tookMs, runs } = await judgedWith(40, 15_000, story('m.extra(1)\n  m.isBig(1)'))
    expect(tookMs).toBeLessThanOrEqual(150_000)
    expect(runs).toBeGreaterThan(4)
    expect(wordsOf(witness)).toContainEqual(expect.stringMatching(/^blocking: no test notices the change/))
  })

  it('is for telling only where a single test file takes more, and nobody is held up', async () => {
    const { sensitivity, witness, runs } = await judgedWith(3, 100_000, story('m.extra(1)'))
    expect(runs).toBe(0)
    expect(sensitivity).toMatchObject({
      concerns: [expect.stringMatching(/^not tried, for lack of time: whether test/)],
    })
    expect(wordsOf(witness)).toEqual([
      expect.stringMatching(
        /^suggestion: not tried, for lack of time: whether test\/extra\.test\.mjs fails without the change; src\/extra/,
      ),
    ])
    expect(witness).toMatchObject({ failures: 0, concerns: [expect.stringMatching(/^one: not tried, /)] })
  })

  it('is what the settings allow where the suite is short', async () => {
    const { witness, runs } = await judgedWith(3, 10, good)
    expect(witness).toMatchObject({ status: 'passed' })
    expect(runs).toBeGreaterThan(6)
  })
})
