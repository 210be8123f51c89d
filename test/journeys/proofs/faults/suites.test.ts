// Suites as they are on a bad day: flaky, red, slow, or not to be built.
import { describe, expect, it } from 'vitest'
import { exits } from '../../binary.ts'
import { story, Yard } from '../../yard.ts'

const manifest = JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test' } })
const imports = `import assert from 'node:assert/strict'
import { appendFileSync, readFileSync } from 'node:fs'
import test from 'node:test'
import * as cart from '../src/cart.js'
`
const total = 'export const total = (items) => items.reduce((sum, item) => sum + item, 0)\n'
const most = 'export const most = (items) => Math.max(0, ...items)\n'
const adds = "test('adds', () => assert.equal(cart.total([1, 2]), 3))\n"
const mostTest = "test('most', () => assert.equal(cart.most([1, 5, 2]), 5))\n"
const writes = (files: Record<string, string>): string =>
  Object.entries(files)
    .map(([path, text]) => `cat > ${path} <<'END'\n${text}END`)
    .join('\n')

interface Suite {
  /** Further tests of the base. */
  more: string
  code?: string
  config?: object
}

/** The story adds a function and its test, in files that were there. */
const yardOf = ({ more, code = most, config = {} }: Suite): Yard =>
  new Yard({
    files: { 'package.json': manifest, 'src/cart.js': total, 'test/cart.test.js': `${imports}${adds}${more}` },
    agent: writes({ 'src/cart.js': `${total}${code}`, 'test/cart.test.js': `${imports}${adds}${more}${mostTest}` }),
    config: { checks: { test: { run: 'npm test' } }, ...config },
  })

const findingsOf = async (yard: Yard): Promise<string[]> =>
  (await yard.eventsOf('Judged')).flatMap(({ verdict }) =>
    verdict.status === 'findings'
      ? verdict.findings.filter(({ severity }) => severity === 'blocking').map(({ message }) => message)
      : [],
  )

describe('a suite', () => {
  it('with a test that fails in one run of three is charged to nobody', async () => {
    // The first run is the base's; the second, which fails, the check's.
    const flaky = `test('now and then', () => {
  const count = process.env.HOME + '/count'
  appendFileSync(count, '.')
  assert.notEqual(readFileSync(count, 'utf8').length % 3, 2)
})
`
    const yard = yardOf({ more: flaky })
    exits(await yard.runPlan([story('most')], '--unattended'), 0)
    expect(await findingsOf(yard)).toEqual([])
    const { stories, concerns } = await yard.status()
    expect(stories).toMatchObject([{ word: 'merged', turns: 1 }])
    expect(JSON.stringify(concerns)).toMatch(/flaky: now and then/)
  })

  it('that is red on the base takes honest work, and tells a new red from it', async () => {
    const red = "test('was never right', () => assert.equal(cart.total([1]), 2))\n"
    const yard = yardOf({ more: red })
    exits(await yard.runPlan([story('most')], '--unattended'), 0)
    expect(await findingsOf(yard)).toEqual([])
    expect(exits(await yard.ropewalk('report'), 0).stdout).toMatch(/the base is red: was never right/)
  })

  it('that is red on the base does not excuse another red', async () => {
    const red = "test('was never right', () => assert.equal(cart.total([1]), 2))\n"
    const limits = { roundsPerAttempt: 1, attemptsPerStory: 1 }
    const yard = yardOf({ more: red, code: most.replace('...items', '1'), config: { limits } })
    expect((await yard.runPlan([story('most')], '--unattended')).code).not.toBe(0)
    const found = (await findingsOf(yard)).join('\n')
    expect(found).toMatch(/"most" failed/)
    expect(found).not.toMatch(/never right/)
  })
})

describe('a base that does not build', () => {
  const broken = 'export const total = (items =>\n'
  const files = { 'package.json': manifest, 'src/cart.js': broken, 'test/cart.test.js': `${imports}${adds}` }
  const config = { checks: { test: { run: 'npm test' } } }

  it('is mended by a story that mends it', async () => {
    const yard = new Yard({ files, agent: writes({ 'src/cart.js': total }), config })
    exits(await yard.runPlan([story('mend')], '--unattended'), 0)
    expect(await findingsOf(yard)).toEqual([])
  })

  it('is told as such, and not charged to a story about something else', async () => {
    const yard = new Yard({ files, agent: writes({ 'src/other.js': 'export const other = 1\n' }), config })
    const said = await yard.runPlan([story('other')], '--unattended')
    expect(said.code).not.toBe(0)
    expect(said.stdout + said.stderr).toMatch(/on the base commit, before any change/)
    expect((await yard.status()).stories).toMatchObject([{ attempt: 1, round: 1 }])
  })
})
