import { existsSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRepositories } from '../../src/adapters/git/repositories.ts'
import { write } from '../empty-repository.ts'
import { codeStory, message, openStory, openYard, writes } from './repository-walk.ts'
import { git, makeUserRepository, temporaryFolder, userFingerprint } from './user-repository.ts'

const files = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.txt': 'b\n',
  'run.sh': '#!/bin/sh\n',
  '.gitignore': 'ignored/\n*.log\n',
}

describe('the walk of a delivery', () => {
  it('goes from workspace to landed commit and touches nothing else of the user', async () => {
    const user = makeUserRepository(files)
    write(user, { 'untracked.txt': 'mine' })
    const before = userFingerprint(user)
    const yard = await openYard(user)
    const first = await codeStory(yard, 'first', writes({ 'a.txt': 'one\ntwo\nthree!\n', 'fresh/c.txt': 'c\n' }))
    const second = await codeStory(yard, 'second', writes({ 'b.txt': 'bb\n', 'out.log': 'noise' }))
    const { repository, base } = yard
    const one = await repository.compose({ onto: base, base, commit: first, message: message('first') })
    const two = await repository.compose({ onto: one.commit, base, commit: second, message: message('second') })
    expect([one.status, two.status]).toEqual(['composed', 'composed'])
    expect(await repository.moveRef('refs/ropewalk/line/d1', null, two.commit)).toBe(true)
    expect(userFingerprint(user)).toEqual(before)

    expect(await repository.land({ branch: 'main', from: base, to: two.commit })).toEqual({ status: 'landed' })
    expect(git(user, 'log', '--format=%s %an <%ae> %ct')).toBe(
      `second Grace <grace@example.org> 1700000000\nfirst Grace <grace@example.org> 1700000000\n${git(user, 'log', '-1', '--format=%s %an <%ae> %ct', base)}`,
    )
    expect(git(user, 'status', '--short')).toBe('?? untracked.txt')
    expect(readFileSync(join(user, 'fresh/c.txt'), 'utf8')).toBe('c\n')
    expect(git(user, 'reflog', '-1', '--format=%gs')).toBe('ropewalk: land')
    const after = userFingerprint(user)
    for (const part of ['head', 'stash', 'config', 'hooks', 'gitFolder'] as const)
      expect(after[part]).toBe(before[part])
    expect(after.refs).toBe(`${two.commit} refs/heads/main `)
  })

  it('gives the same ids for the same inputs', async () => {
    const yard = await openYard(makeUserRepository(files))
    const one = await codeStory(yard, 'one', writes({ 'a.txt': 'x\n' }))
    const again = await codeStory(yard, 'again', writes({ 'a.txt': 'x\n' }))
    const { repository, base } = yard
    const composed = [await repository.compose({ onto: base, base, commit: one, message: message() })]
    composed.push(await repository.compose({ onto: base, base, commit: one, message: message() }))
    expect(await repository.treeOf(one)).toBe(await repository.treeOf(again))
    expect(composed[0]).toEqual(composed[1])
  })

  it('says when nothing was changed', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 'idle')
    const snapshot = await yard.repository.harvest({ path, base: yard.base, message: message() })
    expect(snapshot.empty).toBe(true)
    expect(snapshot.tree).toBe(await yard.repository.treeOf(yard.base))
  })

  it('sees an edit of the same size right after the checkout', async () => {
    const yard = await openYard(makeUserRepository(files))
    for (let i = 0; i < 10; i++) {
      const commit = await codeStory(yard, `s${i}`, writes({ 'b.txt': `${i}\n` }))
      expect(await yard.repository.readFile(commit, 'b.txt')).toBe(`${i}\n`)
    }
  })
})

