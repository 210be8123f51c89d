import { describe, expect, it } from 'vitest'
import type { Interim } from '../../../../src/delivery/events.ts'
import type { Policy } from '../../../../src/delivery/policy.ts'
import type { CodeStory } from '../../../../src/delivery/step.ts'
import { verdictOf, wordsOf } from '../verdicts.ts'
import { check, type Given, openYard, type Yard } from '../yard.ts'

const head = "import test from 'node:test'\nimport assert from 'node:assert'\n"
const one = (name: string, body: string) => `test('${name}', () => {\n  ${body}\n})\n`
const using = (module: string, ...tests: string[]) => `${head}import * as m from '${module}'\n${tests.join('')}`

const files = {
  'src/sum.mjs': 'export const sum = (a, b) => a + b\n',
  'test/sum.test.mjs': using('../src/sum.mjs', one('adds', 'assert.equal(m.sum(1, 2), 3)')),
}

const taxTest = using('../src/tax.mjs', one('taxes', 'assert.equal(m.tax(5), 1)'))
const tax = 'export const tax = (n) => n / 5\n'
const checks = [check({ run: 'node --test', related: 'node --test {files}' })]

const passed = { commit: '$ROPEWALK_COMMIT', verdict: 'passed', findings: [] }

interface Turns {
  tests: object[]
  code?: object[]
  verifier?: object[]
}

/** What the test writer, the coder and the verifier do, round by round. */
const given = (strategy: Policy['strategy'], turns: Turns, policy: Partial<Policy> = {}): Given => ({
  files,
  stories: [{ id: 'one', criteria: ['a fifth is tax'] }],
  script: [
    { role: 'test-writer', do: turns.tests },
    { role: 'coder', do: turns.code ?? [{ write: { 'src/tax.mjs': tax } }] },
    { role: 'verifier', do: turns.verifier ?? [{ result: passed }] },
  ],
  policy: { judges: ['inspection', 'check:test', 'witness'], checks, strategy, ...policy },
})

const honest = [{ write: { 'test/tax.test.mjs': taxTest, 'test/support/rates.mjs': 'export const rate = 5\n' } }]

async function judge(yard: Yard) {
  const step = await yard.due('Judge')
  return { judge: 'judge' in step ? step.judge : '', verdict: verdictOf(await yard.perform('Judge')) }
}

const coding = async (yard: Yard) => (await yard.due('CodeStory')) as CodeStory

/** From the beginning until the tests were shown to fail. */
async function untilRed(yard: Yard) {
  await yard.perform('CodeStory')
  const inspection = await judge(yard)
  return { inspection, red: await judge(yard) }
}

describe('tests that are written first', () => {
  it('are shown to fail, with how, and their writer goes on with the code', async () => {
    const yard = await openYard(given('tdd', { tests: honest }))
    const { interims } = await yard.perform('CodeStory')
    expect(interims.find(({ type }) => type === 'AgentStarted')).toMatchObject({ role: 'test-writer' })
    expect(await judge(yard)).toMatchObject({ judge: 'inspection', verdict: { status: 'passed' } })
    const red = await judge(yard)
    expect(red).toMatchObject({ judge: 'red', verdict: { findings: [{ severity: 'note', rule: 'red' }] } })
    expect(JSON.stringify(red)).toMatch(/tax\.mjs/)
    const next = await coding(yard)
    expect(next).toMatchObject({ phase: 'code', findings: [] })
    const coded = await yard.perform('CodeStory')
    expect(coded.interims.find(({ type }) => type === 'AgentStarted')).toMatchObject({ role: 'coder' })
    expect(await judge(yard)).toMatchObject({ judge: 'inspection', verdict: { status: 'passed' } })
    expect(await judge(yard)).toMatchObject({ judge: 'check:test', verdict: { status: 'passed' } })
    expect(await judge(yard)).toMatchObject({ judge: 'witness', verdict: { status: 'passed' } })
    expect((await yard.due('ComposeLine')).verb).toBe('ComposeLine')
  })

  it('are sent back by name when they pass at once', async () => {
    const already = [{ write: { 'test/more.test.mjs': using('../src/sum.mjs', one('is there', 'assert.ok(m.sum)')) } }]
    const yard = await openYard(given('tdd', { tests: already }))
    const { red } = await untilRed(yard)
    expect(wordsOf(red.verdict)).toEqual(['blocking: the test "is there" already passes, before any code is written'])
    expect(await coding(yard)).toMatchObject({ phase: 'tests', round: 2, findings: [{ rule: 'already-passes' }] })
  })

  it.each([
    ['cannot be loaded for another reason', `${head}test('x', () => {\n`, /could be executed, and not because/],
    ['are none', `${head}// nothing yet\n`, /no test|could be executed|already pass/],
  ])('are not red when they %s', async (_, text, words) => {
    const yard = await openYard(given('tdd', { tests: [{ write: { 'test/odd.test.mjs': text } }] }))
    const { red } = await untilRed(yard)
    expect(wordsOf(red.verdict)).toEqual([expect.stringMatching(words)])
    expect(wordsOf(red.verdict)[0]).toMatch(/^blocking/)
  })

  it('come without any code, and be it a stub', async () => {
    const stub = [{ write: { 'test/tax.test.mjs': taxTest, 'src/tax.mjs': 'export const tax = () => 0\n' } }]
    const yard = await openYard(given('tdd', { tests: stub }))
    await yard.perform('CodeStory')
    const { verdict } = await judge(yard)
    expect(verdict).toMatchObject({ status: 'findings', findings: [{ rule: 'not-a-test', file: 'src/tax.mjs' }] })
    expect(await coding(yard)).toMatchObject({ phase: 'tests' })
  })
})

