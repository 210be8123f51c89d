import { chmodSync, existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/delivery/judging/finding.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import type { Ending } from '../../../src/ports/performer.ts'
import { openYard, type Yard } from './yard.ts'

interface Given {
  files: Record<string, string>
  one: Record<string, string>
  two: Record<string, string>
  policy?: Partial<Policy>
}

/** The first story is on the line, and the second is to be composed onto it. */
async function waiting({ files, one, two, policy }: Given): Promise<Yard> {
  const yard = await openYard({
    files,
    stories: [
      { id: 'one', title: 'Say one' },
      { id: 'two', title: 'Say two', mayChange: ['test/**', 'package.json'] },
    ],
    script: [
      { story: 'one', do: [{ write: one }, { say: 'one' }] },
      { story: 'two', do: [{ write: two }, { say: 'two' }] },
    ],
    policy: { judges: [], checks: [], ...policy },
  })
  for (const verb of ['CodeStory', 'CodeStory', 'ComposeLine', 'AdvanceLine'] as const) await yard.perform(verb)
  return yard
}

const commitOf = (ending: Ending): string => {
  if (ending.type !== 'LineComposed') throw new Error(JSON.stringify(ending))
  return ending.commit
}

const findingsOf = (ending: Ending): Finding[] => {
  if (ending.type !== 'ComposeConflicted') throw new Error(`expected a conflict, not ${ending.type}`)
  return ending.findings
}

const bodyOf = async (yard: Yard, commit: string): Promise<string> => (await yard.repository.readCommit(commit)).message

/** A folder that is the whole PATH, with a shell and these scripts. */
function onlyTools(yard: Yard, scripts: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-tools-'))
  for (const name of ['sh', 'cat', 'wc']) symlinkSync(`/bin/${name}`, join(folder, name))
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\nhere='${folder}'\n${text}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  yard.world.environment = (extra) => ({ ...extra, PATH: folder })
  return folder
}

const gems = {
  files: { Gemfile: 'gem "a"\n\n\n\ngem "z"\n', 'Gemfile.lock': 'a (1)\n' },
  one: { Gemfile: 'gem "one"\ngem "a"\n\n\n\ngem "z"\n', 'Gemfile.lock': 'a (1)\none (1)\n' },
  two: { Gemfile: 'gem "a"\n\n\n\ngem "z"\ngem "two"\n', 'Gemfile.lock': 'a (1)\ntwo (1)\n' },
}

describe('a lock file that both stories changed', () => {
  it('is made anew by npm from the merged manifest', async () => {
    const manifest = (more: Record<string, string>): string =>
      `${JSON.stringify({ name: 'root', version: '1.0.0', dependencies: { m: 'file:m', ...more } }, null, 2)}\n`
    const lock = (names: string[]): string =>
      `${JSON.stringify({ name: 'root', version: '1.0.0', lockfileVersion: 3, requires: true, packages: Object.fromEntries(names.map((name) => [name, { version: '1.0.0' }])) }, null, 2)}\n`
    const part = (name: string): string => JSON.stringify({ name, version: '1.0.0' })
    const yard = await waiting({
      files: {
        'package.json': manifest({}),
        'package-lock.json': lock(['m']),
        'm/package.json': part('m'),
        'x/package.json': part('x'),
        'y/package.json': part('y'),
      },
      one: { 'package.json': manifest({ x: 'file:x' }), 'package-lock.json': lock(['m', 'x']) },
      two: { 'package.json': manifest({ y: 'file:y' }), 'package-lock.json': lock(['m', 'y']) },
    })
    const commit = commitOf((await yard.perform('ComposeLine')).ending)
    const made = JSON.parse((await yard.repository.readFile(commit, 'package-lock.json'))!)
    expect(made.packages[''].dependencies).toEqual({ m: 'file:m', x: 'file:x', y: 'file:y' })
    expect(made.lockfileVersion).toBe(3)
    expect(Object.keys(made.packages)).toEqual(expect.arrayContaining(['node_modules/x', 'node_modules/y']))
    expect(await yard.repository.listFiles(commit)).toHaveLength(5)
    expect(await bodyOf(yard, commit)).toMatch(
      /\n\nMade anew by npm: package-lock\.json\nMerged by structure: package\.json\n\nRopewalk-Delivery/,
    )
  })

  it('is what an earlier start of the step has made, however often the tool would choose anew', async () => {
    const yard = await waiting(gems)
    const tools = onlyTools(yard, { bundle: 'echo x >> "$here/ran"\nwc -c < "$here/ran" > Gemfile.lock' })
    const lost = await yard.perform('ComposeLine', { lose: true })
    const again = await yard.perform('ComposeLine', { try: 2 })
    expect(again.ending).toEqual(lost.ending)
    expect(readFileSync(join(tools, 'ran'), 'utf8')).toBe('x\n')
    expect((await yard.repository.readFile(commitOf(again.ending), 'Gemfile.lock'))?.trim()).toBe('2')
  })

  it.each([
    ['is not there', {}, /bundle is not on this machine/],
    [
      'fails',
      { bundle: 'echo no route to rubygems hunter2 >&2; exit 7' },
      /exit code 7\nno route to rubygems \[redacted\]/,
    ],
    ['leaves nothing', { bundle: ': > Gemfile.lock' }, /it left no readable file/],
  ])('goes to the coder as the line has it when the tool %s', async (_name, scripts, reason) => {
    const yard = await waiting(gems)
    onlyTools(yard, scripts)
    const { ending } = await yard.perform('ComposeLine')
    const [finding, ...others] = findingsOf(ending)
    expect(others).toEqual([])
    expect(finding).toMatchObject({ file: 'Gemfile.lock', rule: 'conflict', fixTarget: 'code' })
    expect(finding!.message).toMatch(reason)
    expect(finding!.message).toContain('make it anew with "bundle lock"')
    const conflicted = ending.type === 'ComposeConflicted' ? ending.conflicted : ''
    expect(await yard.repository.readFile(conflicted, 'Gemfile.lock')).toBe('a (1)\none (1)\n')
    expect(await yard.repository.readFile(conflicted, 'Gemfile')).toContain('gem "two"')
  })

  it('is made from the versions that both stories were checked with', async () => {
    const lock = (versions: Record<string, string>): string => `${JSON.stringify({ content: versions }, null, 2)}\n`
    const manifest = (names: string[]): string => `${JSON.stringify({ require: names }, null, 2)}\n`
    const yard = await waiting({
      files: { 'composer.json': manifest(['a']), 'composer.lock': lock({ a: '1' }) },
      one: { 'composer.json': manifest(['a', 'b']), 'composer.lock': lock({ a: '1', b: '1.1' }) },
      two: { 'composer.json': manifest(['a', 'c']), 'composer.lock': lock({ a: '1', c: '1.2' }) },
    })
    const tools = onlyTools(yard, { composer: 'cat composer.lock > "$here/seen"' })
    const commit = commitOf((await yard.perform('ComposeLine')).ending)
    expect(JSON.parse(readFileSync(join(tools, 'seen'), 'utf8'))).toEqual({ content: { a: '1', b: '1.1', c: '1.2' } })
    expect(await yard.repository.readFile(commit, 'composer.json')).toBe(manifest(['a', 'b', 'c']))
  })

  it('waits for its manifest', async () => {
    const yard = await waiting({
      files: gems.files,
      one: { ...gems.one, Gemfile: 'gem "one"\n' },
      two: { ...gems.two, Gemfile: 'gem "two"\n' },
    })
    const tools = onlyTools(yard, { bundle: 'echo x > "$here/ran"' })
    const findings = findingsOf((await yard.perform('ComposeLine')).ending)
    expect(findings.map(({ file }) => file)).toEqual(['Gemfile', 'Gemfile.lock'])
    expect(findings[1]!.message).toContain('Gemfile is in conflict too')
    expect(existsSync(join(tools, 'ran'))).toBe(false)
  })

  it.each<[string, Record<string, string>, string, string]>([
    ['is not there', {}, 'a v1 h1:a\nb v1 h1:b\nc v1 h1:c\n', 'Merged by union: go.sum'],
    ['cannot', { go: 'exit 1' }, 'a v1 h1:a\nb v1 h1:b\nc v1 h1:c\n', 'Merged by union: go.sum'],
    ['can', { go: 'echo tidy > go.sum' }, 'tidy\n', 'Made anew by go: go.sum'],
  ])('of sums is a union when the tool %s tidy it', async (_name, scripts, text, note) => {
    const yard = await waiting({
      files: { 'go.mod': 'module x\n', 'go.sum': 'a v1 h1:a\n' },
      one: { 'go.sum': 'a v1 h1:a\nc v1 h1:c\n' },
      two: { 'go.sum': 'a v1 h1:a\nb v1 h1:b\n' },
    })
    onlyTools(yard, scripts)
    const commit = commitOf((await yard.perform('ComposeLine')).ending)
    expect(await yard.repository.readFile(commit, 'go.sum')).toBe(text)
    expect(await bodyOf(yard, commit)).toContain(note)
  })
})

describe('a conflict that no rule settles', () => {
  it('tells what both sides wanted, and why no rule did it', async () => {
    const yard = await waiting({
      files: { 'package.json': '{\n  "scripts": {\n    "test": "a"\n  }\n}\n' },
      one: { 'package.json': '{\n  "scripts": {\n    "test": "b"\n  }\n}\n' },
      two: { 'package.json': '{\n  "scripts": {\n    "test": "c"\n  }\n}\n' },
    })
    const [finding] = findingsOf((await yard.perform('ComposeLine')).ending)
    expect(finding!.message).toContain('with "Say one"')
    expect(finding!.message).toContain('scripts.test: both sides changed it differently')
    expect(finding!.evidence).toMatch(
      /The line has made this of it:\n.*\n.*\n-\s+"test": "a"\n\+\s+"test": "b"\n[\s\S]*This story has made this of it:\n.*\n.*\n-\s+"test": "a"\n\+\s+"test": "c"/,
    )
  })

  it('names both versions of a binary file and shows none of them', async () => {
    const yard = await waiting({
      files: { 'pic.bin': '\0a' },
      one: { 'pic.bin': '\0secret-one' },
      two: { 'pic.bin': '\0secret-two!' },
    })
    const { ending, interims } = await yard.perform('ComposeLine')
    expect(interims).toMatchObject([{ type: 'ConcernRaised', story: 'two', text: expect.stringContaining('pic.bin') }])
    const [finding] = findingsOf(ending)
    expect(finding).toMatchObject({ file: 'pic.bin', fixTarget: 'story' })
    expect(finding!.message).toMatch(
      /the line's version \(11 bytes\) is there; leave it, or take this story's \(12 bytes\) with: git cat-file blob [0-9a-f]{40} > '\.\/pic\.bin'/,
    )
    expect(JSON.stringify(finding)).not.toContain('secret')
  })
})

describe('the commit on the line', () => {
  it('names the tests and the protected files that the plan let it change', async () => {
    const yard = await waiting({
      files: { 'a.txt': 'a\n', 'test/a.test.js': '1\n', 'package.json': '{}\n', 'b.txt': 'b\n' },
      one: { 'a.txt': 'one\n' },
      two: { 'test/a.test.js': '2\n', 'test/b.test.js': 'added\n', 'package.json': '{"a": 1}\n', 'b.txt': 'two\n' },
    })
    const message = await bodyOf(yard, commitOf((await yard.perform('ComposeLine')).ending))
    expect(message).toMatch(
      /^Say two\n\nChanges tests by plan: test\/a\.test\.js\nChanges protected files by plan: package\.json\n\nRopewalk-Delivery/,
    )
  })

  it('is a merge of the story’s own commit where the settings say so, the same one every time', async () => {
    const yard = await waiting({
      files: { 'a.txt': 'a\n' },
      one: { 'b.txt': 'one\n' },
      two: { 'c.txt': 'two\n' },
      policy: { mergeMethod: 'merge' },
    })
    const step = await yard.due('ComposeLine')
    const lost = await yard.perform('ComposeLine', { lose: true })
    const { ending } = await yard.perform('ComposeLine', { try: 2 })
    expect(ending).toEqual(lost.ending)
    const story = step.verb === 'ComposeLine' ? step.commit : ''
    const { line } = await yard.state()
    expect(await yard.repository.isAncestor(story, commitOf(ending))).toBe(true)
    expect(await yard.repository.isAncestor(line.tip, commitOf(ending))).toBe(true)
    expect((await yard.repository.listFiles(commitOf(ending))).sort()).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })
})
