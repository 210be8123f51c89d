import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { write } from '../../empty-repository.ts'
import { codeStory, message, openStory, openYard, type Yard } from '../repository-walk.ts'
import { git, makeUserRepository, temporaryFolder } from '../user-repository.ts'

const files = { 'a.txt': 'a\n', '.gitignore': 'out\n' }

/** A story that adds these files, composed and ready to land. */
async function ready(added: Record<string, string>): Promise<Yard & { land: () => Promise<unknown>; to: string }> {
  const yard = await openYard(makeUserRepository(files))
  const { base, repository } = yard
  const commit = await codeStory(yard, 's', (path) => {
    write(path, added)
    git(path, 'add', '-f', ...Object.keys(added))
  })
  const { commit: to } = await repository.compose({ onto: base, base, commit, message: message() })
  return { ...yard, to, land: () => repository.land({ branch: 'main', from: base, to }) }
}

/** Another git in front of the real one: `line` is run by sh before it, when the verb is given. */
async function withGit<T>(verb: string, line: string, act: () => Promise<T>): Promise<T> {
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const folder = temporaryFolder()
  const script = `#!/bin/sh\ngit() { "${real}" "$@"; }\ncase " $* " in *" ${verb} "*) ${line};; esac\nexec "${real}" "$@"\n`
  writeFileSync(join(folder, 'git'), script)
  chmodSync(join(folder, 'git'), 0o755)
  const before = process.env.PATH
  process.env.PATH = `${folder}:${before}`
  try {
    return await act()
  } finally {
    process.env.PATH = before
  }
}

const cloneIn = ({ home }: Yard): string => {
  const folder = join(home, 'repositories')
  return join(folder, readdirSync(folder)[0]!)
}

describe('a pipe that an agent has put into its .git', () => {
  it.each(['HEAD', 'refs/heads/pipe', 'logs/pipe', 'index'])('as %s keeps nobody waiting', async (name) => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    write(path, { 'a.txt': 'x', '.git/logs/HEAD': '' })
    rmSync(join(path, '.git', name), { force: true })
    execFileSync('mkfifo', [join(path, '.git', name)])
    const { empty } = await yard.repository.harvest({ path, base: yard.base, message: message() })
    expect(empty).toBe(false)
    const archived = await yard.repository.closeWorkspace({ path, archiveAs: 'd1/s/1', kept: [] })
    expect(await yard.repository.readFile(archived!.commit, 'a.txt')).toBe('x')
  })
})

describe('what the agent has committed', () => {
  it('is not given up when the disk is full', async () => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    write(path, { 'n.txt': 'n' })
    git(path, 'add', '-A')
    git(path, 'commit', '-q', '-m', 'by the agent')
    const own = git(path, 'rev-parse', 'HEAD')
    git(path, 'reset', '-q', '--hard', 'HEAD^')
    const close = () => yard.repository.closeWorkspace({ path, archiveAs: 'd1/s/1', kept: [] })
    const full = 'echo "fatal: No space left on device" >&2; exit 128'
    await expect(withGit('pack-objects', full, close)).rejects.toThrow('No space left')
    expect(existsSync(path)).toBe(true)
    const archived = await close()
    expect(await yard.repository.isAncestor(own, archived!.commit)).toBe(true)
  })
})

describe('a lock in our clone that a killed git has left', () => {
  it.each([
    ['of the index of a workspace', 'ropewalk', '.index'],
    ['of a ref', 'refs/ropewalk/d1', 'line'],
  ])('%s is taken away once it is old', async (_name, folder, ending) => {
    const yard = await openYard(makeUserRepository(files))
    const path = await openStory(yard, 's')
    await yard.repository.moveRef('refs/ropewalk/d1/line', null, yard.base)
    const commit = await codeStory(yard, 't', (other) => write(other, { 'a.txt': 't' }))
    const act = async () => {
      await yard.repository.openWorkspace({ path, at: yard.base, archiveAs: 'd1/s/1', stays: 'ignored' })
      await yard.repository.moveRef('refs/ropewalk/d1/line', yard.base, commit)
    }
    const held = readdirSync(join(cloneIn(yard), folder)).filter((name) => name.endsWith(ending))
    const locks = held.map((name) => join(cloneIn(yard), folder, `${name}.lock`))
    for (const lock of locks) writeFileSync(lock, 'half')
    await expect(act()).rejects.toMatchObject({ name: 'TransientError' })
    for (const lock of locks) utimesSync(lock, 1, 1)
    await act()
    expect(await yard.repository.readRef('refs/ropewalk/d1/line')).toBe(commit)
  })
})

