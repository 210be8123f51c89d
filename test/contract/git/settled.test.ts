import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formats } from '../../../src/adapters/formats/formats.ts'
import type { Settle } from '../../../src/ports/repository/composing.ts'
import { settleConflicts } from '../../../src/steps/merge/settle.ts'
import { codeStory, message, openYard } from '../repository-walk.ts'
import { git, makeUserRepository, temporaryFolder, userFingerprint } from '../user-repository.ts'
import { composeBoth, edits, textAt, type Work } from './two-stories.ts'

const settle: Settle = async (conflicts, merged) =>
  settleConflicts({ conflicts, merged }, { locks: new Map(), formats: formats() })

const data = (...names: string[]): string => `{\n${names.map((name) => `  "${name}": 1`).join(',\n')}\n}\n`

describe('files that both stories changed', () => {
  it.each<[string, Record<string, string>, Work, Work, string, string]>([
    [
      'a list that .gitattributes in a folder declare',
      { 'docs/.gitattributes': 'words.txt merge=union\n', 'docs/words.txt': 'a\n' },
      edits({ 'docs/words.txt': 'a\nb\n' }),
      edits({ 'docs/words.txt': 'a\nc\n' }),
      'docs/words.txt',
      'a\nb\nc\n',
    ],
    [
      'line endings that git normalises',
      { '.gitattributes': '* text=auto eol=crlf\n', 'a.json': data('a') },
      edits({ 'a.json': data('a', 'b').replaceAll('\n', '\r\n') }),
      edits({ 'a.json': data('a', 'c') }),
      'a.json',
      data('a', 'b', 'c'),
    ],
    [
      'line endings that only one story changed',
      { 'a.txt': 'one\ntwo\nthree\n' },
      edits({ 'a.txt': 'one\ntwo!\nthree\n' }),
      edits({ 'a.txt': 'one\r\ntwo\r\nthree\r\n' }),
      'a.txt',
      'one\r\ntwo!\r\nthree\r\n',
    ],
    [
      'a file that both added',
      { 'a.txt': '' },
      edits({ '.eslintrc': data('a') }),
      edits({ '.eslintrc': data('b') }),
      '.eslintrc',
      data('a', 'b'),
    ],
    [
      'YAML with comments',
      { 'ci.yml': 'on: push # always\njobs:\n  a: 1\n' },
      edits({ 'ci.yml': 'on: push # always\njobs:\n  a: 1\n  b: 2\n' }),
      edits({ 'ci.yml': 'on: push # always\njobs:\n  a: 1\n  # last\n  c: 3\n' }),
      'ci.yml',
      'on: push # always\njobs:\n  a: 1\n  b: 2\n  # last\n  c: 3\n',
    ],
  ])('%s', async (_name, files, first, second, path, text) => {
    const both = await composeBoth({ files, first, second, rules: true })
    expect(both.composed.status).toBe('composed')
    expect(await textAt(both, path)).toBe(text)
    const again = await both.yard.repository.compose({
      onto: both.line,
      base: both.base,
      commit: both.story,
      message: message('second'),
      settle,
    })
    expect(again).toEqual(both.composed)
    expect((await both.yard.repository.readCommit(again.commit)).message).toMatch(/\nMerged by \w+: \S+\n\nRopewalk/)
  })
})

