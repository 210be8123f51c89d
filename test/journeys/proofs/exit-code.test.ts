// What passes by its exit code alone does so only where the user said it, and then everybody is told.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../../contract/user-repository.ts'
import { exits } from '../binary.ts'
import { story, Yard } from '../yard.ts'

const test = `import assert from 'node:assert/strict'
import test from 'node:test'
import { one } from '../src/one.js'
test('is one', () => assert.equal(one, 1))
`
const firstTest = `mkdir -p src test; echo 'export const one = 1' > src/one.js; printf '%s' "$FIRST" > test/one.test.js`
const within = (text: string, line: string): string => `FIRST='${text.replaceAll("'", `'"'"'`)}'\n${line}`

describe('a repository without any test', () => {
  const standIn = { test: 'echo "Error: no test specified" && exit 1' }
  it.each<[string, object]>([
    ["npm's default script", { scripts: standIn }],
    ['no script', {}],
  ])('gets its first ones from a story that may change package.json: %s', async (_, before) => {
    const manifest = (more: object) => JSON.stringify({ name: 'new', type: 'module', ...more })
    const brings = `printf '%s' '${manifest({ scripts: { test: 'node --test' } })}' > package.json`
    const yard = new Yard({
      files: { 'package.json': manifest(before) },
      agent: within(test, `${firstTest}\n${brings}`),
      config: { checks: { test: { run: 'npm test' } } },
    })
    exits(await yard.runPlan([story('one', { mayChange: ['package.json'] })]), 0)
    expect(yard.files()).toContain('test/one.test.js')
    const [proof] = (await yard.eventsOf('Judged')).flatMap(({ verdict }) =>
      verdict.status === 'passed' && verdict.proof !== null ? [verdict.proof] : [],
    )
    expect(proof).toMatchObject({ counts: { passed: 1, failed: 0 } })
    expect(exits(await yard.ropewalk('verify', 'main'), 0).stdout).not.toMatch(/by exit code alone/)
  })
})

describe('a check that tells of no test', () => {
  const makefile = 'test:\n\tnode --test\n'

  it('is no pass, where make takes the new file for what it was to make', async () => {
    const yard = new Yard({
      files: { Makefile: makefile, 'src/one.js': 'export const one = 1\n', 'tests/one.test.js': test },
      agent: "echo 'export const one = 2' > src/one.js; echo notes > test",
      config: { checks: { test: { run: 'make test' } }, limits: { roundsPerAttempt: 1, attemptsPerStory: 1 } },
    })
    const before = head(yard)
    expect((await yard.runPlan([story('one')])).code).not.toBe(0)
    expect(head(yard)).toBe(before)
    const told = (await yard.eventsOf('Judged')).flatMap(({ verdict }) =>
      verdict.status === 'findings' ? verdict.findings.map(({ message }) => message) : [],
    )
    expect(told.join('\n')).toMatch(/the output of "test" tells of no test/)
  })

  it('is a stop that costs no attempt, where the base is as silent, and goes on once that is said', async () => {
    const yard = new Yard({ config: { checks: { test: { run: 'sh check.sh' } } } })
    const { stdout, stderr } = await yard.runPlan([story('one')])
    expect(`${stdout}${stderr}`).toMatch(/checks\.test\.parser: exit-code/)
    const { stories } = await yard.status()
    expect(stories).toMatchObject([{ attempt: 1, round: 1 }])
    await yard.userActs((repo) => {
      const settings = JSON.parse(readFileSync(join(repo, 'ropewalk.yaml'), 'utf8'))
      settings.checks.test.parser = 'exit-code'
      writeFileSync(join(repo, 'ropewalk.yaml'), JSON.stringify(settings))
      git(repo, 'commit', '-qam', 'Say that the exit code is all there is')
    })
    exits(await yard.ropewalk('retry', 'one'), 0)
    exits(await yard.ropewalk('resume', '--repin'), 0)
    expect(yard.files()).toContain('src/one.txt')
  })

  it('is said to be one, wherever its proof is told', async () => {
    const yard = new Yard()
    exits(await yard.runPlan([story('one')]), 0)
    for (const args of [['verify', 'main'], ['report'], ['status'], ['why', 'one']])
      expect(exits(await yard.ropewalk(...args), 0).stdout, args[0]).toMatch(/by exit code alone/)
  })
})

const head = ({ repo }: Yard): string => git(repo, 'rev-parse', 'main')
