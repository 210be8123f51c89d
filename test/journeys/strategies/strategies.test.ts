// Tests before code, three sessions, and acceptance tests, from the request to the target.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exits, until } from '../binary.ts'
import { killedInEach, resumed, sameEnds, undisturbed } from '../kill/matrix.ts'
import type { Walk } from '../kill/walk.ts'
import { story, Yard } from '../yard.ts'

const head = "import test from 'node:test'\nimport assert from 'node:assert'\n"
const one = (name: string, body: string) => `test('${name}', () => {\n  ${body}\n})\n`
const taxTest = `${head}import { tax } from '../src/tax.mjs'\n${one('taxes', 'assert.equal(tax(5), 1)')}`
const right = { 'src/tax.mjs': 'export const tax = (n) => n / 5\n' }
const wrong = { 'src/tax.mjs': 'export const tax = (n) => n * 5\n' }
const sumTest = `${head}import { sum } from '../src/sum.mjs'\n${one('adds', 'assert.equal(sum(1, 2), 3)')}`

const writes = (files: Record<string, string>) => [{ write: files }]
const tester = (files: Record<string, string>, more: object = {}) => ({
  role: 'test-writer',
  ...more,
  do: writes(files),
})
const coder = (files: Record<string, string>, more: object = {}) => ({ role: 'coder', ...more, do: writes(files) })
const satisfied = {
  role: 'verifier',
  do: [{ result: { commit: '$ROPEWALK_COMMIT', verdict: 'passed', findings: [] } }],
}

const open = (script: object[], config: object): Yard =>
  new Yard({
    config: {
      agents: { player: { driver: 'scripted', script: 'script.yaml' } },
      checks: { test: { run: 'node --test', related: 'node --test {files}' } },
      ...config,
    },
    files: {
      'script.yaml': JSON.stringify(script),
      'src/sum.mjs': 'export const sum = (a, b) => a + b\n',
      'test/sum.test.mjs': sumTest,
    },
  })

const rolesOf = async (yard: Yard) => (await yard.eventsOf('AgentStarted')).map(({ role }) => role)

/** What each judge said: the first words of what held the work back, or that it passed. */
const verdictsOf = async (yard: Yard) =>
  (await yard.eventsOf('Judged')).map(({ judge, verdict }) => {
    const found =
      verdict.status === 'findings' ? verdict.findings.find(({ severity }) => severity === 'blocking') : null
    return `${judge}: ${found?.rule ?? (verdict.status === 'none' ? 'none' : 'passed')}`
  })

describe('tests before code', () => {
  it('are shown red, then made green by their writer, and both can be seen', async () => {
    const yard = open([tester({ 'test/tax.test.mjs': taxTest }), coder(right)], { strategy: 'tdd' })
    exits(await yard.runPlan([story('tax')]), 0)
    expect(yard.files()).toEqual(expect.arrayContaining(['src/tax.mjs', 'test/tax.test.mjs']))
    expect(await rolesOf(yard)).toEqual(['test-writer', 'coder'])
    const sessions = (await yard.eventsOf('SessionOpened')).map(({ session }) => session)
    expect(new Set(sessions).size).toBe(1)
    const seen = /red: passed; noted: red, as it should be, without the code: "taxes"/
    expect(exits(await yard.ropewalk('log', '--limit', '500'), 0).stdout).toMatch(seen)
    expect(exits(await yard.ropewalk('report', '--internal'), 0).stdout).toMatch(/red, as it should be/)
  })

  it('are sent back when they pass at once, with the name of the test', async () => {
    const early = sumTest.replace("'adds'", "'adds early'").replace('1, 2), 3', '2, 2), 4')
    const script = [
      tester({ 'test/tax.test.mjs': early }),
      tester({ 'test/tax.test.mjs': taxTest }, { prompt: 'the test "adds early" already passes' }),
      coder(right),
    ]
    const yard = open(script, { strategy: 'tdd' })
    exits(await yard.runPlan([story('tax')]), 0)
    expect((await verdictsOf(yard)).slice(0, 4)).toEqual([
      'inspection: passed',
      'red: already-passes',
      'inspection: passed',
      'red: passed',
    ])
    expect(await rolesOf(yard)).toEqual(['test-writer', 'test-writer', 'coder'])
  })
})

