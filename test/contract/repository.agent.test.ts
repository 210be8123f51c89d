import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { write } from '../empty-repository.ts'
import { message, openStory, openYard, type Yard } from './repository-walk.ts'
import { git, makeUserRepository, userFingerprint } from './user-repository.ts'

const files = { 'a.txt': 'a\n', '.gitignore': 'ignored/\n*.log\n.env\n' }

async function outcome(yard: Yard, path: string): Promise<Record<string, string | null>> {
  const { commit } = await yard.repository.harvest({ path, base: yard.base, message: message() })
  expect(git(yard.user, 'rev-parse', 'HEAD')).toBe(yard.base)
  const names = (await yard.repository.listFiles(commit)).filter((name) => name !== '.gitignore')
  const texts = await Promise.all(names.map((name) => yard.repository.readFile(commit, name)))
  return Object.fromEntries(names.map((name, i) => [name, texts[i]!]))
}

const attempt = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

type Case = [string, (workspace: string, yard: Yard) => unknown, Record<string, string>]

const rogue: Case[] = [
  ['commits by itself', (w) => commitAll(w, { 'a.txt': 'mine\n' }), { 'a.txt': 'mine\n' }],
  [
    'commits some, leaves some',
    (w) => [commitAll(w, { 'b.txt': 'b\n' }), write(w, { 'c.txt': 'c\n' })],
    { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' },
  ],
  ['resets hard', (w) => [write(w, { 'a.txt': 'x' }), git(w, 'reset', '-q', '--hard')], { 'a.txt': 'a\n' }],
  ['stashes', (w) => [write(w, { 'a.txt': 'x' }), git(w, 'stash')], { 'a.txt': 'a\n' }],
  [
    'deletes the branch',
    (w) => [git(w, 'checkout', '-q', '--detach'), git(w, 'branch', '-D', 'ropewalk'), write(w, { 'a.txt': 'x' })],
    { 'a.txt': 'x' },
  ],
  [
    'removes worktrees',
    (w) => [attempt(() => git(w, 'worktree', 'remove', '--force', '.')), write(w, { 'a.txt': 'x' })],
    { 'a.txt': 'x' },
  ],
  ['removes .git', (w) => [rmSync(join(w, '.git'), { recursive: true }), write(w, { 'a.txt': 'x' })], { 'a.txt': 'x' }],
  [
    'makes .git afresh',
    (w) => [rmSync(join(w, '.git'), { recursive: true }), git(w, 'init', '-q'), commitAll(w, { 'a.txt': 'x' })],
    { 'a.txt': 'x' },
  ],
  [
    'breaks .git',
    (w) => [
      write(w, { '.git/HEAD': 'rubbish', '.git/index': 'rubbish', '.git/config': '[[' }),
      write(w, { 'a.txt': 'x' }),
    ],
    { 'a.txt': 'x' },
  ],
  [
    'edits the config',
    (w) => [
      git(w, 'config', 'core.worktree', '/'),
      git(w, 'config', 'core.fsmonitor', 'touch /tmp/no'),
      write(w, { 'a.txt': 'x' }),
    ],
    { 'a.txt': 'x' },
  ],
  [
    'hides changes in its index',
    (w) => [git(w, 'update-index', '--assume-unchanged', 'a.txt'), write(w, { 'a.txt': 'x' })],
    { 'a.txt': 'x' },
  ],
  [
    'adds an ignored file by force',
    (w) => [write(w, { '.env': 'k=v\n', 'x.log': 'l' }), git(w, 'add', '-f', '.env')],
    { 'a.txt': 'a\n', '.env': 'k=v\n' },
  ],
  [
    'commits an ignored file by force',
    (w) => [write(w, { '.env': 'k=v\n' }), git(w, 'add', '-f', '.env'), git(w, 'commit', '-qm', 'x')],
    { 'a.txt': 'a\n', '.env': 'k=v\n' },
  ],
  [
    'commits an ignored file, loses the index',
    (w) => [
      write(w, { '.env': 'k=v\n' }),
      git(w, 'add', '-f', '.env'),
      git(w, 'commit', '-qm', 'x'),
      rmSync(join(w, '.git/index')),
    ],
    { 'a.txt': 'a\n', '.env': 'k=v\n' },
  ],
  ['nests a repository', (w) => nest(w, true), { 'a.txt': 'a\n', 'sub/b.txt': 'b\n', 'sub/deep/c.txt': 'c\n' }],
  [
    'nests a repository without a commit',
    (w) => nest(w, false),
    { 'a.txt': 'a\n', 'sub/b.txt': 'b\n', 'sub/deep/c.txt': 'c\n' },
  ],
  [
    'commits a nested repository as a link',
    (w) => [
      nest(w, true),
      write(w, { '.env': 'k\n' }),
      git(w, 'add', '-f', '.env', 'sub'),
      git(w, 'commit', '-qm', 'x'),
    ],
    { 'a.txt': 'a\n', '.env': 'k\n', 'sub/b.txt': 'b\n', 'sub/deep/c.txt': 'c\n' },
  ],
  ['replaces a file by a pipe', (w) => [rmSync(join(w, 'a.txt')), execFileSync('mkfifo', [join(w, 'a.txt')])], {}],
  ['replaces a file by a folder', (w) => [rmSync(join(w, 'a.txt')), write(w, { 'a.txt/b': 'b' })], { 'a.txt/b': 'b' }],
  ['deletes everything', (w) => rmSync(join(w, 'a.txt')), {}],
]

describe('whatever an agent does with git, its files are harvested and nothing of ours or the user changes', () => {
  it.each(rogue)('%s', async (_name, work, expected) => {
    const user = makeUserRepository(files)
    const before = userFingerprint(user)
    const yard = await openYard(user)
    const path = await openStory(yard, 's')
    const refs = await yard.repository.refs('refs/ropewalk/')
    work(path, yard)
    const harvested = await outcome(yard, path)
    expect(harvested).toEqual(expected)
    expect(await outcome(yard, path)).toEqual(expected)
    expect(await yard.repository.refs('refs/ropewalk/')).toEqual(refs)
    expect(userFingerprint(user)).toEqual(before)
  })

  it('cannot push, not even by path', async () => {
    const user = makeUserRepository(files)
    const before = userFingerprint(user)
    const yard = await openYard(user)
    const path = await openStory(yard, 's')
    commitAll(path, { 'a.txt': 'x' })
    const clone = readFileSync(join(path, '.git/objects/info/alternates'), 'utf8').replace(/^"|"?\n$|objects"?\n$/g, '')
    for (const target of [[], [user, 'HEAD:main'], [user, 'HEAD:other'], [clone, 'HEAD:refs/ropewalk/line/d1']])
      expect(attempt(() => git(path, 'push', '-f', ...target))).toBeInstanceOf(Error)
    git(path, 'remote', 'add', 'origin', user)
    expect(attempt(() => git(path, 'push', 'origin', 'HEAD:other'))).toBeInstanceOf(Error)
    expect(userFingerprint(user)).toEqual(before)
    expect(await yard.repository.readRef('refs/ropewalk/line/d1')).toBeNull()
  })

  it('does not run the hooks it leaves', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    for (const hook of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction']) {
      write(path, { [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch '${yard.home}/ran'\n` })
      chmodSync(join(path, '.git/hooks', hook), 0o755)
    }
    write(path, { 'a.txt': 'x' })
    await outcome(yard, path)
    await yard.repository.closeWorkspace({ path, archiveAs: 'd1/s/1', kept: [] })
    expect(existsSync(join(yard.home, 'ran'))).toBe(false)
  })

  it('takes a link as a link', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    symlinkSync('/etc', join(path, 'etc'))
    const { commit } = await yard.repository.harvest({ path, base: yard.base, message: message() })
    const [change] = await yard.repository.diff(yard.base, commit)
    expect(change).toMatchObject({ path: 'etc', newMode: '120000', after: '/etc' })
  })
})

describe('archiving', () => {
  it('keeps what a session has left, and has it in the archive as well', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    write(path, { 'half.txt': 'half done' })
    const request = { path, at: yard.base, archiveAs: 'd1/s/1', stays: 'all' as const }
    const { created, archived } = await yard.repository.openWorkspace(request)
    expect(created).toBe(false)
    expect(readFileSync(join(path, 'half.txt'), 'utf8')).toBe('half done')
    expect(await yard.repository.readFile(archived!.commit, 'half.txt')).toBe('half done')
    const { commit } = await yard.repository.harvest({ path, base: yard.base, message: message() })
    expect(await yard.repository.readFile(commit, 'half.txt')).toBe('half done')
  })

  it('opens what is there again without a trace when nothing would be lost', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    write(path, { 'ignored/dep.js': 'dep' })
    const again = { path, at: yard.base, archiveAs: 'd1/s/1', stays: 'ignored' as const }
    expect(await yard.repository.openWorkspace(again)).toEqual({ created: false, archived: null })
    expect(existsSync(join(path, 'ignored/dep.js'))).toBe(true)
    const clean = await yard.repository.openWorkspace({ ...again, stays: 'none' })
    expect(clean).toEqual({ created: true, archived: null })
    expect(existsSync(join(path, 'ignored'))).toBe(false)
    expect(await yard.repository.closeWorkspace({ path, archiveAs: 'd1/s/1', kept: [] })).toBeNull()
    expect(existsSync(path)).toBe(false)
    expect(await yard.repository.closeWorkspace({ path, archiveAs: 'd1/s/1', kept: [] })).toBeNull()
  })

  it('keeps dirty files, commits, stashes and abandoned commits of the agent', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    const own = [commitAll(path, { 'own.txt': 'committed\n' })]
    write(path, { 'stashed.txt': 's\n' })
    git(path, 'stash', '-u')
    own.push(git(path, 'rev-parse', 'stash'))
    own.push(commitAll(path, { 'gone.txt': 'reset away\n' }))
    git(path, 'reset', '-q', '--hard', 'HEAD^')
    write(path, { 'dirty.txt': 'd\n', 'sub/nested/x.txt': 'x' })
    const opened = await yard.repository.openWorkspace({ path, at: yard.base, archiveAs: 'd1/s/1', stays: 'ignored' })
    expect(opened.archived?.ref).toBe('refs/ropewalk/archive/d1/s/1')
    expect(await yard.repository.listFiles(opened.archived!.commit)).toEqual([
      '.gitignore',
      'a.txt',
      'dirty.txt',
      'own.txt',
      'sub/nested/x.txt',
    ])
    for (const commit of own) expect(await yard.repository.isAncestor(commit, opened.archived!.commit)).toBe(true)
    expect(git(path, 'status', '--short')).toBe('')
    expect(existsSync(join(path, 'sub'))).toBe(false)
    expect(git(path, 'log', '--format=%H')).toBe(yard.base)
  })

  it('never overwrites an archive: the same once, another under a number', async () => {
    const yard = await openYard(makeUserRepository(files))
    const archived = []
    for (const text of ['one', 'one', 'two']) {
      const path = await openStory(yard, 's')
      write(path, { 'a.txt': text })
      archived.push(await yard.repository.closeWorkspace({ path, archiveAs: 'd1/s/1', kept: [] }))
    }
    expect(archived[1]).toEqual(archived[0])
    expect(archived[2]?.ref).toBe('refs/ropewalk/archive/d1/s/1-2')
    expect(await yard.repository.readFile(archived[0]!.commit, 'a.txt')).toBe('one')
  })

  it('archives the harvested commit itself when nothing came after it', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    write(path, { 'a.txt': 'x' })
    const { commit } = await yard.repository.harvest({ path, base: yard.base, message: message() })
    expect((await yard.repository.closeWorkspace({ path, archiveAs: 'd1/s/1', kept: [] }))?.commit).toBe(commit)
  })

  it('keeps every harvested commit, whatever the workspace is opened at afterwards', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    const harvested = []
    for (const text of ['one', 'two', 'two', 'three']) {
      write(path, { 'a.txt': text })
      harvested.push((await yard.repository.harvest({ path, base: yard.base, message: message() })).commit)
    }
    const request = { path, at: harvested.at(-1)!, archiveAs: 'd1/s/1', stays: 'ignored' as const }
    const { archived } = await yard.repository.openWorkspace(request)
    for (const commit of harvested) expect(await yard.repository.isAncestor(commit, archived!.commit)).toBe(true)
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('three')
    expect(await yard.repository.openWorkspace(request)).toEqual({ created: false, archived: null })
  })

  it('loses nothing of an unknown folder of the same name', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = yard.at('s')
    write(path, { 'orphan.txt': 'precious\n' })
    mkdirSync(join(path, '.git'))
    const opened = await yard.repository.openWorkspace({ path, at: yard.base, archiveAs: 'd1/s/1', stays: 'ignored' })
    expect(opened.created).toBe(true)
    expect(await yard.repository.readFile(opened.archived!.commit, 'orphan.txt')).toBe('precious\n')
    expect(existsSync(join(path, 'orphan.txt'))).toBe(false)
    expect(git(path, 'status', '--short')).toBe('')
  })

  it("never follows a link that was put in a workspace's place", async () => {
    const yard = await openYard(makeUserRepository(files))
    write(yard.user, { 'untracked.txt': 'precious\n' })
    const path = await openStory(yard, 's')
    rmSync(path, { recursive: true })
    symlinkSync(yard.user, path)
    const before = userFingerprint(yard.user)
    await expect(yard.repository.harvest({ path, base: yard.base, message: message() })).rejects.toThrow('is gone')
    await yard.repository.openWorkspace({ path, at: yard.base, archiveAs: 'd1/s/1', stays: 'ignored' })
    expect(userFingerprint(yard.user)).toEqual(before)
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a\n')
    rmSync(path, { recursive: true })
    symlinkSync(yard.user, path)
    await yard.repository.closeWorkspace({ path, archiveAs: 'd1/s/1', kept: [] })
    expect(userFingerprint(yard.user)).toEqual(before)
  })

  it('removes folders that may not be written to', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    write(path, { 'ignored/mod/file': 'x' })
    chmodSync(join(path, 'ignored/mod'), 0o555)
    await yard.repository.closeWorkspace({ path, archiveAs: 'd1/s/1', kept: [] })
    expect(existsSync(path)).toBe(false)
  })
})

function commitAll(folder: string, contents: Record<string, string>): string {
  write(folder, contents)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'by the agent')
  return git(folder, 'rev-parse', 'HEAD')
}

function nest(workspace: string, committed: boolean): void {
  const sub = join(workspace, 'sub')
  write(sub, { 'b.txt': 'b\n', 'deep/c.txt': 'c\n', 'noise.log': 'ignored' })
  git(sub, 'init', '-q')
  if (committed) commitAll(sub, {})
}
