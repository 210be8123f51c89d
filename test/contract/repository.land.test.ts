import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { LandResult } from '../../src/ports/repository/landings.ts'
import { write } from '../empty-repository.ts'
import { codeStory, message, openYard, type Yard } from './repository-walk.ts'
import { git, makeUserRepository, temporaryFolder, userFingerprint } from './user-repository.ts'

const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'gone.txt': 'g\n', 'folder/c.txt': 'c\n', '.gitignore': '.env\n' }
const landedFiles = { 'a.txt': 'aa\n', 'b.txt': 'b\n', 'folder/c.txt': 'cc\n', 'added/d.txt': 'd\n' }

/** A yard with one composed commit that is ready to land on main. */
async function ready(
  user = makeUserRepository(files),
  more: Record<string, string> = {},
): Promise<Yard & { to: string }> {
  const yard = await openYard(user)
  const commit = await codeStory(yard, 's', (path) => {
    write(path, { ...landedFiles, ...more })
    rmSync(join(path, 'gone.txt'))
    if (more['.env'] !== undefined) git(path, 'add', '-f', '.env')
  })
  const { base, repository } = yard
  const composed = await repository.compose({ onto: base, base, commit, message: message() })
  return { ...yard, to: composed.commit }
}

const land = (yard: Yard & { to: string }) => yard.repository.land({ branch: 'main', from: yard.base, to: yard.to })

function expectLanded(yard: Yard & { to: string }): void {
  expect(git(yard.user, 'rev-parse', 'refs/heads/main')).toBe(yard.to)
  expect(git(yard.user, 'status', '--short', '--untracked-files=no')).toBe('')
  for (const [name, text] of Object.entries(landedFiles)) expect(readFileSync(join(yard.user, name), 'utf8')).toBe(text)
  expect(existsSync(join(yard.user, 'gone.txt'))).toBe(false)
  const left = readdirSync(join(yard.user, '.git')).filter((name) => /^index\.|^FETCH_HEAD$/.test(name))
  expect(left).toEqual([])
}

