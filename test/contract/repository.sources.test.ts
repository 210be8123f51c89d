import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openRepositories } from '../../src/adapters/git/repositories.ts'
import { write } from '../empty-repository.ts'
import { codeStory, message, openStory, openYard, writes, type Yard } from './repository-walk.ts'
import { git, makeUserRepository, temporaryFolder, userFingerprint } from './user-repository.ts'

const files = { 'a.txt': 'a\n', 'folder/b.txt': 'b\n' }

/** One story, landed; returns the yard for a closer look. */
async function deliver(
  user: string,
  branch = 'main',
  change: Record<string, string> = { 'a.txt': 'done\n' },
): Promise<Yard> {
  const before = userFingerprint(user)
  const yard = await openYard(user, branch)
  const commit = await codeStory(yard, 's', writes(change))
  await yard.repository.exportTree(commit, yard.at('place'))
  const { base, repository } = yard
  const composed = await repository.compose({ onto: base, base, commit, message: message() })
  expect(userFingerprint(user)).toEqual(before)
  expect(await repository.land({ branch, from: base, to: composed.commit })).toEqual({ status: 'landed' })
  expect(git(user, 'rev-parse', `refs/heads/${branch}`)).toBe(composed.commit)
  const after = userFingerprint(user)
  for (const part of ['head', 'stash', 'config', 'hooks', 'gitFolder'] as const) expect(after[part]).toBe(before[part])
  return yard
}

describe('finding the repository', () => {
  const repositories = openRepositories({ home: temporaryFolder() })
  const problem = (path: string) =>
    repositories.find(path).then(
      () => null,
      (error) => ({ name: error.name, message: error.message, remedy: error.remedy }),
    )

  it('works from a subfolder, a file and a linked worktree, with one id', async () => {
    const user = makeUserRepository(files)
    const linked = join(dirname(user), 'linked')
    git(user, 'worktree', 'add', '-q', linked, '-b', 'side')
    const found = await Promise.all(['', 'folder', 'folder/b.txt'].map((path) => repositories.find(join(user, path))))
    const side = await repositories.find(join(linked, 'folder'))
    expect(found.map(({ path }) => path)).toEqual([user, user, user])
    expect(side).toEqual({ id: found[0]!.id, path: linked })
    expect(found[0]!.id).toMatch(/^user-repo-[0-9a-f]{8}$/)
  })

  it('says what is wrong and what to do', async () => {
    const empty = temporaryFolder()
    expect(await problem(join(empty, 'nowhere'))).toMatchObject({
      name: 'TerminalError',
      message: expect.stringContaining('does not exist'),
    })
    expect(await problem(empty)).toMatchObject({ name: 'TerminalError', remedy: expect.stringContaining('git init') })
    git(empty, 'init', '-q')
    expect(await problem(empty)).toMatchObject({
      message: expect.stringContaining('no commit'),
      remedy: expect.stringContaining('git commit'),
    })
  })
})

