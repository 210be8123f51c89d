import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRepositories } from '../../../src/adapters/git/repositories.ts'
import type { NoteChange } from '../../../src/ports/repository/landings.ts'
import { openYard, type Yard } from '../repository-walk.ts'
import { git, makeUserRepository, temporaryFolder, userFingerprint } from '../user-repository.ts'

const ref = 'refs/notes/ropewalk'
const noteOf = (user: string, commit: string): string => git(user, 'notes', '--ref', 'ropewalk', 'show', commit)
const adds = (commit: string, line: string): NoteChange => ({
  commit,
  add: (present) => (present.includes(line) ? present : `${present}${line}\n`),
})
const at = 1_700_000_000

async function yardWith(commits: number): Promise<Yard & { all: string[] }> {
  const user = makeUserRepository({ 'a.txt': 'a\n' })
  for (let number = 1; number < commits; number++) git(user, 'commit', '-q', '--allow-empty', '-m', `Commit ${number}`)
  const yard = await openYard(user)
  return { ...yard, all: git(user, 'rev-list', 'main').split('\n') }
}

const withoutNotes = ({ refs, ...rest }: ReturnType<typeof userFingerprint>) => ({
  ...rest,
  refs: refs.split('\n').filter((line) => !line.includes(` ${ref} `)),
})

async function manyCommits(user: string, count: number): Promise<string[]> {
  const one = (number: number) =>
    `commit refs/heads/many\ncommitter Ada <ada@example.org> ${at + number} +0000\ndata 2\n${number % 10}\n\n`
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: user,
    input: Array.from({ length: count }, (_, number) => one(number)).join(''),
  })
  return git(user, 'rev-list', 'many').split('\n')
}

describe('notes', () => {
  it('are written in one commit, read back by git, and nothing else changes', async () => {
    const { user, repository, all } = await yardWith(3)
    const before = userFingerprint(user)
    const notes = all.map((commit) => adds(commit, `{"of":"${commit}"}`))
    expect(await repository.addNotes({ at, notes })).toEqual({ status: 'written' })
    for (const commit of all) expect(noteOf(user, commit)).toBe(`{"of":"${commit}"}`)
    expect(git(user, 'rev-list', '--count', ref)).toBe('1')
    expect(withoutNotes(userFingerprint(user))).toEqual(withoutNotes(before))
    expect(git(user, 'log', '-1', '--format=%an <%ae>', ref)).toBe('Grace <grace@example.org>')
    expect(await repository.refs('refs/ropewalk/notes')).toEqual([])
  })

  it('that are there already are not written again', async () => {
    const { user, repository, all } = await yardWith(2)
    const notes = all.map((commit) => adds(commit, 'said'))
    await repository.addNotes({ at, notes })
    const tip = git(user, 'rev-parse', ref)
    expect(await repository.addNotes({ at: at + 1, notes })).toEqual({ status: 'unchanged' })
    expect(git(user, 'rev-parse', ref)).toBe(tip)
  })

  it('keep what the user has noted there, on the same commit and on others', async () => {
    const { user, repository, all } = await yardWith(3)
    const [first, second, third] = all as [string, string, string]
    git(user, 'notes', '--ref', 'ropewalk', 'add', '-m', 'mine: ünïcode', first)
    git(user, 'notes', '--ref', 'ropewalk', 'add', '-m', 'other', second)
    git(user, 'notes', 'add', '-m', 'in the usual place', first)
    expect(await repository.addNotes({ at, notes: [adds(first, 'ours'), adds(third, 'ours')] })).toEqual({
      status: 'written',
    })
    expect(noteOf(user, first)).toBe('mine: ünïcode\nours')
    expect(noteOf(user, second)).toBe('other')
    expect(noteOf(user, third)).toBe('ours')
    expect(git(user, 'notes', 'show', first)).toBe('in the usual place')
    expect(git(user, 'rev-list', '--count', ref)).toBe('3')
  })

  it('are found and kept where git has spread many of them over folders', async () => {
    const { user, repository, all } = await yardWith(2)
    const commits = await manyCommits(user, 400)
    await repository.fetchTarget('many')
    await repository.addNotes({ at, notes: commits.map((commit) => adds(commit, 'many')) })
    git(user, 'notes', '--ref', 'ropewalk', 'add', '-m', 'mine', all[0]!)
    expect(git(user, 'ls-tree', '--name-only', ref).split('\n')[0]).toMatch(/^[0-9a-f]{2}$/)
    await repository.addNotes({ at, notes: [adds(all[0]!, 'ours'), adds(all[1]!, 'ours')] })
    expect(noteOf(user, all[0]!)).toBe('mine\nours')
    expect(git(user, 'ls-tree', '-r', '--name-only', ref).split('\n')).toHaveLength(402)
  })

  it('of two who write at the same time are all there', async () => {
    const { user, repository, all } = await yardWith(2)
    const repositories = openRepositories({ home: temporaryFolder() })
    const other = await repositories.open(await repositories.find(user))
    const lines = ['one', 'two', 'three', 'four']
    await Promise.all(
      lines.flatMap((line) => [
        repository.addNotes({ at, notes: [adds(all[0]!, `ours ${line}`)] }),
        other.addNotes({ at, notes: [adds(all[1]!, `theirs ${line}`)] }),
      ]),
    )
    expect(noteOf(user, all[0]!).split('\n').sort()).toEqual(lines.map((line) => `ours ${line}`).sort())
    expect(noteOf(user, all[1]!).split('\n').sort()).toEqual(lines.map((line) => `theirs ${line}`).sort())
  })

  it('are refused, and nothing is written, when a ref of a longer name is in the way', async () => {
    const { user, repository, all } = await yardWith(1)
    git(user, 'update-ref', `${ref}/mine`, all[0]!)
    const before = userFingerprint(user)
    expect(await repository.addNotes({ at, notes: [adds(all[0]!, 'ours')] })).toMatchObject({ status: 'refused' })
    expect(userFingerprint(user)).toEqual(before)
  })

  it('wait for a lock that somebody holds', async () => {
    const { user, repository, all } = await yardWith(1)
    await repository.addNotes({ at, notes: [adds(all[0]!, 'before')] })
    const lock = join(user, '.git', `${ref}.lock`)
    writeFileSync(lock, '')
    await expect(repository.addNotes({ at, notes: [adds(all[0]!, 'ours')] })).rejects.toMatchObject({
      name: 'TransientError',
    })
    expect(noteOf(user, all[0]!)).toBe('before')
    expect(existsSync(lock) && readFileSync(lock, 'utf8')).toBe('')
  })
})

