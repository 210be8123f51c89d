import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgingOf } from '../../../../src/delivery/inputs/judging.ts'
import type { Verb } from '../../../../src/delivery/step.ts'
import { acceptanceChanges } from '../../../../src/steps/check/acceptance.ts'
import { verdictOf, wordsOf } from '../verdicts.ts'
import { check, type Given, openYard, type Yard } from '../yard.ts'

const head = "import test from 'node:test'\nimport assert from 'node:assert'\n"
const one = (name: string, body: string) => `test('${name}', () => {\n  ${body}\n})\n`
const wanted = `${head}import { tax } from '../src/tax.mjs'\n${one('taxes', 'assert.equal(tax(5), 1)')}`
const right = 'export const tax = (n) => n / 5\n'
const wrong = 'export const tax = (n) => n * 5\n'

const given = (code: string, more: Partial<Given> = {}): Given => ({
  files: { 'src/sum.mjs': 'export const sum = (a, b) => a + b\n' },
  stories: [{ id: 'one', criteria: ['a fifth is tax'], strategy: 'none', noTestsBecause: 'its tests are elsewhere' }],
  script: [
    { role: 'test-writer', do: [{ write: { 'test/acceptance.test.mjs': wanted } }] },
    { role: 'coder', do: [{ write: { 'src/tax.mjs': code } }] },
  ],
  policy: {
    acceptance: true,
    judges: ['inspection', 'check:syntax'],
    checks: [
      check({ name: 'syntax', run: 'node --check src/sum.mjs' }),
      check({ name: 'test', run: 'true', related: 'node --test {files}', parser: 'auto' }),
    ],
  },
  ...more,
})

/** Until the acceptance tests are on the line behind all others, and it is their turn to judge. */
async function untilAccepted(yard: Yard): Promise<void> {
  const steps: Verb[] = ['CodeStory', 'Judge', 'Judge', 'CodeStory', 'Judge', 'Judge', 'ComposeLine', 'AdvanceLine']
  for (const verb of [...steps, 'ComposeLine', 'AdvanceLine', 'Judge'] as Verb[]) await yard.perform(verb)
}