describe('every kind of repository', () => {
  it('a branch of another name, not checked out', async () => {
    const user = makeUserRepository(files, 'trunk/main')
    git(user, 'checkout', '-q', '-b', 'elsewhere')
    await deliver(user, 'trunk/main')
    expect(readFileSync(join(user, 'a.txt'), 'utf8')).toBe('a\n')
  })

  it('a detached HEAD', async () => {
    const user = makeUserRepository(files)
    git(user, 'checkout', '-q', '--detach')
    const yard = await deliver(user)
    expect(await yard.repository.checkout()).toMatchObject({ branch: null, branches: ['main'], head: yard.base })
  })

  it('a bare one', async () => {
    const bare = join(temporaryFolder(), 'bare.git')
    git('/', 'clone', '-q', '--bare', makeUserRepository(files), bare)
    const yard = await deliver(bare)
    expect(await yard.repository.checkout()).toMatchObject({ bare: true, branch: 'main', dirtyFiles: [] })
  })

  it('a worktree of a worktree', async () => {
    const user = makeUserRepository(files)
    const [one, two] = [join(dirname(user), 'one'), join(dirname(user), 'two')]
    git(user, 'worktree', 'add', '-q', one, '-b', 'one')
    git(one, 'worktree', 'add', '-q', two, '-b', 'two')
    await deliver(two, 'two')
    expect(readFileSync(join(two, 'a.txt'), 'utf8')).toBe('done\n')
    expect(git(two, 'status', '--short')).toBe('')
    await deliver(two, 'one')
    expect(readFileSync(join(one, 'a.txt'), 'utf8')).toBe('done\n')
    expect(git(one, 'status', '--short')).toBe('')
  })

  it('one whose git directory lies elsewhere', async () => {
    const user = makeUserRepository(files)
    git(user, 'init', '-q', '--separate-git-dir', join(dirname(user), 'elsewhere'))
    await deliver(user)
    expect(readFileSync(join(user, 'a.txt'), 'utf8')).toBe('done\n')
    expect(git(user, 'status', '--short')).toBe('')
  })

  it('a shallow one', async () => {
    const source = makeUserRepository(files)
    for (const name of ['x', 'y', 'z']) git(source, 'commit', '-q', '--allow-empty', '-m', name)
    const user = join(temporaryFolder(), 'shallow')
    git('/', 'clone', '-q', '--depth', '2', pathToFileURL(source).href, user)
    const yard = await deliver(user)
    expect(git(user, 'rev-list', '--count', 'HEAD')).toBe('3')
    expect(git(yard.at('s'), 'log', '--format=%s')).toBe('z\ny')
    git(user, 'fetch', '-q', '--unshallow')
    git(user, 'commit', '-q', '--allow-empty', '-m', 'after')
    expect(await yard.repository.fetchTarget('main')).toBe(git(user, 'rev-parse', 'HEAD'))
  })

  it('one that borrows objects from another', async () => {
    const user = join(temporaryFolder(), 'borrower')
    git('/', 'clone', '-q', '--shared', makeUserRepository(files), user)
    const yard = await deliver(user)
    const clones = join(yard.home, 'repositories')
    expect(existsSync(join(clones, readdirSync(clones)[0]!, 'objects/info/alternates'))).toBe(false)
  })

  it('one with a submodule, which stays what it is', async () => {
    const user = makeUserRepository(files)
    const library = makeUserRepository({ 'lib.txt': 'lib\n' })
    git(user, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib')
    git(user, 'commit', '-q', '-m', 'lib')
    const link = git(user, 'rev-parse', 'HEAD:lib')
    const yard = await deliver(user)
    expect(git(user, 'rev-parse', 'HEAD:lib')).toBe(link)
    expect(git(user, 'status', '--short')).toBe('')
    const path = await openStory(yard, 'meddler')
    write(path, { 'lib/x.txt': 'into the submodule', 'c.txt': 'c' })
    git(join(path, 'lib'), 'init', '-q')
    git(join(path, 'lib'), 'add', '-A')
    git(join(path, 'lib'), 'commit', '-q', '-m', 'other')
    const { commit } = await yard.repository.harvest({ path, base: yard.base, message: message() })
    expect((await yard.repository.diff(yard.base, commit)).map((change) => change.path)).toEqual(['c.txt'])
  })

  it('one with LFS pointers and a filter that must not run', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4\n'
    const user = makeUserRepository({ ...files, 'pic.png': pointer })
    write(user, { '.gitattributes': '*.png filter=lfs diff=lfs merge=lfs -text\n' })
    git(user, 'add', '-A')
    git(user, 'commit', '-q', '-m', 'attributes')
    const yard = await deliver(user)
    expect(readFileSync(join(yard.at('s'), 'pic.png'), 'utf8')).toBe(pointer)
    expect(git(user, 'status', '--short')).toBe('')
  })

  it('a sparse checkout, which stays sparse', async () => {
    const user = makeUserRepository({ ...files, 'far/c.txt': 'c\n' })
    git(user, 'sparse-checkout', 'set', 'folder')
    const yard = await deliver(user, 'main', { 'far/c.txt': 'cc\n', 'a.txt': 'aa\n' })
    expect(existsSync(join(yard.at('place'), 'far/c.txt'))).toBe(true)
    expect(existsSync(join(user, 'far/c.txt'))).toBe(false)
    expect(git(user, 'status', '--short')).toBe('')
  })

  it('odd file names', async () => {
    const names = [
      '-rf',
      'naïve ü.txt',
      ' lead and trail ',
      'new\nline',
      'tab\there',
      'README',
      'readme',
      ':(top)x',
      '*',
      '"q"',
      'a\\b',
    ]
    const odd = Object.fromEntries(names.map((name) => [name, `${name}\n`]))
    const user = makeUserRepository({ '-rf': 'x\n', README: 'x\n' })
    const yard = await deliver(user, 'main', odd)
    const landed = await yard.repository.fetchTarget('main')
    expect((await yard.repository.listFiles(landed)).sort()).toEqual([...names].sort())
    for (const name of names) {
      expect(await yard.repository.readFile(landed, name)).toBe(`${name}\n`)
      expect(readFileSync(join(user, name), 'utf8')).toBe(`${name}\n`)
    }
    const changes = await yard.repository.diff(yard.base, landed)
    expect(changes.map((change) => change.path).sort()).toEqual([...names].sort())
    const place = yard.at('odd')
    await yard.repository.exportTree(landed, place)
    write(place, Object.fromEntries(names.map((name) => [name, 'tidied'])))
    const request = { path: place, commit: landed, base: yard.base, only: names, message: message() }
    expect((await yard.repository.commitPlace(request)).changed.sort()).toEqual([...names].sort())
  })
})