describe("the user's repository", () => {
  it('tells its commits, notes and files, and leaves no trace', async () => {
    const { user, repository, all, home } = await yardWith(3)
    await repository.addNotes({ at, notes: [adds(all[0]!, 'noted')] })
    const before = userFingerprint(user)
    const looked = await openRepositories({ home }).look(join(user))
    expect(looked).toMatchObject({ shallow: false, hasNotes: true, signersFile: null })
    expect(await looked.commits('main')).toEqual([all[0]])
    expect(await looked.commits('main~2..main')).toEqual([all[1], all[0]])
    expect(await looked.commits('main..main')).toEqual([])
    for (const unknown of ['nobody', 'nobody..main', '--all', '-1..main', ''])
      expect(await looked.commits(unknown)).toBeNull()
    expect(await looked.readNote(all[0]!, 100)).toEqual({ text: 'noted\n', bytes: 6 })
    expect(await looked.readNote(all[0]!, 5)).toEqual({ text: null, bytes: 6 })
    expect(await looked.readNote(all[1]!, 100)).toBeNull()
    expect(await looked.readCommit(all[0]!)).toEqual({
      tree: git(user, 'rev-parse', 'main^{tree}'),
      message: 'Commit 2\n',
    })
    expect(await looked.readFile(all[0]!, 'a.txt')).toBe('a\n')
    expect(await looked.readFile(all[0]!, 'b.txt')).toBeNull()
    expect(await looked.isAncestor(all[2]!, all[0]!)).toBe(true)
    expect(await looked.isAncestor(all[0]!, all[2]!)).toBe(false)
    expect(await looked.isAncestor(all[0]!, '7'.repeat(40))).toBe(false)
    expect(userFingerprint(user)).toEqual(before)
  })

  it('says that it is shallow and without notes, as a clone is', async () => {
    const { user, repository, all } = await yardWith(3)
    await repository.addNotes({ at, notes: [adds(all[0]!, 'noted')] })
    const clone = join(temporaryFolder(), 'clone')
    git(user, 'clone', '-q', '--depth', '1', `file://${encodeURI(user)}`, clone)
    const looked = await openRepositories({ home: temporaryFolder() }).look(clone)
    expect(looked).toMatchObject({ shallow: true, hasNotes: false })
    expect(await looked.commits(`${all[2]}..HEAD`)).toBeNull()
    git(clone, 'fetch', '-q', 'origin', `${ref}:${ref}`)
    const fetched = await openRepositories({ home: temporaryFolder() }).look(clone)
    expect(await fetched.readNote(all[0]!, 100)).toMatchObject({ text: 'noted\n' })
    git(clone, 'checkout', '-q', '--detach')
    git(clone, 'commit', '-q', '--allow-empty', '-m', 'On no branch')
    const { repository: ours } = await openYard(clone)
    await ours.fetchCommit(git(clone, 'rev-parse', 'HEAD'))
    expect(await ours.treeOf(git(clone, 'rev-parse', 'HEAD'))).toBe(git(clone, 'rev-parse', 'HEAD^{tree}'))
  })
})