describe('a story that may turn out to need nothing', () => {
  it('needs no test then either', async () => {
    const nothing = given('tdd', { tests: [{ say: 'All is there.' }], code: [{ say: 'So it is.' }] })
    const yard = await openYard({ ...nothing, stories: [{ id: 'one', mayBeEmpty: true }] })
    const { inspection, red } = await untilRed(yard)
    expect([inspection.verdict.status, red.verdict.status]).toEqual(['passed', 'passed'])
    await yard.perform('CodeStory')
    expect(await judge(yard)).toMatchObject({ judge: 'inspection', verdict: { status: 'passed' } })
  })

  it.each(['tdd', 'three-session'] as const)(
    'and needs code after all has no tests that came first (%s)',
    async (strategy) => {
      const nothing = given(strategy, { tests: [{ say: 'All is there.' }] }, { judges: ['inspection', 'witness'] })
      const yard = await openYard({ ...nothing, stories: [{ id: 'one', mayBeEmpty: true }] })
      await untilRed(yard)
      await yard.perform('CodeStory')
      await judge(yard)
      expect(wordsOf((await judge(yard)).verdict)).toEqual(['blocking: the story changes code, and no test'])
      expect(await coding(yard)).toMatchObject({ phase: strategy === 'tdd' ? 'code' : 'tests' })
    },
  )
})

describe('three sessions', () => {
  it('are three: the coder has no session of the test writer, and a third judges', async () => {
    const yard = await openYard(given('three-session', { tests: honest }))
    await untilRed(yard)
    expect((await yard.state()).stories.one?.thisAttempt.session).toBeNull()
    await yard.perform('CodeStory')
    for (const name of ['inspection', 'check:test', 'witness'])
      expect(await judge(yard)).toMatchObject({ judge: name, verdict: { status: 'passed' } })
    const { ending, interims } = await yard.perform('Review')
    expect(ending).toMatchObject({ type: 'Judged', judge: 'verifier', scope: 'story', verdict: { status: 'passed' } })
    expect(interims.map(({ type }) => type)).toEqual(['AgentStarted', 'SessionOpened', 'TurnSpent'])
    expect(interims[0]).toMatchObject({ role: 'verifier' })
    expect((await yard.due('ComposeLine')).verb).toBe('ComposeLine')
  })

  it('send a coder back who changes a test', async () => {
    const code = [{ write: { 'src/tax.mjs': tax, 'test/tax.test.mjs': taxTest.replace('m.tax(5), 1', 'm.tax(0), 0') } }]
    const yard = await openYard(given('three-session', { tests: honest, code }))
    await untilRed(yard)
    await yard.perform('CodeStory')
    const { verdict } = await judge(yard)
    expect(verdict).toMatchObject({ findings: [{ rule: 'test-changed-by-coder', file: 'test/tax.test.mjs' }] })
    expect(await coding(yard)).toMatchObject({ phase: 'code' })
  })

  it('leave the tests as they were shown, whatever a fixer would do to them', async () => {
    const fix = "sed -i '$a // touched' test/*.mjs src/*.mjs"
    const checked = [{ ...checks[0]!, fix }]
    const yard = await openYard(given('three-session', { tests: honest }, { checks: checked }))
    await yard.perform('CodeStory')
    await yard.perform('TidyStory')
    await judge(yard)
    await judge(yard)
    await yard.perform('CodeStory')
    expect((await yard.perform('TidyStory')).ending).toMatchObject({ changed: ['src/tax.mjs'] })
    expect(await judge(yard)).toMatchObject({ judge: 'inspection', verdict: { status: 'passed' } })
  })
})