describe('a checkout that is not ours to touch', () => {
  it.each<[string, (user: string) => unknown, string]>([
    ['an unstaged change', (u) => write(u, { 'b.txt': 'mine\n' }), 'b.txt'],
    ['a staged change', (u) => [write(u, { 'b.txt': 'mine\n' }), git(u, 'add', 'b.txt')], 'b.txt'],
    ['a staged new file', (u) => [write(u, { 'n.txt': 'n\n' }), git(u, 'add', 'n.txt')], 'n.txt'],
    ['a deleted file', (u) => rmSync(join(u, 'folder/c.txt')), 'folder/c.txt'],
    ['an untracked file in the way', (u) => write(u, { 'added/d.txt': 'mine\n' }), 'added/d.txt'],
    ['an untracked file where a folder must be', (u) => write(u, { added: 'mine\n' }), 'added'],
    ['an untracked folder where a file must be', (u) => write(u, { 'added/d.txt/x': 'mine\n' }), 'added/d.txt'],
    [
      'a merge in progress',
      (u) => write(u, { '.git/MERGE_HEAD': git(u, 'rev-parse', 'HEAD') }),
      '(in progress: MERGE_HEAD)',
    ],
    ['a rebase in progress', startRebase, '(a rebase of the branch is in progress)'],
  ])('%s', async (_name, work, file) => {
    const user = makeUserRepository(files)
    git(user, 'commit', '-q', '--allow-empty', '-m', 'second')
    const yard = await ready(user)
    work(user)
    const before = userFingerprint(user)
    expect(await land(yard)).toMatchObject({ status: 'dirty', tip: yard.base, files: [file] })
    expect(userFingerprint(user)).toEqual(before)
  })

  it('an ignored file that the landing would overwrite', async () => {
    const yard = await ready(makeUserRepository(files), { '.env': 'theirs' })
    write(yard.user, { '.env': 'my secret' })
    expect(await land(yard)).toMatchObject({ status: 'dirty', files: ['.env'] })
    expect(readFileSync(join(yard.user, '.env'), 'utf8')).toBe('my secret')
    rmSync(join(yard.user, '.env'))
    expect(await land(yard)).toEqual({ status: 'landed' })
  })

  it('a linked worktree with changes', async () => {
    const yard = await ready()
    const linked = join(dirname(yard.user), 'linked')
    git(yard.user, 'checkout', '-q', '--detach')
    git(yard.user, 'worktree', 'add', '-q', linked, 'main')
    write(linked, { 'b.txt': 'mine\n' })
    expect(await land(yard)).toMatchObject({ status: 'dirty', files: ['b.txt'], worktree: linked })
    git(linked, 'checkout', '-q', '--', 'b.txt')
    expect(await land(yard)).toEqual({ status: 'landed' })
    expect(git(linked, 'status', '--short')).toBe('')
    expect(readFileSync(join(yard.user, 'a.txt'), 'utf8')).toBe('a\n')
  })

  it('lands where files were only touched, or copied', async () => {
    const yard = await ready()
    for (const name of ['a.txt', 'gone.txt']) utimesSync(join(yard.user, name), 1, 1)
    expect(await land(yard)).toEqual({ status: 'landed' })
    expectLanded(yard)
  })

  it('lands beside untracked files and a stash, and keeps them', async () => {
    const yard = await ready()
    write(yard.user, { 'b.txt': 'stashed\n' })
    git(yard.user, 'stash')
    write(yard.user, { 'notes.txt': 'mine\n', 'added/other.txt': 'mine too\n' })
    const before = userFingerprint(yard.user)
    expect(await land(yard)).toEqual({ status: 'landed' })
    expectLanded(yard)
    const after = userFingerprint(yard.user)
    for (const part of ['stash', 'config', 'hooks', 'head'] as const) expect(after[part]).toBe(before[part])
    expect(readFileSync(join(yard.user, 'added/other.txt'), 'utf8')).toBe('mine too\n')
  })
})

describe('a target that moves', () => {
  it('is reported with its tip, and nothing is touched', async () => {
    const yard = await ready()
    git(yard.user, 'commit', '-q', '--allow-empty', '-m', 'by the user')
    const before = userFingerprint(yard.user)
    expect(await land(yard)).toEqual({ status: 'moved', tip: git(yard.user, 'rev-parse', 'HEAD') })
    expect(userFingerprint(yard.user)).toEqual(before)
  })

  it('has landed when it contains the commit, however often we ask', async () => {
    const yard = await ready()
    expect(await land(yard)).toEqual({ status: 'landed' })
    expectLanded(yard)
    git(yard.user, 'commit', '-q', '--allow-empty', '-m', 'on top')
    write(yard.user, { 'b.txt': 'at work\n' })
    const before = userFingerprint(yard.user)
    expect(await land(yard)).toEqual({ status: 'landed' })
    expect(userFingerprint(yard.user)).toEqual(before)
  })

  it('never goes back or sideways', async () => {
    const yard = await ready()
    const other = await codeStory(yard, 'other', (path) => write(path, { 'b.txt': 'x' }))
    await expect(yard.repository.land({ branch: 'main', from: yard.to, to: other })).rejects.toThrow('does not descend')
    await expect(yard.repository.land({ branch: 'gone', from: yard.base, to: yard.to })).rejects.toMatchObject({
      name: 'TerminalError',
    })
  })
})

describe('locks of others', () => {
  it.each([['index.lock'], ['refs/heads/main.lock']])(
    '%s held is transient, and lands when it is free',
    async (lock) => {
      const yard = await ready()
      writeFileSync(join(yard.user, '.git', lock), '')
      const before = userFingerprint(yard.user)
      await expect(land(yard)).rejects.toMatchObject({ name: 'TransientError' })
      expect(userFingerprint(yard.user)).toEqual(before)
      rmSync(join(yard.user, '.git', lock))
      expect(await land(yard)).toEqual({ status: 'landed' })
      expectLanded(yard)
    },
  )
})

