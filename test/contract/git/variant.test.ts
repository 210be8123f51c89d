import { describe, expect, it } from 'vitest'
import { write } from '../../empty-repository.ts'
import { openYard } from '../repository-walk.ts'
import { git, makeUserRepository } from '../user-repository.ts'

const files = { 'a.txt': 'a\n', 'run.sh': '#!/bin/sh\n', 'test/t.txt': 't\n' }

async function twoCommits() {
  const user = makeUserRepository(files)
  write(user, { 'a.txt': 'b\n', 'new.txt': 'new\n' })
  git(user, 'rm', '-q', '-r', 'test')
  write(user, { test: 'a file now\n' })
  git(user, 'update-index', '--chmod=+x', 'run.sh')
  git(user, 'add', 'a.txt', 'new.txt', 'test')
  git(user, 'commit', '-q', '-m', 'Change\n\nWhy.')
  const yard = await openYard(user)
  const [last] = await yard.repository.firstParents(yard.base)
  return { ...yard, before: last!.commit }
}

describe('a variant of a commit', () => {
  it('has files as they are elsewhere, as given, or not at all, and folders where files were', async () => {
    const { repository, base, before } = await twoCommits()
    const { commit, tree } = await repository.variant(base, [
      { path: 'new.txt', from: before },
      { path: 'test', from: before },
      { path: 'test/t.txt', from: before },
      { path: 'run.sh', text: 'exit 0\n' },
    ])
    expect(await repository.listFiles(commit)).toEqual(['a.txt', 'run.sh', 'test/t.txt'])
    expect(await repository.readFile(commit, 'a.txt')).toBe('b\n')
    expect(await repository.readFile(commit, 'run.sh')).toBe('exit 0\n')
    expect(await repository.treeOf(commit)).toBe(tree)
    expect((await repository.diff(base, commit)).find(({ path }) => path === 'run.sh')?.newMode).toBe('100755')
  })

  it('says what the commit says, and is the same each time, or the commit itself', async () => {
    const { repository, base } = await twoCommits()
    const files = [{ path: 'a.txt', text: 'c\n' }]
    const one = await repository.variant(base, files)
    expect(await repository.variant(base, files)).toEqual(one)
    const [made, original] = await Promise.all([repository.readCommit(one.commit), repository.readCommit(base)])
    expect(made.message).toBe(original.message)
    expect((await repository.variant(base, [{ path: 'a.txt', from: base }])).commit).toBe(base)
    expect((await repository.variant(base, [{ path: 'nowhere', from: base }])).commit).toBe(base)
  })
})