describe('three sessions', () => {
  it('send a coder back who changes a test, and end with the word of a verifier', async () => {
    const eased = { ...right, 'test/tax.test.mjs': taxTest.replace('tax(5), 1', 'tax(0), 0') }
    const script = [
      tester({ 'test/tax.test.mjs': taxTest }),
      coder(eased),
      coder({ ...right, 'test/tax.test.mjs': taxTest }, { prompt: 'test-changed-by-coder' }),
      satisfied,
    ]
    const yard = open(script, { strategy: 'three-session' })
    exits(await yard.runPlan([story('tax')]), 0)
    const verdicts = await verdictsOf(yard)
    expect(verdicts.slice(0, 3)).toEqual(['inspection: passed', 'red: passed', 'inspection: test-changed-by-coder'])
    expect(verdicts).toContain('verifier: passed')
    expect(await rolesOf(yard)).toEqual(['test-writer', 'coder', 'coder', 'verifier'])
    const sessions = (await yard.eventsOf('SessionOpened')).map(({ session }) => session)
    expect(new Set(sessions).size).toBe(3)
    expect(exits(await yard.ropewalk('verify', 'main'), 0).stdout).toMatch(/reviewed by agent player;/)
    expect(exits(await yard.ropewalk('report'), 0).stdout).toMatch(/Judged by the agent player/)
  })
})

const acceptance = { 'test/acceptance.test.mjs': taxTest }
const apart = story('tax', { strategy: 'none', noTestsBecause: 'the acceptance tests are enough' })

describe('acceptance tests', () => {
  it('are drafted first, shown red, and pass on the result', async () => {
    const yard = open([tester(acceptance), coder(right)], { acceptance: true })
    exits(await yard.runPlan([apart]), 0)
    const verdicts = await verdictsOf(yard)
    expect(verdicts.slice(0, 2)).toEqual(['inspection: passed', 'red: passed'])
    expect(verdicts.at(-1)).toBe('acceptance: passed')
    expect(yard.files()).toContain('test/acceptance.test.mjs')
  })

  it('that are red on the result are mended by a story of their own', async () => {
    const script = [tester(acceptance), coder(wrong), coder(right, { prompt: 'found by acceptance' })]
    const checks = { test: { run: 'node --test test/sum.test.mjs', related: 'node --test {files}' } }
    const yard = open(script, { acceptance: true, checks })
    exits(await yard.runPlan([apart]), 0)
    const said = (await verdictsOf(yard)).filter((verdict) => verdict.startsWith('acceptance'))
    expect(said).toContain('acceptance: test-failed')
    expect(said.at(-1)).toBe('acceptance: passed')
    expect(await yard.eventsOf('FixStoryAdded')).toHaveLength(1)
  })
})

/** The verifier says that it has begun, and waits until it may go on. */
const waiting = {
  ...satisfied,
  do: [{ shell: ': > "$HOME/begun"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done' }, ...satisfied.do],
}

const go = (yard: Yard) => writeFileSync(join(yard.person, 'go'), '')

const walk: Walk = {
  open() {
    const script = [tester({ 'test/tax.test.mjs': taxTest }), coder(right), waiting]
    const yard = open(script, { strategy: 'three-session', mutation: 'off' })
    writeFileSync(join(yard.person, 'plan.yaml'), JSON.stringify({ stories: [story('tax')] }))
    return yard
  },
  args: ['run', 'Make it so', '--plan', '../person/plan.yaml'],
  meanwhile: async (yard) => {
    if (!existsSync(join(yard.person, 'go'))) go(yard)
  },
}

describe('killed with -9 and resumed', () => {
  it('while tests are written and shown red, and in the middle of a review, it comes to the same end', {
    timeout: 480_000,
  }, async () => {
    const calm = await undisturbed(walk)
    const deliveries = [
      ['code:before-agent', 'before:Judged:2', 'review:after-agent'],
      ['code:after-ref', 'review:before-agent'],
    ]
    expect(await killedInEach(deliveries, { walk, calm })).toEqual(sameEnds(deliveries))

    const yard = walk.open()
    const running = yard.start(walk.args)
    await until(() => existsSync(join(yard.person, 'begun')))
    running.child.kill('SIGKILL')
    await running.done
    go(yard)
    expect(await resumed(yard, walk, { point: 'in the review', calm })).toMatchObject({ problems: [] })
    expect(await rolesOf(yard)).toEqual(['test-writer', 'coder', 'verifier', 'verifier'])
    expect(await yard.eventsOf('TurnSpent')).toHaveLength(4)
  })
})