describe('two landings at the same time', () => {
  it.each([1, 2, 3, 4, 5])('end with one of them there and the other told so (%i)', async () => {
    const yard = await ready()
    const { base, repository } = yard
    const commit = await codeStory(yard, 'other', (path) => write(path, { 'other.txt': 'o\n' }))
    const other = await repository.compose({ onto: base, base, commit, message: message() })
    const results = await Promise.all([yard.to, other.commit].map((to) => landAtLast({ ...yard, to })))
    expect(results.map(({ status }) => status).sort()).toEqual(['landed', 'moved'])
    expect(git(yard.user, 'status', '--short')).toBe('')
    expect(readdirSync(join(yard.user, '.git')).filter((name) => name.startsWith('index.'))).toEqual([])
  })
})

describe('half-done states of a killed landing', () => {
  const journal = (yard: Yard & { to: string }): void =>
    writeFileSync(join(yard.user, '.git/index.lock'), `ropewalk lands main ${yard.base} ${yard.to}\n`)
  const bring = (yard: Yard & { to: string }): string =>
    git(yard.user, 'fetch', '-q', '--no-write-fetch-head', cloneOf(yard), yard.to)

  it('locked, nothing moved', async () => {
    const yard = await ready()
    journal(yard)
    writeFileSync(join(yard.user, `.git/index.ropewalk-${yard.to}.lock`), 'half')
    expect(await land(yard)).toEqual({ status: 'landed' })
    expectLanded(yard)
  })

  it('locked, nothing moved, the user has edited since', async () => {
    const yard = await ready()
    journal(yard)
    write(yard.user, { 'a.txt': 'mine\n' })
    expect(await land(yard)).toMatchObject({ status: 'dirty', files: ['a.txt'] })
    expect(existsSync(join(yard.user, '.git/index.lock'))).toBe(false)
  })

  it.each<[string, (user: string) => unknown]>([
    ['branch moved', () => {}],
    ['branch moved, one file changed', (u) => write(u, { 'a.txt': 'aa\n' })],
    ['branch moved, one file added', (u) => write(u, { 'added/d.txt': 'd\n' })],
    ['branch moved, one file removed', (u) => rmSync(join(u, 'gone.txt'))],
    ['branch moved, all files done', (u) => [write(u, landedFiles), rmSync(join(u, 'gone.txt'))]],
  ])('%s', async (_name, work) => {
    const yard = await ready()
    bring(yard)
    journal(yard)
    git(yard.user, 'update-ref', 'refs/heads/main', yard.to, yard.base)
    work(yard.user)
    expect(await land(yard)).toEqual({ status: 'landed' })
    expectLanded(yard)
  })

  it('all done but the lock', async () => {
    const yard = await ready()
    await land(yard)
    journal(yard)
    expect(await land(yard)).toEqual({ status: 'landed' })
    expectLanded(yard)
  })

  it('keeps what the user has edited meanwhile', async () => {
    const yard = await ready()
    bring(yard)
    journal(yard)
    git(yard.user, 'update-ref', 'refs/heads/main', yard.to, yard.base)
    write(yard.user, { 'a.txt': 'edited meanwhile\n', 'b.txt': 'this too\n' })
    expect(await land(yard)).toEqual({ status: 'landed' })
    expect(git(yard.user, 'status', '--short')).toBe(' M a.txt\n M b.txt')
    expect(readFileSync(join(yard.user, 'a.txt'), 'utf8')).toBe('edited meanwhile\n')
    expect(readFileSync(join(yard.user, 'folder/c.txt'), 'utf8')).toBe('cc\n')
  })

  it('the lock of another landing is respected', async () => {
    const yard = await ready()
    writeFileSync(join(yard.user, '.git/index.lock'), `ropewalk lands main ${yard.base} ${yard.base}\n`)
    await expect(land(yard)).rejects.toMatchObject({ name: 'TransientError' })
  })
})

