import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Reproduction } from '../../../../src/delivery/review/review.ts'
import { check } from '../yard.ts'
import { code, commit, type Done, finding, head, openStage, type Stage } from './stage.ts'

const importing = `${head}import { total } from '../src/total.mjs'\n`
const one = (name: string, body: string) => `${importing}test('${name}', async () => {\n  ${body}\n})\n`
const file = 'test/repro.test.mjs'
const test = { finding: 'F1', file, test: 'takes the discount off', shows: '10 !== 7' }
const red = one('takes the discount off', 'assert.strictEqual(total([4, 6], 3), 7)')

const firstOnly = { file: 'src/total.mjs', is: 'a + b', wouldBe: 'a' }
const notTaken = { file: 'src/total.mjs', is: 'return sum', wouldBe: 'return discount > 0 ? 4 : sum' }

const writes = (text: string, said: object = {}, also: object[] = []) => [
  {
    role: 'test-writer',
    do: [{ write: { [file]: text } }, ...also, { result: { commit, tests: [{ ...test, ...said }], none: [] } }],
  },
]

const outcome = ({ ending }: Done) => {
  if (ending.type !== 'FindingsReproduced') throw new Error(JSON.stringify(ending))
  return ending
}
const keptRefs = async ({ yard }: Stage): Promise<string[]> =>
  (await yard.repository.refs('refs/ropewalk/d1/story/one/'))
    .filter(({ ref }) => ref.includes('reproduced-'))
    .map((one) => one.commit)
const first = (done: Done): Reproduction => outcome(done).reproductions[0]!