describe('a checkout that changes while we land', () => {
  it('keeps an ignored file where the landing needs a folder', async () => {
    const yard = await ready({ 'out/x.txt': 'x' })
    write(yard.user, { out: 'mine' })
    expect(await yard.land()).toMatchObject({ status: 'dirty', files: ['out'] })
    expect(readFileSync(join(yard.user, 'out'), 'utf8')).toBe('mine')
    rmSync(join(yard.user, 'out'))
    expect(await yard.land()).toEqual({ status: 'landed' })
  })

  it.each([
    ['away from the target', 'main', 'other'],
    ['to the target', 'other', 'main'],
  ])('is switched %s: nothing moves, and the next time it lands', async (_name, from, to) => {
    const yard = await ready({ 'b.txt': 'b' })
    git(yard.user, 'branch', 'other')
    git(yard.user, 'checkout', '-q', from)
    const switching = withGit('fetch', `( cd "${yard.user}" && git checkout -q ${to} )`, yard.land)
    await expect(switching).rejects.toMatchObject({ name: 'TransientError' })
    expect(git(yard.user, 'rev-parse', 'main')).toBe(yard.base)
    expect(await yard.land()).toEqual({ status: 'landed' })
    expect(git(yard.user, 'status', '--short')).toBe('')
    expect(existsSync(join(yard.user, 'b.txt'))).toBe(to === 'main')
  })

  it('is left alone by one who was stopped while another finished for him', async () => {
    const yard = await ready({ 'b.txt': 'b' })
    const lock = join(yard.user, '.git/index.lock')
    const meanwhile = `rm -f "${lock}"; echo "held by the user" > "${lock}"`
    await expect(withGit(`read-tree -m -u ${yard.base}`, meanwhile, yard.land)).rejects.toMatchObject({
      name: 'TransientError',
    })
    expect(readFileSync(lock, 'utf8')).toBe('held by the user\n')
    expect(git(yard.user, 'ls-files', 'b.txt')).toBe('')
  })

  it('follows to what was landed when the target went on after a kill', async () => {
    const yard = await ready({ 'b.txt': 'b' })
    git(yard.user, 'fetch', '-q', '--no-write-fetch-head', cloneIn(yard), yard.to)
    writeFileSync(join(yard.user, '.git/index.lock'), `ropewalk lands main ${yard.base} ${yard.to}\n`)
    const beyond = git(yard.user, 'commit-tree', `${yard.to}^{tree}`, '-p', yard.to, '-m', 'on top')
    git(yard.user, 'update-ref', 'refs/heads/main', beyond, yard.base)
    expect(await yard.land()).toEqual({ status: 'landed' })
    expect(git(yard.user, 'status', '--short')).toBe('')
  })
})

describe('a repository of another object format', () => {
  it('is refused before anything is begun', async () => {
    const user = temporaryFolder()
    git(user, 'init', '-q', '-b', 'main', '--object-format=sha256')
    git(user, 'commit', '-q', '--allow-empty', '-m', 'Begin')
    await expect(openYard(user)).rejects.toMatchObject({
      name: 'TerminalError',
      message: expect.stringMatching(/sha256/),
    })
  })
})

describe('our clones', () => {
  it('are for us alone, also in a home that others may enter', async () => {
    const yard = await openYard(makeUserRepository(files))
    expect(statSync(join(yard.home, 'repositories')).mode & 0o077).toBe(0)
  })
})
