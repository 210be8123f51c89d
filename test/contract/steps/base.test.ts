// What the checks show of the base is found out before a coder is paid.
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../src/delivery/policy.ts'
import { verdictOf, wordsOf } from './verdicts.ts'
import { check, openYard } from './yard.ts'

const test = "import test from 'node:test'\ntest('holds', () => {})\n"
const tested = { 'package.json': '{"type":"module"}', 'test/a.test.js': test }
const script = [{ do: [{ write: { 'b.txt': 'b' } }] }]

const yardOf = (files: Record<string, string>, policy: Partial<Policy>) =>
  openYard({ files, stories: [{}], script, policy, untried: true })
const tried = async (files: Record<string, string>, checks: Parameters<typeof check>[0], more: Partial<Policy> = {}) =>
  await (await yardOf(files, { checks: [check(checks)], ...more })).perform('TryBase')

describe('the checks on the base', () => {
  it('are on record for all that is compared with them, and run once', async () => {
    const runs = join(mkdtempSync(join(tmpdir(), 'ropewalk-base-')), 'runs')
    const run = `echo >> ${runs}; node --test --test-reporter tap`
    const yard = await yardOf(tested, { checks: [check({ run })] })
    const { ending } = await yard.perform('TryBase')
    expect(ending).toMatchObject({ type: 'BaseTried', told: ['test: 1 tests passed'] })
    await yard.perform('CodeStory')
    await yard.perform('Judge')
    expect(verdictOf(await yard.perform('Judge'))).toMatchObject({ status: 'passed' })
    const { readFileSync } = await import('node:fs')
    expect(readFileSync(runs, 'utf8')).toBe('\n\n')
  })

  it.each<[string, Parameters<typeof check>[0], RegExp, RegExp]>([
    [
      'a program that is not there',
      { run: 'nobody_has_this --all' },
      /"test" \(`nobody_has_this --all`\) cannot be started.*before any change.*not found/s,
      /checks\.test\.run.*less .*repin/s,
    ],
    [
      'a script that starts one',
      { run: 'npm test', parser: 'auto' },
      /cannot be started.*not_installed: not found/s,
      /setup/,
    ],
    [
      'no word of any test',
      { run: 'echo all is well', parser: 'auto' },
      /tells of no test.*all is well/s,
      /checks\.test\.parser: exit-code/,
    ],
  ])('are refused for %s, with what was printed and what to write', async (_, checks, message, remedy) => {
    const files = { ...tested, 'package.json': '{"scripts":{"test":"not_installed --run"}}' }
    const refusal = {
      name: 'EnvironmentError',
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    }
    await expect(tried(files, checks)).rejects.toMatchObject(refusal)
  })

  it('are refused for a set-up that fails there, with its first and last lines', async () => {
    const run = 'echo first; seq 100; echo the cause >&2; exit 3'
    const refused = tried(tested, {}, { setup: { run, timeoutMs: 30_000, reads: [] } })
    await expect(refused).rejects.toMatchObject({
      name: 'EnvironmentError',
      message: expect.stringMatching(/exit code 3, on the base commit.*first.*….*the cause/s),
      remedy: expect.stringContaining('repin'),
    })
  })

  it.each<[string, Record<string, string>, Parameters<typeof check>[0]]>([
    [
      "npm's default script",
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
      { run: 'npm test' },
    ],
    ['no script', { 'package.json': '{}' }, { run: 'npm test' }],
    [
      'a runner that is still to come',
      { 'package.json': '{"scripts":{"test":"vitest_to_come"}}' },
      { run: 'npm test' },
    ],
    ['silence', { 'README.md': 'x' }, { run: 'true', parser: 'auto' }],
    ['red tests', { ...tested, 'test/b.test.js': "throw new Error('no')\n" }, { run: 'node --test' }],
  ])('are no obstacle where a story has to bring the first tests, or mend them: %s', async (_, files, checks) => {
    expect((await tried(files, checks)).ending).toMatchObject({ type: 'BaseTried' })
  })
})

describe('a check that fails on the commit as it did on the base, and tells of no test', () => {
  const at = (run: string, files: Record<string, string>) =>
    openYard({ files, stories: [{}], script, policy: { checks: [check({ run })], judges: ['check:test'] } })

  it.each([
    'npm run tset',
    'python3 -m pytset',
    'make tset',
    'node --tset',
    'node tools/missing.js',
    'echo "error: no default is configured"; exit 1',
  ])("is no coder's fault: %s", async (run) => {
    const inline = { 'Cargo.toml': '', 'src/lib.rs': '#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n' }
    for (const files of [tested, inline]) {
      const yard = await at(run, files)
      await yard.perform('CodeStory')
      await expect(yard.perform('Judge')).rejects.toMatchObject({
        name: 'TerminalError',
        message: expect.stringMatching(/before any change, and fails on this one in the same way.*it printed/s),
        remedy: expect.stringMatching(/checks\.test\.run.*repin/),
      })
    }
  })

  it('is for the coder where there are no tests yet', async () => {
    const yard = await at('npm test', { 'package.json': '{}' })
    await yard.perform('CodeStory')
    expect(verdictOf(await yard.perform('Judge'))).toMatchObject({ status: 'findings' })
  })
})

describe('a check that cannot start any more', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-tool-'))
  const tool = join(folder, 'tool')
  const install = () => {
    writeFileSync(tool, '#!/bin/sh\nexec node --test --test-reporter tap\n')
    chmodSync(tool, 0o755)
  }

  it("is the machine's fault where it cannot on the base either, though it could before", async () => {
    install()
    const yard = await yardOf(tested, { checks: [check({ run: `${tool} --test` })], judges: ['check:test'] })
    await yard.perform('TryBase')
    await yard.perform('CodeStory')
    rmSync(tool)
    await expect(yard.perform('Judge')).rejects.toMatchObject({
      name: 'EnvironmentError',
      message: expect.stringMatching(/cannot be started \(also on the base commit/),
    })
    expect(existsSync(tool)).toBe(false)
  })

  it("is the story's fault where it can on the base", async () => {
    const files = { ...tested, 'run.sh': 'exec node --test --test-reporter tap\n' }
    const yard = await openYard({
      ...{
        files,
        stories: [{ mayChange: ['run.sh'] }],
        script: [{ do: [{ write: { 'run.sh': 'not_there --test\n' } }] }],
      },
      policy: { checks: [check({ run: 'sh ./run.sh --test' })], judges: ['check:test'] },
    })
    await yard.perform('CodeStory')
    expect(wordsOf(verdictOf(await yard.perform('Judge')))[0]).toMatch(/could not be run/)
  })
})
