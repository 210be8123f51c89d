import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { write } from '../../empty-repository.ts'
import { codeStory, message, openYard, type Yard } from '../repository-walk.ts'
import { git, makeUserRepository, temporaryFolder, userFingerprint } from '../user-repository.ts'
import { edits } from './two-stories.ts'

type Ready = Yard & { to: string; land: () => ReturnType<Yard['repository']['land']> }

async function ready(
  user = makeUserRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' }),
  more: Record<string, string> = {},
): Promise<Ready> {
  const yard = await openYard(user)
  const { base, repository } = yard
  const commit = await codeStory(yard, 's', edits({ 'a.txt': 'done\n', ...more }))
  const { commit: to } = await repository.compose({ onto: base, base, commit, message: message() })
  return { ...yard, to, land: () => repository.land({ branch: 'main', from: base, to }) }
}

/** The user acts at the very moment when git is asked to do this. */
async function whenAsked<T>(verb: string, line: string, act: () => Promise<T>): Promise<T> {
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const folder = temporaryFolder()
  const body = `case " $* " in *" ${verb} "*) if mkdir "${folder}/once" 2>/dev/null; then ( ${line} ); fi;; esac`
  writeFileSync(join(folder, 'git'), `#!/bin/sh\ngit() { "${real}" "$@"; }\n${body}\nexec "${real}" "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  const before = process.env.PATH
  process.env.PATH = `${folder}:${before}`
  try {
    return await act()
  } finally {
    process.env.PATH = before
  }
}

const person = 'GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b'

describe('a user who moves the branch at the moment of the landing', () => {
  it.each<[string, (yard: Ready) => string]>([
    [
      'commits',
      ({ user }) =>
        `cd "${user}" && git update-ref refs/heads/main $(${person} git commit-tree HEAD^{tree} -p HEAD -m theirs)`,
    ],
    [
      'forces it to another history',
      ({ user }) => `cd "${user}" && git update-ref refs/heads/main $(${person} git commit-tree HEAD^{tree} -m anew)`,
    ],
  ])('%s: theirs stays, and nothing of ours is left in the checkout', async (_name, act) => {
    const yard = await ready()
    const before = userFingerprint(yard.user)
    const result = await whenAsked('update-ref -m ropewalk: land', act(yard), yard.land)
    const tip = git(yard.user, 'rev-parse', 'main')
    expect(tip).not.toBe(yard.base)
    expect(result).toEqual({ status: 'moved', tip })
    expect({ ...userFingerprint(yard.user), refs: '', worktrees: '' }).toEqual({ ...before, refs: '', worktrees: '' })
    expect(existsSync(join(yard.user, '.git/index.lock'))).toBe(false)
    expect(await yard.repository.fetchTarget('main')).toBe(tip)
  })

  it('forces it away after a kill had moved it: that is theirs to do, and the lock is given back', async () => {
    const yard = await ready()
    expect(await yard.land()).toEqual({ status: 'landed' })
    const other = git(yard.user, 'commit-tree', 'HEAD^{tree}', '-m', 'anew')
    git(yard.user, 'update-ref', 'refs/heads/main', other)
    writeFileSync(join(yard.user, '.git/index.lock'), `ropewalk lands main ${yard.base} ${yard.to}\n`)
    const { files } = userFingerprint(yard.user)
    expect(await yard.land()).toEqual({ status: 'moved', tip: other })
    expect(existsSync(join(yard.user, '.git/index.lock'))).toBe(false)
    expect(userFingerprint(yard.user).files).toBe(files)
  })

  it('removes it: that is said, with what to do', async () => {
    const yard = await ready()
    git(yard.user, 'checkout', '-q', '--detach')
    git(yard.user, 'branch', '-D', 'main')
    await expect(yard.land()).rejects.toMatchObject({ name: 'TerminalError', message: 'the branch "main" is gone' })
  })
})

describe('a lock of a git that is not ours', () => {
  it.each(['index.lock', 'HEAD.lock', 'refs/heads/main.lock'])('%s is waited for, and told', async (name) => {
    const yard = await ready()
    const lock = join(yard.user, '.git', name)
    writeFileSync(lock, '')
    const told = new RegExp(`${name} is in the way: a git of ${userInfo().username} made it \\d+s ago`)
    const waits = await yard.land().catch((error: unknown) => error)
    expect(waits).toMatchObject({ name: 'TransientError', message: expect.stringMatching(told) })
    expect((waits as Error).message).toContain(`remove the file: rm '${lock}'`)
    const longAgo = new Date(Date.now() - 3_600_000)
    utimesSync(lock, longAgo, longAgo)
    const left = { name: 'TerminalError', message: expect.stringContaining('1h00m ago'), remedy: expect.any(String) }
    await expect(yard.land()).rejects.toMatchObject(left)
    expect([git(yard.user, 'rev-parse', 'main'), existsSync(lock)]).toEqual([yard.base, true])
    rmSync(lock)
    expect(await yard.land()).toEqual({ status: 'landed' })
  })
})

describe('a linked worktree that has the target', () => {
  it('whose index.lock is held keeps all of them where they are', async () => {
    const yard = await ready()
    const linked = join(dirname(yard.user), 'linked')
    git(yard.user, 'checkout', '-q', '--detach')
    git(yard.user, 'worktree', 'add', '-q', linked, 'main')
    const lock = join(yard.user, '.git/worktrees/linked/index.lock')
    writeFileSync(lock, '')
    await expect(yard.land()).rejects.toMatchObject({ name: 'TransientError' })
    expect(git(yard.user, 'rev-parse', 'main')).toBe(yard.base)
    rmSync(lock)
    expect(await yard.land()).toEqual({ status: 'landed' })
    expect(readFileSync(join(linked, 'a.txt'), 'utf8')).toBe('done\n')
    expect(git(linked, 'status', '--short')).toBe('')
  })
})

describe('line endings', () => {
  it.each([
    ['true', '\r\n'],
    ['input', '\n'],
  ])('with core.autocrlf=%s a checkout is clean before and after, and a real change is seen', async (value, ending) => {
    const user = makeUserRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    git(user, 'config', 'core.autocrlf', value)
    for (const name of ['a.txt', 'b.txt']) rmSync(join(user, name))
    git(user, 'checkout', '-q', '--', '.')
    expect(readFileSync(join(user, 'b.txt'), 'utf8')).toBe(`b${ending}`)
    const yard = await ready(user)
    write(user, { 'b.txt': `mine${ending}` })
    expect(await yard.land()).toMatchObject({ status: 'dirty', files: ['b.txt'] })
    write(user, { 'b.txt': `b${ending}` })
    expect(await yard.land()).toEqual({ status: 'landed' })
    expect(readFileSync(join(user, 'a.txt'), 'utf8')).toBe(`done${ending}`)
    expect(git(user, 'status', '--short')).toBe('')
  })
})

describe('a filter of the user that fails', () => {
  const attributes = '*.psd filter=lfs -text\n'

  function withFilter(smudge: string, files: Record<string, string>): string {
    const user = makeUserRepository({ 'a.txt': 'a\n', ...files })
    setFilter(user, smudge)
    git(user, 'config', 'filter.lfs.clean', 'cat')
    git(user, 'config', 'filter.lfs.required', 'true')
    return user
  }

  const setFilter = (user: string, smudge: string): string => git(user, 'config', 'filter.lfs.smudge', smudge)

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['changed', { '.gitattributes': attributes, 'art/x y.psd': 'one\n' }, { 'art/x y.psd': 'two\n' }],
    ['added', { '.gitattributes': attributes }, { 'art/x y.psd': 'two\n' }],
    ['added together with its attribute', {}, { '.gitattributes': attributes, 'art/x y.psd': 'two\n' }],
  ])('for a file that is %s keeps everything as it is, and it lands once that works', async (_name, files, more) => {
    const user = withFilter('no-such-filter %f', files)
    const yard = await ready(user, more)
    const before = userFingerprint(user)
    const said = 'art/x y.psd: smudge filter lfs failed'
    expect(await yard.land()).toEqual({ status: 'unfiltered', tip: yard.base, said, worktree: user })
    expect(userFingerprint(user)).toEqual(before)
    expect(existsSync(join(user, '.git/index.lock'))).toBe(false)
    setFilter(user, 'cat')
    expect(await yard.land()).toEqual({ status: 'landed' })
    expect(readFileSync(join(user, 'art/x y.psd'), 'utf8')).toBe('two\n')
    expect(git(user, 'status', '--short')).toBe('')
  })

  it('does not matter when no such file changes, or one goes', async () => {
    const files = { '.gitattributes': attributes, 'art/stays.psd': 'one\n' }
    const user = withFilter('no-such-filter %f', files)
    const yard = await ready(user, { 'b.txt': 'b\n' })
    expect(await yard.land()).toEqual({ status: 'landed' })
    const base = yard.to
    const commit = await codeStory({ ...yard, base }, 'go', (path) => rmSync(join(path, 'art/stays.psd')))
    const { commit: to } = await yard.repository.compose({ onto: base, base, commit, message: message() })
    expect(await yard.repository.land({ branch: 'main', from: base, to })).toEqual({ status: 'landed' })
    expect(existsSync(join(user, 'art/stays.psd'))).toBe(false)
  })

  it('only after the branch has moved says so, and is finished once it works', async () => {
    const user = withFilter('cat', { '.gitattributes': attributes, 'x.psd': 'one\n' })
    const yard = await ready(user, { 'x.psd': 'two\n' })
    const breaks = `git -C "${user}" config filter.lfs.smudge false`
    await expect(whenAsked('update-ref -m ropewalk: land', breaks, yard.land)).rejects.toMatchObject({
      name: 'TerminalError',
      message: expect.stringMatching(/^main is at [0-9a-f]{10} now, but .* could not follow: .*smudge filter lfs/s),
    })
    expect(git(user, 'rev-parse', 'main')).toBe(yard.to)
    setFilter(user, 'cat')
    expect(await yard.land()).toEqual({ status: 'landed' })
    expect(readFileSync(join(user, 'x.psd'), 'utf8')).toBe('two\n')
    expect(git(user, 'status', '--short')).toBe('')
    expect(existsSync(join(user, '.git/index.lock'))).toBe(false)
  })
})

describe('hooks that reject and signing on', () => {
  it('keep neither the landing nor its notes, nor a story of several commits', async () => {
    const user = makeUserRepository({ 'a.txt': 'a\n' })
    mkdirSync(join(user, '.git/hooks'), { recursive: true })
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'prepare-commit-msg',
      'pre-push',
      'update',
      'reference-transaction',
    ])
      writeFileSync(join(user, '.git/hooks', hook), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    for (const key of ['commit.gpgsign', 'tag.gpgsign']) git(user, 'config', key, 'true')
    git(user, 'config', 'gpg.program', 'false')
    const yard = await openYard(user)
    const { repository, base } = yard
    const path = yard.at('s')
    await repository.openWorkspace({ path, at: base, archiveAs: 'd1/s/1', stays: 'ignored' })
    write(path, { 'b.txt': 'b\n' })
    git(path, 'add', '-A')
    git(path, 'commit', '-q', '-m', 'Add b')
    write(path, { 'c.txt': 'c\n' })
    const { commit } = await repository.harvest({ path, base, message: message('s'), method: 'rebase' })
    const replay = {
      addition: '',
      commits: (await repository.commits({ from: base, to: commit, limit: 9 })).map((one) => ({
        commit: one.commit,
        parent: one.parents[0]!,
        by: one.message.startsWith('Add b') ? { author: one.author, message: one.message } : null,
      })),
    }
    const composed = await repository.compose({
      onto: base,
      base,
      commit,
      message: message('s'),
      method: 'rebase',
      replay,
    })
    expect(await repository.land({ branch: 'main', from: base, to: composed.commit })).toEqual({ status: 'landed' })
    const notes = [{ commit: composed.commit, add: () => 'said\n' }]
    expect(await repository.addNotes({ at: 1, notes })).toEqual({ status: 'written' })
    expect(await repository.readNotes([composed.commit, base])).toEqual(new Map([[composed.commit, 'said\n']]))
    expect(git(user, 'log', '--format=%s', 'main')).toBe('s\nAdd b\nBegin')
    expect(git(user, 'status', '--short')).toBe('')
  })
})
