// What a landing leaves when git itself dies in it, and what the next landing makes of it.
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listening, ownIdentity } from '../../../src/std/running.ts'
import { write } from '../../empty-repository.ts'
import { codeStory, message, openYard, type Yard } from '../repository-walk.ts'
import { git, makeUserRepository } from '../user-repository.ts'

const before = { 'changed.txt': 'one\ntwo\n', 'other.txt': 'other\n', 'gone.txt': 'gone\n', 'in/kept.txt': 'kept\n' }
const after = { 'changed.txt': 'one\nthree\nfour\n', 'other.txt': 'another\n', 'in/added.txt': 'added\nhere\n' }
const written = Object.keys(after) as (keyof typeof after)[]

type Ready = Yard & { to: string; told: string[]; land: (begunIn?: string[]) => Promise<unknown> }

/** The branch has moved, and the checkout has not followed yet: from here on git writes. */
async function moved(user = makeUserRepository(before)): Promise<Ready> {
  const yard = await openYard(user)
  const { base, repository } = yard
  const commit = await codeStory(yard, 's', (path) => {
    write(path, after)
    rmSync(join(path, 'gone.txt'))
  })
  const { commit: to } = await repository.compose({ onto: base, base, commit, message: message() })
  const clone = join(yard.home, 'repositories', readdirSync(join(yard.home, 'repositories'))[0]!)
  git(user, 'fetch', '-q', '--no-write-fetch-head', clone, to)
  git(user, 'update-ref', 'refs/heads/main', to, base)
  lock({ ...yard, to })
  const told: string[] = []
  const land = (begunIn?: string[]) => {
    const request = { branch: 'main', from: base, to, ...(begunIn === undefined ? {} : { begunIn }) }
    return listening(
      (text) => told.push(text),
      () => repository.land(request),
    )
  }
  return { ...yard, to, told, land }
}

const lockOf = ({ user }: { user: string }): string => join(user, '.git/index.lock')
const lock = (yard: { user: string; base: string; to: string }, by = ''): void =>
  writeFileSync(lockOf(yard), `ropewalk lands main ${yard.base} ${yard.to}\n${by}`)

function expectFollowed({ user, to }: Ready): void {
  expect(git(user, 'rev-parse', 'HEAD')).toBe(to)
  expect(git(user, 'status', '--porcelain')).toBe('')
  expect(readdirSync(join(user, '.git')).filter((name) => /^index\./.test(name))).toEqual([])
}

/** As git leaves a file that it was about to write, or in the middle of it. */
const states = {
  emptied: (path: string) => writeFileSync(path, ''),
  begun: (path: string, text: string) => writeFileSync(path, text.slice(0, text.length / 2)),
  // After a power cut a file may have its length, and zeros for what had not reached the disk.
  zeroed: (path: string, text: string) => writeFileSync(path, text.slice(0, 4).padEnd(text.length, '\0')),
  'taken away': (path: string) => rmSync(path, { force: true }),
  done: (path: string, text: string) => writeFileSync(path, text),
  untouched: () => {},
}
type State = keyof typeof states
const names = Object.keys(states) as State[]
/** Every file once in every state, each time beside others. */
const mixes = names.map((_, i) => written.map((_name, j) => names[(i + j * 2) % names.length]!))

describe('files that a landing left when git died in it', () => {
  it.each(mixes)('%s, %s and %s: all are as they should be, and it is told', async (...left) => {
    const yard = await moved()
    for (const [i, name] of written.entries()) {
      write(yard.user, name.startsWith('in/') && left[i] !== 'untouched' ? { [name]: '' } : {})
      states[left[i]!](join(yard.user, name), after[name])
    }
    expect(await yard.land()).toEqual({ status: 'landed' })
    expectFollowed(yard)
    expect(yard.told.join()).not.toMatch(/edited/)
    const half = written.filter((_, i) => ['emptied', 'begun', 'zeroed'].includes(left[i]!))
    for (const name of half) expect(yard.told.join()).toMatch(new RegExp(`half-written .*${name}.* finished`))
  })

  it('as git writes them here: with line endings and filters of the user', async () => {
    const user = makeUserRepository(before)
    git(user, 'config', 'core.autocrlf', 'true')
    git(user, 'config', 'filter.shout.smudge', 'tr a-z A-Z')
    git(user, 'config', 'filter.shout.clean', 'tr A-Z a-z')
    write(user, { '.git/info/attributes': 'other.txt filter=shout\n' })
    for (const name of Object.keys(before)) rmSync(join(user, name))
    git(user, 'checkout', '-q', '--', '.')
    const yard = await moved(user)
    write(user, { 'changed.txt': 'one\r\nth', 'other.txt': 'ANOTH' })
    expect(await yard.land()).toEqual({ status: 'landed' })
    expect(readFileSync(join(user, 'changed.txt'), 'utf8')).toBe('one\r\nthree\r\nfour\r\n')
    expect(readFileSync(join(user, 'other.txt'), 'utf8')).toBe('ANOTHER\r\n')
    expectFollowed(yard)
  })

  it('also when somebody has removed the lock, as git proposes; what they staged since is staged', async () => {
    const yard = await moved()
    write(yard.user, { 'changed.txt': '', 'other.txt': 'theirs\n' })
    rmSync(lockOf(yard))
    git(yard.user, 'add', 'other.txt')
    expect(await yard.land([yard.user])).toEqual({ status: 'landed' })
    expect(git(yard.user, 'status', '--porcelain')).toBe('M  other.txt')
    expect(git(yard.user, 'show', ':other.txt')).toBe('theirs')
    expect(readFileSync(join(yard.user, 'changed.txt'), 'utf8')).toBe(after['changed.txt'])
  })
})