describe('acceptance tests', () => {
  it('are written first, with all criteria in mind, shown to fail, and held', async () => {
    const yard = await openYard(given(right))
    const { interims } = await yard.perform('CodeStory')
    const started = interims.find((event) => event.type === 'AgentStarted')
    expect(started).toMatchObject({ role: 'test-writer', story: 'acceptance' })
    const prompt = Buffer.from((await yard.world.blobs.get(started!.promptDigest)) ?? []).toString()
    expect(prompt).toMatch(/requirement as a whole[\s\S]*one: Story 1[\s\S]*a fifth is tax/)
    await yard.perform('Judge')
    expect(wordsOf(verdictOf(await yard.perform('Judge')))).toEqual([expect.stringMatching(/^note: red/)])
    expect((await yard.state()).stories.acceptance?.control.status).toBe('held')
    expect(await yard.due('CodeStory')).toMatchObject({ story: 'one', phase: 'code' })
  })

  it('pass on the result of all', async () => {
    const yard = await openYard(given(right))
    await untilAccepted(yard)
    expect(await yard.due('Judge')).toMatchObject({ judge: 'acceptance', scope: 'whole' })
    expect(verdictOf(await yard.perform('Judge'))).toEqual({ status: 'passed', proof: null, concerns: [] })
    expect((await yard.due('Land')).verb).toBe('Land')
  })

  it('send what they find to a story that mends it, and may not be changed by it', async () => {
    const script = [
      ...given(wrong).script,
      { role: 'coder', story: 'mend-1', round: 1, do: [{ write: { 'test/acceptance.test.mjs': head } }] },
      {
        role: 'coder',
        story: 'mend-1',
        round: 2,
        do: [{ write: { 'src/tax.mjs': right, 'test/acceptance.test.mjs': wanted } }],
      },
    ]
    const yard = await openYard(given(wrong, { script }))
    await untilAccepted(yard)
    const verdict = verdictOf(await yard.perform('Judge'))
    expect(verdict).toMatchObject({ findings: [{ source: 'acceptance', file: 'test/acceptance.test.mjs' }] })
    await yard.perform('AddFixStory')
    const coding = await yard.due('CodeStory')
    expect(coding).toMatchObject({ findings: [{ source: 'acceptance', rule: 'test-failed' }] })
    await yard.perform('CodeStory')
    expect(verdictOf(await yard.perform('Judge'))).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ rule: 'acceptance-test-changed' })]),
    })
    for (const verb of ['CodeStory', 'Judge', 'Judge', 'ComposeLine', 'AdvanceLine'] as Verb[]) await yard.perform(verb)
    expect(await yard.due('Judge')).toMatchObject({ judge: 'acceptance' })
    expect(verdictOf(await yard.perform('Judge'))).toMatchObject({ status: 'passed' })
  })

  it('have to be executed', async () => {
    const skipping = `${right}export const ready = false\n`
    const script = [
      {
        role: 'test-writer',
        do: [
          {
            write: {
              'test/acceptance.test.mjs': `${head}import { tax, ready } from '../src/tax.mjs'\ntest('taxes', (t) => {\n  if (!ready) return t.skip()\n  assert.equal(tax(5), 1)\n})\n${one('is there', 'assert.ok(tax)')}`,
            },
          },
        ],
      },
      { role: 'coder', do: [{ write: { 'src/tax.mjs': skipping } }] },
    ]
    const yard = await openYard(given(right, { script }))
    await untilAccepted(yard)
    expect(wordsOf(verdictOf(await yard.perform('Judge')))).toEqual([
      expect.stringMatching(/^blocking: test: not every test in test\/acceptance\.test\.mjs was executed/),
    ])
  })

  it('that pass when they are run again on the same tree have passed, and the flake is told', async () => {
    const seen = join(mkdtempSync(join(tmpdir(), 'ropewalk-flake-')), 'seen')
    const flaky = `import { existsSync, writeFileSync } from 'node:fs'
const seen = existsSync('${seen}')
writeFileSync('${seen}', '')
export const tax = (n) => (seen ? n / 5 : n)
`
    const yard = await openYard(given(flaky))
    await untilAccepted(yard)
    expect(verdictOf(await yard.perform('Judge'))).toEqual({
      status: 'passed',
      proof: null,
      concerns: ['flaky: taxes'],
    })
  })

  it('that no check can run are not written to the end', async () => {
    const both = {
      'test/acceptance.test.mjs': wanted,
      'test/test_tax.py': 'from tax import tax\n\n\ndef test_tax():\n    assert tax(5) == 1\n',
    }
    const script = [
      { role: 'test-writer', do: [{ write: both }] },
      { role: 'coder', do: [{ write: { 'src/tax.mjs': right } }] },
    ]
    const yard = await openYard(given(right, { script }))
    await yard.perform('CodeStory')
    await yard.perform('Judge')
    expect(wordsOf(verdictOf(await yard.perform('Judge')))).toContainEqual(
      expect.stringMatching(/^blocking: no check has a command that can run test\/test_tax\.py alone/),
    )
  })

  it('that no check can run on the result any more have not passed', async () => {
    const inFolder = (name: string) => ({ [`${name}/test/tax.test.mjs`]: wanted.replace('../src', '../../src') })
    const script = [
      { role: 'test-writer', do: [{ write: { ...inFolder('a'), ...inFolder('b') } }] },
      { role: 'coder', do: [{ write: { 'src/tax.mjs': right } }] },
    ]
    const files = { ...given(right).files, 'a/package.json': '{"name":"a"}\n', 'b/package.json': '{"name":"b"}\n' }
    const yard = await openYard(given(right, { script, files }))
    await untilAccepted(yard)
    const policy = (await yard.state()).policy!
    const checks = policy.checks.map((one) => (one.name === 'test' ? { ...one, packages: ['a'] } : one))
    await yard.tell({ type: 'PolicyPinned', policy: { ...policy, checks }, hash: 'p2' })
    await yard.perform('Judge')
    expect(wordsOf(verdictOf(await yard.perform('Judge')))).toEqual([
      'blocking: test: not every test in b/test/tax.test.mjs was executed on the result of all stories',
    ])
  })

  it('are all those that were written, also where each has a commit of its own that has landed', async () => {
    const more = wanted.replace("'taxes'", "'taxes more'")
    const each = (file: string) => `git add -A && git commit -q -m '${file}'`
    const script = [
      {
        role: 'test-writer',
        do: [
          { write: { 'test/first.test.mjs': wanted } },
          { shell: each('first') },
          { write: { 'test/second.test.mjs': more } },
          { shell: each('second') },
        ],
      },
      { role: 'coder', do: [{ write: { 'src/tax.mjs': right } }] },
    ]
    const { policy } = given(right)
    const yard = await openYard(given(right, { script, policy: { ...policy, mergeMethod: 'rebase' } }))
    await untilAccepted(yard)
    await yard.perform('Judge')
    await yard.perform('Land')
    const state = await yard.state()
    expect(state.stories.acceptance?.control.status).toBe('merged')
    const whole = { story: null, scope: 'whole', tree: '' } as const
    const paths = (await acceptanceChanges(yard.repository, judgingOf(state, whole))).map(({ path }) => path)
    expect(paths).toEqual(['test/first.test.mjs', 'test/second.test.mjs'])
  })
})
