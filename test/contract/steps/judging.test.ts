import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../../src/delivery/judging/finding.ts'
import type { Given, Performed, Yard } from './yard.ts'
import { check, openYard } from './yard.ts'

const tests = (...lines: string[]) =>
  `import test from 'node:test'\nimport assert from 'node:assert'\nimport fs from 'node:fs'\n${lines.join('\n')}\n`

const given = (files: Record<string, string>, change: Record<string, string>, more: Partial<Given> = {}): Given => ({
  files: { 'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }), ...files },
  stories: [{ id: 'one' }],
  script: [{ do: [{ write: change }] }],
  policy: { judges: ['check:test'], checks: [check({ run: 'npm test' })] },
  ...more,
})

async function judged(yard: Yard): Promise<Verdict> {
  await yard.perform('CodeStory')
  return verdictOf(await yard.perform('Judge'))
}

function verdictOf({ ending }: Performed): Verdict {
  if (ending.type !== 'Judged') throw new Error(`not judged: ${ending.type}`)
  return ending.verdict
}

const green = tests(`test('adds', () => assert.equal(1 + 1, 2))`)
const red = tests(`test('adds', () => assert.equal(fs.readFileSync('a.txt', 'utf8'), 'a'))`)

describe('a check', () => {
  it('gives a proof with its output, and the same tree is not run again', async () => {
    const yard = await openYard(given({ 'a.test.js': green }, { 'a.txt': 'a' }))
    const verdict = await judged(yard)
    if (verdict.status !== 'passed' || verdict.proof === null) throw new Error('no proof')
    expect(verdict.proof).toMatchObject({ reused: false, counts: { total: 1, passed: 1 } })
    const output = await yard.world.blobs.get(verdict.proof.outputDigest)
    expect(Buffer.from(output!).toString()).toContain('adds')
    const step = await yard.due('ComposeLine')
    expect(step.verb).toBe('ComposeLine')
    const stored = await yard.log.findProof({
      repository: (await yard.state()).request!.repository.id,
      tree: verdict.proof.tree,
      command: 'npm test',
      environmentKey: verdict.proof.environmentKey,
    })
    expect(stored?.outputDigest).toBe(verdict.proof.outputDigest)
  })

  it('charges a story with what it broke, and leaves no place behind', async () => {
    const yard = await openYard(given({ 'a.test.js': red, 'a.txt': 'a' }, { 'a.txt': 'hunter2' }))
    const verdict = await judged(yard)
    expect(verdict).toMatchObject({
      status: 'findings',
      failures: 1,
      findings: [{ source: 'check:test', rule: 'test-failed', file: 'a.test.js' }],
    })
    expect(JSON.stringify(verdict)).not.toContain('hunter2')
    expect(readdirSync(join(yard.home, 'places', 'd1'))).toEqual([])
  })

  it('does not charge a story with what the base fails too, and proves nothing beyond that base', async () => {
    const both = tests(`test('adds', () => assert.equal(1, 2))`, `test('holds', () => {})`)
    const yard = await openYard(given({ 'a.test.js': both }, { 'a.txt': 'a' }))
    const verdict = await judged(yard)
    expect(verdict).toMatchObject({ status: 'passed', concerns: ['the base is red: adds'] })
    const plain = await openYard(given({ 'a.test.js': green }, { 'a.txt': 'a' }))
    const other = await judged(plain)
    if (verdict.status !== 'passed' || other.status !== 'passed') throw new Error('not passed')
    expect(verdict.proof?.environmentKey).not.toBe(other.proof?.environmentKey)
  })

  it('says so when the base fails by exit code alone, which excuses nothing', async () => {
    const yard = await openYard(
      given({}, { 'a.txt': 'a' }, { policy: { judges: ['check:test'], checks: [check({ run: 'exit 1' })] } }),
    )
    const verdict = await judged(yard)
    expect(verdict.status === 'findings' && verdict.findings[0]?.message).toContain('also fails on the base commit')
  })

  it('runs a failure again that has nothing to do with the change, and reports the flake', async () => {
    const seen = join(process.env.TMPDIR ?? '/tmp', `ropewalk-flake-${process.pid}-${Math.random()}`)
    const flaky = tests(
      `test('flickers', () => {`,
      `  if (!fs.existsSync('b.txt') || fs.existsSync(${JSON.stringify(seen)})) return`,
      `  fs.writeFileSync(${JSON.stringify(seen)}, '')`,
      `  assert.fail('this time')`,
      `})`,
    )
    const yard = await openYard(given({ 'a.test.js': flaky }, { 'b.txt': 'b' }))
    expect(await judged(yard)).toMatchObject({ status: 'passed', concerns: ['flaky: flickers'] })
  })

  it('must pass by the former scripts too where the story changed them', async () => {
    const weakened = JSON.stringify({ type: 'module', scripts: { test: 'node --test b.test.js' } })
    const files = { 'a.test.js': red, 'a.txt': 'a', 'b.test.js': green }
    const yard = await openYard({
      ...given(files, { 'package.json': weakened, 'a.txt': 'other' }),
      stories: [{ id: 'one', mayChange: ['package.json'] }],
    })
    const verdict = await judged(yard)
    expect(verdict.status === 'findings' && verdict.findings[0]?.message).toContain('package.json as on the base')
    const honest = await openYard({
      ...given(files, { 'package.json': weakened }),
      stories: [{ id: 'one', mayChange: ['package.json'] }],
    })
    expect(await judged(honest)).toMatchObject({ status: 'passed' })
  })

  it('tells a set-up that the story broke from one that never worked', async () => {
    const policy = (run: string) => ({
      judges: ['check:test'],
      checks: [check({ run: 'true' })],
      setup: { run, timeoutMs: 10_000 },
    })
    const broke = await openYard(given({ 'a.txt': 'a' }, { 'a.txt': 'b' }, { policy: policy('grep -q a a.txt') }))
    expect(await judged(broke)).toMatchObject({ status: 'findings', findings: [{ rule: 'set-up-failed' }] })
    const never = given({ '.gitignore': 'flag\n' }, { flag: '', 'a.txt': 'b' }, { policy: policy('test -e /nowhere') })
    const yard = await openYard({ ...never, policy: { ...never.policy, setup: null } })
    await yard.perform('CodeStory')
    const pinned = { ...(await yard.state()).policy!, setup: { run: 'test -e /nowhere', timeoutMs: 10_000 } }
    await yard.tell({ type: 'PolicyPinned', policy: pinned, hash: 'p2' })
    await expect(yard.perform('Judge')).rejects.toMatchObject({
      name: 'TerminalError',
      message: expect.stringContaining('also on the base commit'),
    })
  })

  it('is a finding when it does not end in time', async () => {
    const checks = [check({ run: 'sleep 60', timeoutMs: 300 })]
    const yard = await openYard(given({}, { 'a.txt': 'a' }, { policy: { judges: ['check:test'], checks } }))
    expect(await judged(yard)).toMatchObject({ status: 'findings', findings: [{ rule: 'check-timeout' }] })
  })
})

describe('the inspection', () => {
  it('finds a check command that was changed, and lets it through where the story may', async () => {
    const policy = { judges: ['inspection'], checks: [check({ run: 'npm test' })] }
    const gutted = { 'package.json': JSON.stringify({ scripts: { test: 'true' } }) }
    const yard = await openYard(given({}, gutted, { policy }))
    const verdict = await judged(yard)
    expect(verdict).toMatchObject({ status: 'findings', findings: [{ source: 'inspection', file: 'package.json' }] })
    const allowed = given({}, gutted, { policy, stories: [{ id: 'one', mayChange: ['package.json'] }] })
    expect(await judged(await openYard(allowed))).toMatchObject({ status: 'passed' })
  })
})