describe('killed for real', () => {
  const bundle = join(temporaryFolder(), 'land.mjs')
  beforeAll(async () => {
    const { build } = await import('esbuild')
    await build({
      stdin: { contents: child, resolveDir: join(import.meta.dirname, '../..'), loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: bundle,
    })
  })

  it.each<[string, (yard: Yard & { to: string }) => boolean]>([
    ['at once', () => true],
    ['when it has the lock', ({ user }) => existsSync(join(user, '.git/index.lock'))],
    ['when the copy of the index is made', ({ user, to }) => existsSync(join(user, `.git/index.ropewalk-${to}`))],
    [
      'when the branch has moved',
      ({ user, to }) => readFileSync(join(user, '.git/refs/heads/main'), 'utf8').includes(to),
    ],
    ['when the first file has changed', ({ user }) => existsSync(join(user, 'added/d.txt'))],
  ])('%s, it lands to the same end', async (_name, reached) => {
    const yard = await ready()
    await killWhen(yard, reached)
    expect(await landAtLast(yard)).toEqual({ status: 'landed' })
    expectLanded(yard)
  })

  it.each([
    ['tried', 1],
    ['run for the checkout', 2],
  ])('while a filter is %s, it lands to the same end', async (_name, times) => {
    const user = makeUserRepository({ ...files, '.gitattributes': '*.psd filter=slow\n', 'x.psd': 'one\n' })
    const yard = await ready(user, { 'x.psd': 'two\n' })
    const [runs, go] = ['runs', 'go'].map((name) => join(temporaryFolder(), name)) as [string, string]
    const waits = `[ $(wc -l < "${runs}") -lt ${times} ] || until [ -e "${go}" ]; do sleep 0.05; done`
    git(user, 'config', 'filter.slow.smudge', `echo >> "${runs}"; ${waits}; cat`)
    git(user, 'config', 'filter.slow.clean', 'cat')
    git(user, 'config', 'filter.slow.required', 'true')
    try {
      await killWhen(yard, () => existsSync(runs) && readFileSync(runs).length >= times)
      expect(git(user, 'rev-parse', 'main')).toBe(times === 1 ? yard.base : yard.to)
      git(user, 'config', 'filter.slow.smudge', 'cat')
      expect(await landAtLast(yard)).toEqual({ status: 'landed' })
      expectLanded(yard)
      expect(readFileSync(join(user, 'x.psd'), 'utf8')).toBe('two\n')
    } finally {
      writeFileSync(go, '')
    }
  })

  async function killWhen<Y extends Yard & { to: string }>(yard: Y, reached: (yard: Y) => boolean): Promise<void> {
    const args = [bundle, yard.home, yard.user, yard.base, yard.to]
    const killed = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(killed, 'close')
    await once(killed.stdout, 'data')
    while (!reached(yard) && killed.exitCode === null) await new Promise((resolve) => setImmediate(resolve))
    killed.kill('SIGKILL')
    await closed
  }
})

const child = `
import { openRepositories } from './src/adapters/git/repositories.ts'
const [home, user, from, to] = process.argv.slice(2)
const repositories = openRepositories({ home })
const repository = await repositories.open(await repositories.find(user))
process.stdout.write('ready')
await repository.land({ branch: 'main', from, to })
`

/**
 * A git child of a killed process may live a moment longer and hold its lock, as another landing may; the engine tries
 * again then, and so do we.
 */
async function landAtLast(yard: Yard & { to: string }): Promise<LandResult> {
  for (;;) {
    try {
      return await land(yard)
    } catch (error) {
      if ((error as Error).name !== 'TransientError') throw error
    }
  }
}

function cloneOf(yard: Yard): string {
  const alternates = readFileSync(join(yard.at('s'), '.git/objects/info/alternates'), 'utf8')
  return dirname(JSON.parse(alternates))
}

function startRebase(user: string): void {
  mkdirSync(join(user, '.git/rebase-merge'))
  writeFileSync(join(user, '.git/rebase-merge/head-name'), 'refs/heads/main\n')
  git(user, 'checkout', '-q', '--detach')
}
