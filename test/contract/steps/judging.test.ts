import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../../src/delivery/judging/finding.ts'
import { check, type Given, openYard, type Performed, type Yard } from './yard.ts'

/** A small runner that prints TAP: each test is a shell condition. */
const tests = (conditions: Record<string, string>) => `bad=0; n=0
t() {
  n=$((n+1))
  if sh -c "$2"; then echo "ok $n - $1"; return; fi
  bad=1
  printf 'not ok %s - %s\n  ---\n  location: a.test.js:1:1\n  error: %s\n  ...\n' "$n" "$1" "$(cat a.txt)"
}
echo TAP version 13
${Object.entries(conditions)
  .map(([name, condition]) => `t ${name} '${condition}'`)
  .join('\n')}
echo "1..$n"
exit $bad
`

const given = (files: Record<string, string>, change: Record<string, string>, more: Partial<Given> = {}): Given => ({
  files: { 'a.txt': 'a', ...files },
  stories: [{ id: 'one' }],
  script: [{ do: [{ write: change }] }],
  policy: { judges: ['check:test'], checks: [check({ run: 'sh all.sh' })] },
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

async function appears(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20))
}

const green = tests({ adds: 'true' })
const red = tests({ adds: 'grep -qx a a.txt' })

describe('a check', () => {
  it('gives a proof with its output, and the same tree is not run again', async () => {
    const yard = await openYard(given({ 'all.sh': green }, { 'b.txt': 'b' }))
    const verdict = await judged(yard)
    if (verdict.status !== 'passed' || verdict.proof === null) throw new Error('no proof')
    expect(verdict.proof).toMatchObject({ reused: false, command: 'sh all.sh', counts: { total: 1, passed: 1 } })
    const output = await yard.world.blobs.get(verdict.proof.outputDigest)
    expect(Buffer.from(output!).toString()).toContain('ok 1 - adds')
    await yard.tell({ type: 'PolicyPinned', policy: (await yard.state()).policy!, hash: 'p2' })
    await yard.perform('ComposeLine')
    expect(verdictOf(await yard.perform('Judge'))).toMatchObject({
      status: 'passed',
      proof: { reused: true, outputDigest: verdict.proof.outputDigest },
    })
  })

  it('charges a story with what it broke, and leaves no place behind', async () => {
    const yard = await openYard(given({ 'all.sh': red }, { 'a.txt': 'hunter2' }))
    const verdict = await judged(yard)
    expect(verdict).toMatchObject({
      status: 'findings',
      failures: 1,
      findings: [{ source: 'check:test', rule: 'test-failed', file: 'a.test.js' }],
    })
    expect(JSON.stringify(verdict)).toContain('[redacted]')
    expect(JSON.stringify(verdict)).not.toContain('hunter2')
    expect(placesIn(yard.home)).toEqual([])
  })

  it('does not charge a story with what the base fails too, and proves nothing beyond that base', async () => {
    const yard = await openYard(given({ 'all.sh': tests({ adds: 'false', holds: 'true' }) }, { 'b.txt': 'b' }))
    const verdict = await judged(yard)
    expect(verdict).toMatchObject({ status: 'passed', concerns: ['the base is red: adds'] })
    const other = await judged(await openYard(given({ 'all.sh': green }, { 'b.txt': 'b' })))
    if (verdict.status !== 'passed' || other.status !== 'passed') throw new Error('not passed')
    expect(verdict.proof?.environmentKey).not.toBe(other.proof?.environmentKey)
  })

  it('charges a story with what the base fails only once', async () => {
    const seen = join(mkdtempSync(join(tmpdir(), 'ropewalk-flake-')), 'seen')
    const breaks = `test ! -e b.txt && { test -e ${seen} || ! touch ${seen}; }`
    const yard = await openYard(given({ 'all.sh': tests({ breaks, holds: 'true' }) }, { 'b.txt': 'b' }))
    expect(await judged(yard)).toMatchObject({ status: 'findings', failures: 1 })
  })

  it('says so when the base fails by exit code alone, which excuses nothing', async () => {
    const yard = await openYard(
      given({}, { 'b.txt': 'b' }, { policy: { judges: ['check:test'], checks: [check({ run: 'exit 1' })] } }),
    )
    const verdict = await judged(yard)
    expect(verdict.status === 'findings' && verdict.findings[0]?.message).toContain('also fails on the base commit')
  })

  it('runs a failure again that has nothing to do with the change, and reports the flake', async () => {
    const seen = join(mkdtempSync(join(tmpdir(), 'ropewalk-flake-')), 'seen')
    const flickers = `test ! -e b.txt || test -e ${seen} || ! touch ${seen}`
    const yard = await openYard(given({ 'all.sh': tests({ flickers }) }, { 'b.txt': 'b' }))
    expect(await judged(yard)).toMatchObject({ status: 'passed', concerns: ['flaky: flickers'] })
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
      name: 'EnvironmentError',
      message: expect.stringContaining('also on the base commit'),
    })
  })

  it('is not disturbed by a driver that was replaced and wakes up in the same step', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ropewalk-judging-'))
    const turn = `n=$(ls ${folder} | grep -c began); touch ${folder}/began-$n`
    const run = `${turn}; while [ ! -e ${folder}/go-$n ]; do sleep 0.05; done; test -e a.txt`
    const policy = { judges: ['check:test'], checks: [check({ run })] }
    const yard = await openYard(given({}, { 'b.txt': 'b' }, { policy }))
    await yard.perform('CodeStory')
    const replaced = yard.perform('Judge', { lose: true })
    await appears(join(folder, 'began-0'))
    const successor = yard.perform('Judge', { try: 2 })
    await appears(join(folder, 'began-1'))
    for (const file of ['go-0', 'go-2', 'go-3']) writeFileSync(join(folder, file), '')
    await replaced
    writeFileSync(join(folder, 'go-1'), '')
    expect(verdictOf(await successor)).toMatchObject({ status: 'passed' })
    expect(placesIn(yard.home)).toEqual([])
  })

  it('stands although its place cannot be removed', async () => {
    const yard = await openYard(given({ 'all.sh': green }, { 'b.txt': 'b' }))
    await yard.perform('CodeStory')
    yard.world.repository = async () => ({
      ...yard.repository,
      leavePlace: async () => {
        throw new Error('EACCES: made by another user')
      },
    })
    expect(verdictOf(await yard.perform('Judge'))).toMatchObject({ status: 'passed' })
  })

  it('is a finding when it does not end in time', async () => {
    const checks = [check({ run: 'sleep 60', timeoutMs: 300 })]
    const yard = await openYard(given({}, { 'b.txt': 'b' }, { policy: { judges: ['check:test'], checks } }))
    expect(await judged(yard)).toMatchObject({ status: 'findings', findings: [{ rule: 'check-timeout' }] })
  })
})

describe('the inspection', () => {
  it('finds a check command that was changed, and lets it through where the story may', async () => {
    const policy = { judges: ['inspection'], checks: [check({ run: 'npm test' })] }
    const before = { 'package.json': JSON.stringify({ scripts: { test: 'node --test' } }) }
    const gutted = { 'package.json': JSON.stringify({ scripts: { test: 'true' } }) }
    const yard = await openYard(given(before, gutted, { policy }))
    const verdict = await judged(yard)
    expect(verdict).toMatchObject({ status: 'findings', findings: [{ source: 'inspection', file: 'package.json' }] })
    const allowed = given(before, gutted, { policy, stories: [{ id: 'one', mayChange: ['package.json'] }] })
    expect(await judged(await openYard(allowed))).toMatchObject({ status: 'passed' })
  })
})

/** Those that are kept for the next one are nobody's. */
const placesIn = (home: string): string[] =>
  readdirSync(join(home, 'places', 'd1')).filter((name) => !name.startsWith('spare-'))