describe('three sessions on a line that goes on', () => {
  it('excuse what the line has changed of the tests, and nothing else', async () => {
    const more = using('../src/sum.mjs', one('adds', 'assert.equal(m.sum(1, 2), 3)'), one('is', 'assert.ok(m.sum)'))
    const others = { 'src/tax.mjs': 'export const duty = 1\n', 'test/sum.test.mjs': more }
    const solved = { 'src/tax.mjs': `export const duty = 1\n${tax}` }
    const weaker = { ...solved, 'test/tax.test.mjs': taxTest.replace('m.tax(5), 1', 'm.tax(0), 0') }
    const yard = await openYard({
      ...given('three-session', { tests: honest }, { judges: ['inspection'] }),
      stories: [{ id: 'one' }, { id: 'two', strategy: 'after' }],
      script: [
        { role: 'test-writer', do: honest },
        { role: 'coder', story: 'two', do: [{ write: others }] },
        { role: 'coder', story: 'one', round: 2, do: [{ write: { 'src/tax.mjs': tax } }] },
        { role: 'coder', story: 'one', round: 3, do: [{ write: weaker }] },
        { role: 'coder', story: 'one', round: 4, do: [{ write: { ...solved, 'test/tax.test.mjs': taxTest } }] },
        { role: 'verifier', do: [{ result: passed }] },
      ],
    })
    const own = { story: 'one' }
    for (const verb of ['CodeStory', 'Judge', 'Judge', 'CodeStory'] as const) await yard.perform(verb, own)
    for (const verb of ['CodeStory', 'Judge', 'ComposeLine', 'AdvanceLine'] as const)
      await yard.perform(verb, { story: 'two' })
    for (const verb of ['Judge', 'Review'] as const) await yard.perform(verb, own)
    expect((await yard.perform('ComposeLine', own)).ending.type).toBe('ComposeConflicted')
    await yard.perform('CodeStory', own)
    expect(verdictOf(await yard.perform('Judge', own))).toMatchObject({
      findings: [{ rule: 'test-changed-by-coder', file: 'test/tax.test.mjs' }],
    })
    await yard.perform('CodeStory', own)
    expect(verdictOf(await yard.perform('Judge', own))).toMatchObject({ status: 'passed' })
  })
})

describe('three sessions on a line that has changed the same test file', () => {
  it('send a coder back who has merged it without the tests of the story', async () => {
    const adds = one('adds', 'assert.equal(m.sum(1, 2), 3)')
    const twice = one('doubles', 'assert.equal(m.double(2), 4)')
    const is = one('is', 'assert.ok(m.sum)')
    const tests = (...all: string[]) => ({ 'test/sum.test.mjs': using('../src/sum.mjs', ...all) })
    const code = (text: string) => ({ 'src/sum.mjs': `${files['src/sum.mjs']}${text}` })
    const double = 'export const double = (n) => 2 * n\n'
    const yard = await openYard({
      ...given('three-session', { tests: [] }, { judges: ['inspection'] }),
      stories: [{ id: 'one' }, { id: 'two', strategy: 'after' }],
      script: [
        { role: 'test-writer', do: [{ write: tests(adds, twice) }] },
        { role: 'coder', story: 'two', do: [{ write: { ...tests(adds, is), ...code('export const zero = 0\n') } }] },
        { role: 'coder', story: 'one', round: 2, do: [{ write: code(double) }] },
        { role: 'coder', story: 'one', round: 3, do: [{ write: { ...tests(adds, is), ...code(double) } }] },
        { role: 'coder', story: 'one', round: 4, do: [{ write: tests(adds, is, twice) }] },
        { role: 'verifier', do: [{ result: passed }] },
      ],
    })
    const own = { story: 'one' }
    for (const verb of ['CodeStory', 'Judge', 'Judge', 'CodeStory'] as const) await yard.perform(verb, own)
    for (const verb of ['CodeStory', 'Judge', 'ComposeLine', 'AdvanceLine'] as const)
      await yard.perform(verb, { story: 'two' })
    for (const verb of ['Judge', 'Review'] as const) await yard.perform(verb, own)
    expect((await yard.perform('ComposeLine', own)).ending.type).toBe('ComposeConflicted')
    await yard.perform('CodeStory', own)
    expect(wordsOf(verdictOf(await yard.perform('Judge', own)))).toContainEqual(
      expect.stringMatching(/^blocking: this test file was modified after its tests were shown to fail/),
    )
    await yard.perform('CodeStory', own)
    expect(verdictOf(await yard.perform('Judge', own))).toMatchObject({ status: 'passed' })
  })
})