describe('reading', () => {
  it('reads the short text on one side of a binary change, and no other side', async () => {
    const bytes = Buffer.from([80, 0, 1, 255])
    const before = { 'long.psd': 'x'.repeat(1_025), 'pointer.psd': 'version 1\n', 'whole.psd': bytes }
    const yard = await openYard(makeUserRepository(before))
    const after = { 'long.psd': bytes, 'pointer.psd': bytes, 'whole.psd': 'version 2\n' }
    const commit = await codeStory(yard, 's', writes(after))
    const changes = await yard.repository.diff(yard.base, commit)
    expect(changes.map((change) => [change.path, change.binary, change.before, change.after])).toEqual([
      ['long.psd', true, null, null],
      ['pointer.psd', true, 'version 1\n', null],
      ['whole.psd', true, null, 'version 2\n'],
    ])
  })

  it('reads what lies between two commits once for all who ask, unless it is large or could not be read', async () => {
    const yard = await openYard(makeUserRepository(files))
    const { repository, base, home } = yard
    const commit = await codeStory(yard, 's', writes({ 'b.txt': 'bb\n' }))
    const large = await codeStory(
      yard,
      'l',
      writes(Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`${n}`, 'x'.repeat(900_000)]))),
    )
    const clones = join(home, 'repositories')
    const gone = join(home, 'gone')
    renameSync(clones, gone)
    await expect(repository.diff(base, commit)).rejects.toThrow()
    renameSync(gone, clones)
    const first = await repository.diff(base, commit)
    expect(await repository.diff(base, large)).toHaveLength(5)
    renameSync(clones, gone)
    const second = await repository.diff(base, commit)
    expect(second).toEqual([expect.objectContaining({ path: 'b.txt', before: 'b\n', after: 'bb\n' })])
    // Nobody sees what another has made of it.
    Object.assign(first[0]!, { path: 'other.txt' })
    second.pop()
    expect(await repository.diff(base, commit)).toEqual([expect.objectContaining({ path: 'b.txt' })])
    await expect(repository.diff(base, large)).rejects.toThrow()
  })

  it('reads files, lists, diffs and patches', async () => {
    const yard = await openYard(
      makeUserRepository({ ...files, 'old.txt': 'a long enough text\nto be found again\n', big: 'x' }),
    )
    const commit = await codeStory(yard, 's', (workspace) => {
      git(workspace, 'mv', 'old.txt', 'moved.txt')
      git(workspace, 'update-index', '--chmod=+x', 'run.sh')
      write(workspace, { 'a.txt': 'one\n', 'pic.bin': Buffer.from([0, 1, 2, 255]), big: 'y'.repeat(1_000_001) })
      unlinkSync(join(workspace, 'b.txt'))
      symlinkSync('a.txt', join(workspace, 'link'))
    })
    const { repository, base } = yard
    const changes = await repository.diff(base, commit)
    expect(changes.map(({ path, oldPath, status, binary }) => ({ path, oldPath, status, binary }))).toEqual([
      { path: 'a.txt', oldPath: null, status: 'modified', binary: false },
      { path: 'b.txt', oldPath: null, status: 'deleted', binary: false },
      { path: 'big', oldPath: null, status: 'modified', binary: false },
      { path: 'link', oldPath: null, status: 'added', binary: false },
      { path: 'moved.txt', oldPath: 'old.txt', status: 'renamed', binary: false },
      { path: 'pic.bin', oldPath: null, status: 'added', binary: true },
    ])
    expect(changes[0]).toMatchObject({ before: files['a.txt'], after: 'one\n', oldMode: '100644', newMode: '100644' })
    expect(changes[1]).toMatchObject({ before: 'b\n', after: null, newMode: null })
    expect(changes[2]).toMatchObject({ before: 'x', after: null })
    expect(changes[3]).toMatchObject({ newMode: '120000', after: 'a.txt' })
    expect(changes[5]).toMatchObject({ before: null, after: null })
    expect(await repository.readFile(commit, 'moved.txt')).toContain('found again')
    for (const absent of ['nothing', 'link', 'fresh']) expect(await repository.readFile(commit, absent)).toBeNull()
    expect(await repository.listFiles(commit)).toEqual([
      '.gitignore',
      'a.txt',
      'big',
      'link',
      'moved.txt',
      'pic.bin',
      'run.sh',
    ])
    const many = await repository.readFiles(commit, ['pic.bin', 'moved.txt', 'link', 'nothing'])
    expect([...many.keys()].sort()).toEqual(['moved.txt', 'pic.bin'])
    expect(Buffer.from(many.get('moved.txt')!).toString()).toContain('found again')
    expect(many.get('pic.bin')!.includes(0)).toBe(true)
    const patch = await repository.patch(base, commit, 300)
    expect(patch).toMatch(/^diff --git/)
    expect(patch).toContain('[cut: the patch is longer than 300 bytes]')
    expect(await repository.isAncestor(base, commit)).toBe(true)
    expect(await repository.isAncestor(commit, base)).toBe(false)
  })
})

describe('clean places', () => {
  it('hold exactly the commit, share no file with a workspace, and give back only the named changes', async () => {
    const yard = await openYard(makeUserRepository(files))
    const commit = await codeStory(yard, 's', writes({ 'a.txt': 'x\n', 'c.txt': 'c\n' }))
    const { repository, base } = yard
    const place = yard.at('place')
    write(place, { 'left-over': 'from a kill' })
    await repository.exportTree(commit, place)
    expect(existsSync(join(place, 'left-over'))).toBe(false)
    expect(existsSync(join(place, '.git'))).toBe(false)
    expect(statSync(join(place, 'a.txt')).ino).not.toBe(statSync(join(yard.at('s'), 'a.txt')).ino)
    write(place, { 'a.txt': 'tidy\n', 'b.txt': 'not asked for\n', 'made.txt': 'nor this' })
    unlinkSync(join(place, 'c.txt'))
    const request = { path: place, commit, base, message: message('tidy') }
    const tidied = await repository.commitPlace({ ...request, only: ['a.txt', 'c.txt'] })
    expect(tidied.changed).toEqual(['a.txt', 'c.txt'])
    expect(await repository.readFile(tidied.commit, 'a.txt')).toBe('tidy\n')
    expect(await repository.readFile(tidied.commit, 'b.txt')).toBe('b\n')
    expect(await repository.readFile(tidied.commit, 'c.txt')).toBeNull()
    expect(await repository.commitPlace({ ...request, only: ['run.sh'] })).toMatchObject({ commit, changed: [] })
    await repository.removePlace(place)
    expect(existsSync(place)).toBe(false)
  })
})