describe('a test for a finding', () => {
  it('that fails as predicted confirms it, and is kept as a red test on what was reviewed', async () => {
    const stage = await openStage({ script: writes(red) })
    const done = await stage.reproduce([finding()])
    expect(first(done)).toMatchObject({
      fingerprint: 'f-discount',
      result: 'confirmed',
      test: `${file}: takes the discount off`,
    })
    const { commit: kept, tree } = outcome(done).red!
    const { repository } = stage.yard
    expect(await repository.readFile(kept, file)).toBe(red)
    expect(await repository.treeOf(kept)).toBe(tree)
    expect(await repository.diff(stage.about.commit, kept)).toMatchObject([
      { path: file, status: 'added', newMode: '100644' },
    ])
    expect(
      (await repository.history({ from: stage.about.commit, to: kept, limit: 5 })).map(({ commit: id }) => id),
    ).toEqual([kept])
    expect(await keptRefs(stage)).toEqual([kept])
    expect(done.interims[0]).toMatchObject({ type: 'AgentStarted', role: 'test-writer' })
  })

  it('that passes refutes it, and is not kept', async () => {
    const adds = one('takes the discount off', 'assert.strictEqual(total([4, 6], 0), 10)')
    const stage = await openStage({ script: writes(adds, { shows: '4 !== 10', ifTrue: firstOnly }) })
    const done = await stage.reproduce([finding()])
    expect(first(done)).toMatchObject({ result: 'refuted', test: 'test/repro.test.mjs: takes the discount off' })
    expect(outcome(done).red).toBeNull()
    expect(await keptRefs(stage)).toEqual([])
  })

  const elsewhere = 'assert.strictEqual(total([4, 6], 0), 10)'
  it.each([
    [
      'whatever the code does',
      'assert.ok(true)',
      firstOnly,
      /where the finding is true, .* passes: it refutes nothing/,
    ],
    ['and is about something else', elsewhere, notTaken, /where the finding is true, .* passes: it refutes nothing/],
    [
      'and fails there for another reason',
      elsewhere,
      { ...firstOnly, wouldBe: '3' },
      /not as predicted.*refutes nothing/,
    ],
    ['and nobody says what would be wrong', elsewhere, null, /nobody said how the code would be/],
    ['and says of the code what is not so', elsewhere, { ...firstOnly, is: 'a * b' }, /does not have once/],
    ['and would break the test itself', elsewhere, { ...firstOnly, file }, /does not have once/],
  ])('that passes %s refutes nothing', async (_, body, ifTrue, why) => {
    const script = writes(one('takes the discount off', body), { shows: '4 !== 10', ifTrue })
    const stage = await openStage({ script })
    expect(first(await stage.reproduce([finding()]))).toMatchObject({
      result: 'inconclusive',
      why: expect.stringMatching(why),
    })
  })

  it.each([
    [
      'does not compile',
      `${importing}test('takes the discount off', () => {\n`,
      {},
      /not compile|not be loaded|was not executed|run died/,
    ],
    [
      'imports what is not there',
      one('takes the discount off', 'assert.ok(1)').replace('total.mjs', 'nowhere.mjs'),
      {},
      /not be loaded|was not executed|not compile|run died/,
    ],
    [
      'holds no test',
      `${head}assert.ok(total)\n`.replace(head, importing),
      {},
      /no test was executed|was not executed/,
    ],
    ['has another name', red.replace('takes the discount off', 'is otherwise'), {}, /was not executed/],
    [
      'fails otherwise than predicted',
      one('takes the discount off', 'assert.strictEqual(total([4, 6], 3), 8)'),
      {},
      /not as predicted/,
    ],
    [
      'fails by its own fault',
      one('takes the discount off', 'expect(total([1], 1)).toBe(2)'),
      { shows: 'is not defined' },
      /own fault/,
    ],
    ['is skipped', red.replace("test('", "test.skip('"), {}, /not executed|no test/],
  ])('that %s shows nothing', async (_, text, said, why) => {
    const stage = await openStage({ script: writes(text, said) })
    const done = await stage.reproduce([finding()])
    expect(first(done)).toMatchObject({ result: 'inconclusive', test: null, why: expect.stringMatching(why) })
    expect(outcome(done).red).toBeNull()
  })

  it('that does not end in time shows nothing', async () => {
    const hanging = one('takes the discount off', 'await new Promise((done) => setTimeout(done, 60_000))')
    const checks = [check({ run: 'node --test', related: 'node --test {files}', timeoutMs: 1_500 })]
    const stage = await openStage({ script: writes(hanging), policy: { checks } })
    expect(first(await stage.reproduce([finding()]))).toMatchObject({
      result: 'inconclusive',
      why: expect.stringMatching(/in time/),
    })
  })

  it.each([
    ['fails, and then passes', 'was ? 7 : total([4, 6], 3)'],
    ['passes, and then fails', 'was ? total([4, 6], 3) : 7'],
  ])('that %s shows nothing', async (_, found) => {
    const seen = `const fs = await import('node:fs'); const was = fs.existsSync(process.env.MOOD); fs.writeFileSync(process.env.MOOD, '')`
    const moody = one('takes the discount off', `${seen}; assert.strictEqual(${found}, 7)`)
    const mood = join(mkdtempSync(join(tmpdir(), 'ropewalk-mood-')), 'seen')
    const related = `MOOD=${mood} node --test {files}`
    const stage = await openStage({
      script: writes(moody),
      policy: { checks: [check({ run: 'node --test', related })] },
    })
    expect(first(await stage.reproduce([finding()]))).toMatchObject({
      result: 'inconclusive',
      why: expect.stringMatching(/and then not so again/),
    })
  })

  it.each([
    ['a test that was there', { file: 'test/other.test.mjs', test: 'is' }],
    ['code', { file: 'src/total.mjs' }],
    ['a file outside', { file: '../../escape.test.mjs' }],
    ['a file that is not there', { file: 'test/nowhere.test.mjs' }],
  ])('is not %s', async (_, said) => {
    const also = [{ write: { 'test/other.test.mjs': red, 'src/total.mjs': 'export const total = () => 7\n' } }]
    const stage = await openStage({ script: writes(red, said, also) })
    const done = await stage.reproduce([finding()])
    expect(first(done)).toMatchObject({ result: 'inconclusive', why: expect.stringMatching(/no new test file/) })
    expect(outcome(done).red).toBeNull()
  })

  it('is run with the code as it was reviewed, whatever its writer did to it', async () => {
    const also = [{ write: { 'src/total.mjs': 'export const total = () => 7\n' } }]
    const stage = await openStage({ script: writes(red, {}, also) })
    const done = await stage.reproduce([finding()])
    expect(first(done).result).toBe('confirmed')
    expect(await stage.yard.repository.readFile(outcome(done).red!.commit, 'src/total.mjs')).toBe(code)
  })

  it('never holds anything up: no writer, no answer, no command', async () => {
    for (const script of [
      [{ role: 'test-writer', do: [{ crash: 'SIGKILL' }] }],
      [{ role: 'test-writer', do: [{ say: 'Hm.' }] }],
    ]) {
      const stage = await openStage({ script })
      expect(first(await stage.reproduce([finding()]))).toMatchObject({ result: 'inconclusive' })
    }
    const stage = await openStage({ script: writes(red), policy: { checks: [check({ run: 'node --test' })] } })
    expect(first(await stage.reproduce([finding()]))).toMatchObject({
      result: 'inconclusive',
      why: expect.stringMatching(/no check/),
    })
  })

  it('is one for each finding: each has its own fate', async () => {
    const green = one('adds up', 'assert.strictEqual(total([4, 6], 0), 10)')
    const other = 'test/other-repro.test.mjs'
    const tests = [test, { finding: 'F2', file: other, test: 'adds up', shows: '4 !== 10', ifTrue: firstOnly }]
    const none = [{ finding: 'F3', why: 'It is about a name.' }]
    const script = [
      { role: 'test-writer', do: [{ write: { [file]: red, [other]: green } }, { result: { commit, tests, none } }] },
    ]
    const stage = await openStage({ script })
    const findings = [finding(), finding({ fingerprint: 'f2' }), finding({ fingerprint: 'f3' })]
    const done = await stage.reproduce(findings)
    expect(outcome(done).reproductions.map(({ fingerprint, result }) => [fingerprint, result])).toEqual([
      ['f-discount', 'confirmed'],
      ['f2', 'refuted'],
      ['f3', 'inconclusive'],
    ])
    const changed = await stage.yard.repository.diff(stage.about.commit, outcome(done).red!.commit)
    expect(changed.map(({ path }) => path)).toEqual([file])
  })
})

describe('a test that is not where tests can be', () => {
  const outside = mkdtempSync(join(tmpdir(), 'ropewalk-outside-'))
  writeFileSync(join(outside, 'repro.test.mjs'), red)

  it.each([
    ['in what git keeps for itself', '.git/repro.test.mjs', 'mkdir .git && cp test/repro.test.mjs .git/'],
    [
      'in the same under another name',
      'test/.GIT/repro.test.mjs',
      'mkdir test/.GIT && cp test/repro.test.mjs test/.GIT/',
    ],
    ['in a folder without a name', 'test//repro.test.mjs', 'true'],
    ['behind a link', 'test/led/repro.test.mjs', `ln -s ${outside} test/led`],
  ])('is none, and holds nothing up: %s', async (_, named, shell) => {
    const stage = await openStage({ script: writes(red, { file: named }, [{ shell }]) })
    const done = await stage.reproduce([finding()])
    expect(first(done)).toMatchObject({ result: 'inconclusive', why: expect.stringContaining('no new test file') })
    expect(outcome(done).red).toBeNull()
  })
})
