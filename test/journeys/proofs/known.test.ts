// What is known before it is paid for: what the checks show of the base, and what nothing notices in a change.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../../contract/user-repository.ts'
import { exits } from '../binary.ts'
import { story, Yard } from '../yard.ts'

const test = (body: string): string =>
  `import assert from 'node:assert/strict'\nimport test from 'node:test'\nimport * as cart from '../src/cart.js'\n${body}`
const tested = {
  'package.json': '{"type":"module"}',
  'src/cart.js': 'export const one = () => 1\n',
  'test/cart.test.js': test("test('one', () => assert.equal(cart.one(), 1))\n"),
}

const rewrite = (yard: Yard, check: object) =>
  yard.userActs((repo) => {
    const settings = JSON.parse(readFileSync(join(repo, 'ropewalk.yaml'), 'utf8'))
    settings.checks.test = { ...settings.checks.test, ...check }
    writeFileSync(join(repo, 'ropewalk.yaml'), JSON.stringify(settings))
    git(repo, 'commit', '-qam', 'Name another command')
  })

describe('a check that is of no use on the base', () => {
  it.each<[string, object, RegExp, object]>([
    [
      'cannot start',
      { run: 'nobody_has_this' },
      /"test".*cannot be started.*nobody_has_this: not found.*checks\.test\.run/s,
      { run: 'node --test' },
    ],
    [
      'tells of no test',
      { run: 'echo fine' },
      /tells of no test.*fine.*checks\.test\.parser: exit-code/s,
      { parser: 'exit-code' },
    ],
  ])('is told before any coder is paid, and goes on with other settings: it %s', async (_, check, told, mended) => {
    const yard = new Yard({ files: tested, config: { checks: { test: check } } })
    const { code, stdout, stderr } = await yard.runPlan([story('one')], '--unattended')
    expect(code).not.toBe(0)
    expect(`${stdout}${stderr}`).toMatch(told)
    expect(existsSync(join(yard.person, 'turns'))).toBe(false)
    await rewrite(yard, mended)
    exits(await yard.ropewalk('resume', '--repin'), 0)
    expect(yard.files()).toContain('src/one.txt')
  })
})

describe('what nothing notices in a change', () => {
  it('is told by why, diff and the report', async () => {
    const code = 'export const two = () => 2\nexport const three = (n) => (n > 3 ? 3 : n)\n'
    const more = "test('two', () => assert.equal(cart.two(), 2))\n"
    const agent = `printf '%s' '${code}' >> src/cart.js; cat >> test/cart.test.js <<'END'\n${more}END`
    const yard = new Yard({
      files: tested,
      agent,
      config: { checks: { test: { run: 'node --test', related: 'node --test {files}' } } },
    })
    exits(await yard.runPlan([story('one')]), 0)
    const place = /notices a change of src\/cart\.js:3/
    for (const args of [['why', 'one'], ['diff', 'one'], ['report']])
      expect(exits(await yard.ropewalk(...args), 0).stdout, args[0]).toMatch(place)
  })
})