describe('refs of ours', () => {
  it('move by compare-and-swap', async () => {
    const { repository, base: commit } = await openYard(makeUserRepository(files))
    const ref = 'refs/ropewalk/line/d1'
    expect(await repository.readRef(ref)).toBeNull()
    expect(await repository.moveRef(ref, null, commit)).toBe(true)
    expect(await repository.moveRef(ref, null, commit)).toBe(true)
    expect(await repository.refs('refs/ropewalk/line/')).toEqual([{ ref, commit }])
    await repository.deleteRef(ref)
    await repository.deleteRef(ref)
    expect(await repository.readRef(ref)).toBeNull()
    await expect(repository.moveRef('refs/heads/main', null, commit)).rejects.toThrow('not a ref of ours')
    await expect(repository.moveRef('refs/ropewalk/../../x', null, commit)).rejects.toThrow()
  })

  it('refuse to move from where they are not', async () => {
    const yard = await openYard(makeUserRepository(files))
    const commits = [await codeStory(yard, 'a', writes({ x: '1' })), await codeStory(yard, 'b', writes({ x: '2' }))]
    const ref = 'refs/ropewalk/line/d1'
    expect(await yard.repository.moveRef(ref, yard.base, commits[0]!)).toBe(false)
    await yard.repository.moveRef(ref, null, commits[0]!)
    expect(await yard.repository.moveRef(ref, null, commits[1]!)).toBe(false)
    expect(await yard.repository.moveRef(ref, yard.base, commits[1]!)).toBe(false)
    expect(await yard.repository.moveRef(ref, commits[0]!, commits[1]!)).toBe(true)
    expect(await yard.repository.readRef(ref)).toBe(commits[1])
  })
})

describe('our clone', () => {
  it('is made once, by however many at a time', async () => {
    const user = makeUserRepository(files)
    const home = temporaryFolder()
    const repositories = openRepositories({ home })
    const found = await repositories.find(user)
    write(home, { [`repositories/${found.id}.git.making-999999999-00`]: 'left by a kill' })
    const opened = await Promise.all(Array.from({ length: 6 }, () => repositories.open(found)))
    const tips = await Promise.all(opened.map((repository) => repository.fetchTarget('main')))
    expect(new Set(tips)).toEqual(new Set([git(user, 'rev-parse', 'HEAD')]))
    const folder = join(home, 'repositories')
    expect(readdirSync(folder)).toEqual([`${found.id}.git`])
    expect(git(join(folder, `${found.id}.git`), 'remote')).toBe('')
  })

  it('follows the user, also when they force the branch elsewhere', async () => {
    const user = makeUserRepository(files)
    const yard = await openYard(user)
    git(user, 'commit', '-q', '--allow-empty', '-m', 'more')
    expect(await yard.repository.fetchTarget('main')).toBe(git(user, 'rev-parse', 'HEAD'))
    git(user, 'commit', '-q', '--amend', '--allow-empty', '-m', 'other')
    expect(await yard.repository.fetchTarget('main')).toBe(git(user, 'rev-parse', 'HEAD'))
    await expect(yard.repository.fetchTarget('nowhere')).rejects.toThrow('there is no branch "nowhere"')
  })

  it('serves eight stories that finish at the same moment', async () => {
    const yard = await openYard(makeUserRepository(files))
    const names = Array.from({ length: 8 }, (_, i) => `s${i}`)
    const commits = await Promise.all(names.map((name) => codeStory(yard, name, writes({ [`${name}.txt`]: name }))))
    let onto = yard.base
    for (const [i, commit] of commits.entries()) {
      const done = await yard.repository.compose({ onto, base: yard.base, commit, message: message(`s${i}`) })
      expect(done.status).toBe('composed')
      onto = done.commit
    }
    expect(await yard.repository.listFiles(onto)).toEqual(expect.arrayContaining(names.map((name) => `${name}.txt`)))
    const races = commits.map((commit) => yard.repository.moveRef('refs/ropewalk/line/d1', null, commit))
    expect((await Promise.all(races)).filter(Boolean)).toHaveLength(1)
  })
})