describe('whatever the user’s repository is like', () => {
  const user = (): string => makeUserRepository({ 'a.json': data('a'), 'deep/b.txt': 'b\n' })
  const settings: [string, () => string][] = [
    [
      'signing on, hooks that reject, its own line endings',
      () => {
        const path = user()
        for (const name of ['pre-commit', 'commit-msg', 'post-checkout', 'reference-transaction']) {
          mkdirSync(join(path, '.git/hooks'), { recursive: true })
          writeFileSync(join(path, '.git/hooks', name), '#!/bin/sh\nexit 1\n')
          chmodSync(join(path, '.git/hooks', name), 0o755)
        }
        for (const [key, value] of [
          ['commit.gpgsign', 'true'],
          ['user.signingkey', 'nobody'],
          ['core.autocrlf', 'true'],
          ['merge.conflictStyle', 'diff3'],
          ['merge.renames', 'false'],
        ])
          git(path, 'config', key!, value!)
        return path
      },
    ],
    [
      'no identity',
      () => {
        const path = user()
        git(path, 'config', '--remove-section', 'user')
        return path
      },
    ],
    [
      'a shallow clone',
      () => {
        const [from, to] = [user(), join(temporaryFolder(), 'shallow')]
        git(from, 'commit', '-q', '--allow-empty', '-m', 'later')
        git(from, 'clone', '-q', '--depth', '1', `file://${from}`, to)
        return to
      },
    ],
    [
      'a bare one',
      () => {
        const to = join(temporaryFolder(), 'bare.git')
        git('/', 'clone', '-q', '--bare', user(), to)
        return to
      },
    ],
    [
      'a sparse checkout',
      () => {
        const path = user()
        git(path, 'sparse-checkout', 'set', '--no-cone', 'deep')
        return path
      },
    ],
    [
      'a worktree with a detached head',
      () => {
        const [path, to] = [user(), join(temporaryFolder(), 'tree')]
        git(path, 'worktree', 'add', '-q', '--detach', to)
        return to
      },
    ],
  ]

  it.each(settings)('%s', async (_name, make) => {
    const path = make()
    const before = userFingerprint(path)
    const yard = await openYard(path)
    const { repository, base } = yard
    const one = await codeStory(yard, 'one', edits({ 'a.json': data('a', 'b') }))
    const two = await codeStory(yard, 'two', edits({ 'a.json': data('a', 'c') }))
    const { commit: onto } = await repository.compose({ onto: base, base, commit: one, message: message('one') })
    const composed = await repository.compose({ onto, base, commit: two, message: message('two'), settle })
    expect(composed.status).toBe('composed')
    expect(await repository.readFile(composed.commit, 'a.json')).toBe(data('a', 'b', 'c'))
    expect(userFingerprint(path)).toEqual(before)
  })
})

describe('a merge commit', () => {
  it('has the line and the story’s own commit as parents', async () => {
    const both = await composeBoth({
      files: { 'a.txt': 'a\n' },
      first: edits({ 'b.txt': 'b\n' }),
      second: edits({ 'c.txt': 'c\n' }),
      method: 'merge',
      rules: true,
    })
    const { repository } = both.yard
    const [top] = await repository.history({ from: both.line, to: both.composed.commit, limit: 5 })
    expect(top).toEqual({ commit: both.composed.commit, parent: both.line, subject: 'second' })
    expect(await repository.isAncestor(both.story, both.composed.commit)).toBe(true)
  })

  it('does not bring back commits that are not on the line', async () => {
    const yard = await openYard(makeUserRepository({ 'a.txt': 'a\n' }))
    const { repository, base } = yard
    const stale = await codeStory(yard, 'stale', edits({ 'b.txt': 'stale\n' }))
    await repository.openWorkspace({ path: yard.at('s'), at: stale, archiveAs: 'd1/s/1', stays: 'ignored' })
    edits({ 'c.txt': 'c\n' })(yard.at('s'))
    const { commit } = await repository.harvest({ path: yard.at('s'), base: stale, message: message('story') })
    const onto = await codeStory(yard, 'fresh', edits({ 'b.txt': 'fresh\n' }))
    const request = { onto, base: stale, commit, message: message('story'), method: 'merge' as const }
    const composed = await repository.compose(request)
    expect(await repository.isAncestor(stale, composed.commit)).toBe(false)
    expect(await repository.isAncestor(onto, composed.commit)).toBe(true)
    expect(await repository.readFile(composed.commit, 'b.txt')).toBe('fresh\n')
    expect(await repository.compose(request)).toEqual(composed)
    expect(await repository.history({ from: base, to: composed.commit, limit: 5 })).toMatchObject([
      { commit: onto, parent: base },
      { commit: composed.commit, parent: onto },
    ])
  })
})