describe('what somebody has edited since', () => {
  it.each(written)('%s stays as it is, beside what is finished, and is told', async (mine) => {
    const yard = await moved()
    write(yard.user, Object.fromEntries(written.map((name) => [name, name === mine ? 'mine\n' : ''])))
    expect(await yard.land()).toEqual({ status: 'landed' })
    for (const name of written)
      expect(readFileSync(join(yard.user, name), 'utf8')).toBe(name === mine ? 'mine\n' : after[name])
    expect(yard.told.join()).toMatch(new RegExp(`edited in .*left as it is: ${mine}`))
    expect(git(yard.user, 'status', '--porcelain')).toBe(` M ${mine}`)
  })

  it('is no remains of ours once the index has followed: an emptied file is theirs then', async () => {
    const yard = await moved()
    expect(await yard.land()).toEqual({ status: 'landed' })
    write(yard.user, { 'changed.txt': '' })
    expect(await yard.land([yard.user])).toEqual({ status: 'landed' })
    expect(readFileSync(join(yard.user, 'changed.txt'), 'utf8')).toBe('')
  })
})

describe('a landing of another delivery', () => {
  it('that nobody came back to is finished first, when whoever did it has ended', async () => {
    const yard = await moved()
    write(yard.user, { 'changed.txt': '' })
    lock(yard, `by ${ownIdentity().replace(/^\d+ \S+/, '4194304 1')}\n`)
    const commit = await codeStory({ ...yard, base: yard.to }, 'next', (path) => write(path, { 'next.txt': 'n\n' }))
    const { commit: to } = await yard.repository.compose({
      onto: yard.to,
      base: yard.to,
      commit,
      message: message(),
    })
    expect(await yard.repository.land({ branch: 'main', from: yard.to, to })).toEqual({ status: 'landed' })
    expectFollowed({ ...yard, to })
    expect(readFileSync(join(yard.user, 'changed.txt'), 'utf8')).toBe(after['changed.txt'])
  })

  it('that is alive keeps its lock', async () => {
    const yard = await moved()
    lock({ ...yard, to: yard.base }, `by ${ownIdentity()}\n`)
    await expect(yard.land([yard.user])).rejects.toMatchObject({ name: 'TransientError' })
    expect(existsSync(lockOf(yard))).toBe(true)
  })
})

describe('locks of refs that a git which died has left', () => {
  it.each([
    ['HEAD.lock', ''],
    ['refs/heads/main.lock', ''],
    ['refs/heads/main.lock', 'to'],
  ])('%s (%s) are given back', async (name, text) => {
    const yard = await moved()
    const left = join(yard.user, '.git', name)
    writeFileSync(left, text === 'to' ? `${yard.to}\n` : '')
    const soon = Date.now() / 1000 - 2
    utimesSync(lockOf(yard), soon, soon)
    expect(await yard.land()).toEqual({ status: 'landed' })
    expect(existsSync(left)).toBe(false)
    expectFollowed(yard)
  })

  it('stay when they were there before the landing, or say something else', async () => {
    const yard = await moved()
    const others = { 'HEAD.lock': '', 'refs/heads/main.lock': `${yard.base}\n` }
    for (const [name, text] of Object.entries(others)) writeFileSync(join(yard.user, '.git', name), text)
    utimesSync(join(yard.user, '.git/HEAD.lock'), 1, 1)
    expect(await yard.land()).toEqual({ status: 'landed' })
    for (const name of Object.keys(others)) expect(existsSync(join(yard.user, '.git', name))).toBe(true)
  })
})