describe('the verifier', () => {
  const reviewed = async (verifier: object[]) => {
    const yard = await openYard(given('three-session', { tests: honest, verifier }, { judges: ['inspection'] }))
    await untilRed(yard)
    await yard.perform('CodeStory')
    await judge(yard)
    return { yard, reviewed: await yard.perform('Review') }
  }
  const promptIn = async (yard: Yard, interims: Interim[]) => {
    const started = interims.find((event) => event.type === 'AgentStarted')
    return Buffer.from((await yard.world.blobs.get(started!.promptDigest)) ?? []).toString()
  }
  const claim = (evidence: string) => ({ file: 'src/tax.mjs', line: 1, message: 'wrong rate', evidence })

  it('sends back what it can show', async () => {
    const findings = [claim('export const tax = (n) => n / 5'), claim('return n * 7')]
    const { yard, reviewed: review } = await reviewed([{ result: { ...passed, verdict: 'findings', findings } }])
    expect(wordsOf(verdictOf(review))).toEqual([
      'blocking: wrong rate',
      'note: left out, because what it quotes is not there: wrong rate',
    ])
    expect(await coding(yard)).toMatchObject({ phase: 'code', findings: [{ source: 'verifier', line: 1 }] })
  })

  it.each([
    ['prose', [{ say: 'Looks good to me: passed!' }], /there is no verdict in the answer/],
    [
      'a verdict that names no commit',
      [{ result: { verdict: 'passed', findings: [] } }],
      /no verdict: commit is missing/,
    ],
    ['a verdict on its base', [{ result: { ...passed, commit: '$ROPEWALK_BASE' } }], /no verdict: commit is/],
    [
      'only what it cannot show',
      [{ result: { ...passed, verdict: 'findings', findings: [claim('eval(x)')] } }],
      /quotes nothing/,
    ],
    ['a question', [{ ask: { text: 'May I?' } }], /asked: May I/],
    ['a crash', [{ exit: 3 }], /turn failed/],
  ])('has no verdict with %s, and is asked again', async (_, verifier, reason) => {
    const { yard, reviewed: review } = await reviewed(verifier)
    expect(verdictOf(review)).toMatchObject({ status: 'none', reason: expect.stringMatching(reason) })
    expect(await yard.due('Review')).toMatchObject({ retry: 1 })
  })

  it('is told what was wrong with its answer, and then the empty shape', async () => {
    const { yard } = await reviewed([{ result: { ...passed, verdict: 'fine' } }])
    const told: string[] = []
    for (const _ of [1, 2]) {
      const { interims } = await yard.perform('Review')
      told.push(await promptIn(yard, interims))
    }
    for (const prompt of told)
      expect(prompt).toContain('- the answer is no verdict: verdict is "fine"; allowed: one of')
    expect(told.map((prompt) => prompt.includes('fill it in'))).toEqual([false, true])
  })

  it('is parked when its service takes no turns', async () => {
    const { reviewed: review } = await reviewed([{ limit: { resetsInMs: 60_000 } }])
    expect(review.ending).toMatchObject({ type: 'AgentRefused', kind: 'rate-limit', story: 'one' })
  })

  it('hears nothing of what the coder says, and changes nothing', async () => {
    const code = [{ write: { 'src/tax.mjs': tax } }, { say: 'I am sure that it is right.' }]
    const verifier = [{ shell: 'cat > /dev/null; test ! -e .git && echo gone >> src/tax.mjs' }, { result: passed }]
    const yard = await openYard(given('three-session', { tests: honest, code, verifier }, { judges: ['inspection'] }))
    await untilRed(yard)
    await yard.perform('CodeStory')
    await judge(yard)
    const { interims } = await yard.perform('Review')
    const prompt = await promptIn(yard, interims)
    expect(prompt).toContain('a fifth is tax')
    expect(prompt).toContain('+export const tax = (n) => n / 5')
    expect(prompt).not.toContain('I am sure')
    expect(interims).toContainEqual(
      expect.objectContaining({ type: 'ConcernRaised', text: expect.stringMatching(/verifier changed files/) }),
    )
  })
})