describe('every kind of configuration', () => {
  it('no identity', async () => {
    const user = makeUserRepository(files)
    git(user, 'config', '--remove-section', 'user')
    const yard = await deliver(user)
    expect(git(user, 'log', '-1', '--format=%an <%ae> %cn')).toBe('Ropewalk <ropewalk@localhost> Ropewalk')
    expect((await yard.repository.checkout()).identity).toBeNull()
  })

  it('signing on, hooks that reject, an alias of a verb, an editor that hangs', async () => {
    const user = makeUserRepository(files)
    for (const [key, value] of [
      ['commit.gpgsign', 'true'],
      ['gpg.program', 'false'],
      ['core.editor', 'sleep 1000'],
      ['fetch.prune', 'true'],
      ['merge.ff', 'false'],
    ])
      git(user, 'config', key!, value!)
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'reference-transaction',
      'post-checkout',
      'post-merge',
      'post-index-change',
    ]) {
      mkdirSync(join(user, '.git/hooks'), { recursive: true })
      writeFileSync(join(user, '.git/hooks', hook), '#!/bin/sh\nexit 1\n')
      chmodSync(join(user, '.git/hooks', hook), 0o755)
    }
    await deliver(user)
    expect(readFileSync(join(user, 'a.txt'), 'utf8')).toBe('done\n')
  })

  it('core.autocrlf: our trees have what is committed, the checkout has what the user wants', async () => {
    const user = makeUserRepository(files)
    git(user, 'config', 'core.autocrlf', 'true')
    const yard = await deliver(user)
    expect(readFileSync(join(yard.at('place'), 'folder/b.txt'), 'utf8')).toBe('b\n')
    expect(readFileSync(join(user, 'a.txt'), 'utf8')).toBe('done\r\n')
    expect(git(user, 'status', '--short')).toBe('')
  })

  it('GIT_ variables of the caller do not lead us astray', async () => {
    const user = makeUserRepository(files)
    const other = makeUserRepository(files)
    const astray = { GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, '.git/index') }
    Object.assign(process.env, astray)
    try {
      await deliver(user)
    } finally {
      for (const name of Object.keys(astray)) delete process.env[name]
    }
    expect(git(other, 'rev-list', '--count', 'HEAD')).toBe('1')
  })

  it('reports missing objects and a repository that is gone as terminal', async () => {
    const yard = await openYard(makeUserRepository(files))
    await expect(yard.repository.treeOf('1'.repeat(40))).rejects.toMatchObject({ name: 'TerminalError' })
    writeFileSync(join(yard.user, '.git/HEAD'), 'rubbish')
    await expect(yard.repository.fetchTarget('main')).rejects.toMatchObject({
      name: 'TerminalError',
      message: expect.stringContaining('not a git repository'),
    })
  })
})
