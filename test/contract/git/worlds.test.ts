import { chmodSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeStory, message, openYard } from '../repository-walk.ts'
import { git, makeUserRepository, userFingerprint } from '../user-repository.ts'
import { composeBoth, conflictsOf, deletes, edits, textAt, type Work } from './two-stories.ts'

const lines = (...changed: [number, string][]): string =>
  Array.from({ length: 12 }, (_, i) => changed.find(([at]) => at === i)?.[1] ?? `line ${i}`).join('\n')
const renames =
  (from: string, to: string): Work =>
  (workspace) =>
    renameSync(join(workspace, from), join(workspace, to))
const all =
  (...works: Work[]): Work =>
  (workspace) => {
    for (const work of works) work(workspace)
  }
const executable: Work = (workspace) => chmodSync(join(workspace, 'a.txt'), 0o755)
const picture = (last: number): Buffer => Buffer.from([0, 1, 2, 3, last])

describe('two stories that fit', () => {
  it.each<[string, Work, Work, Record<string, string>]>([
    [
      'an edit, then a rename',
      edits({ 'a.txt': lines([2, 'two']) }),
      renames('a.txt', 'b.txt'),
      { 'b.txt': lines([2, 'two']) },
    ],
    [
      'both rename alike, each edits another line',
      all(renames('a.txt', 'b.txt'), edits({ 'b.txt': lines([1, 'one']) })),
      all(renames('a.txt', 'b.txt'), edits({ 'b.txt': lines([9, 'nine']) })),
      { 'b.txt': lines([1, 'one'], [9, 'nine']) },
    ],
    [
      'a rename that changes only case, and an edit',
      renames('a.txt', 'A.txt'),
      edits({ 'a.txt': lines([3, 'x']) }),
      { 'A.txt': lines([3, 'x']) },
    ],
    ['a mode, and a rename', executable, renames('a.txt', 'b.txt'), { 'b.txt': lines() }],
    [
      'a mode, and an edit of the same file',
      executable,
      edits({ 'a.txt': lines([3, 'x']) }),
      { 'a.txt': lines([3, 'x']) },
    ],
  ])('%s', async (_name, first, second, expected) => {
    const both = await composeBoth({ files: { 'a.txt': lines() }, first, second, rules: true })
    expect(both.composed.status).toBe('composed')
    const { repository } = both.yard
    expect(await repository.listFiles(both.composed.commit)).toEqual(Object.keys(expected))
    for (const [path, text] of Object.entries(expected)) expect(await textAt(both, path)).toBe(text)
    if (first !== executable) return
    const [change] = await repository.diff(both.base, both.composed.commit)
    expect(change).toMatchObject({ newMode: '100755' })
  })
})

describe('two stories that contradict each other', () => {
  it.each<[string, Work, Work, string, string]>([
    [
      'a rename with an edit, against another edit of that line',
      all(renames('a.txt', 'b.txt'), edits({ 'b.txt': lines([2, 'two']) })),
      edits({ 'a.txt': lines([2, 'zwei']) }),
      'b.txt',
      'content',
    ],
    ['a rename against a deletion', renames('a.txt', 'b.txt'), deletes('a.txt'), 'b.txt', 'delete'],
    ['a deletion against a rename', deletes('a.txt'), renames('a.txt', 'b.txt'), 'b.txt', 'delete'],
    ['a mode against a deletion', executable, deletes('a.txt'), 'a.txt', 'delete'],
    [
      'two names that differ only in case, of one file',
      renames('a.txt', 'Guide.txt'),
      renames('a.txt', 'guide.txt'),
      'guide.txt',
      'name',
    ],
    [
      'a binary file that both add',
      edits({ 'new.bin': picture(4) }),
      edits({ 'new.bin': picture(5) }),
      'new.bin',
      'binary',
    ],
    [
      'text against what is binary now',
      edits({ 'a.txt': lines([1, 'one']) }),
      edits({ 'a.txt': picture(5) }),
      'a.txt',
      'binary',
    ],
    [
      'one lock file, whose tool nobody has asked',
      edits({ 'yarn.lock': 'a@1:\n  version "1.1"\n' }),
      edits({ 'yarn.lock': 'a@1:\n  version "1.2"\n' }),
      'yarn.lock',
      'content',
    ],
    [
      'a file against a folder of its name',
      edits({ thing: 'a file\n' }),
      edits({ 'thing/inside.txt': 'in a folder\n' }),
      'thing',
      'other',
    ],
  ])('%s', async (_name, first, second, path, kind) => {
    const files = { 'a.txt': lines(), 'yarn.lock': 'a@1:\n  version "1.0"\n' }
    const both = await composeBoth({ files, first, second, rules: true })
    const found = conflictsOf(both).map((file) => [file.path.replace(/~.*/, ''), file.kind])
    expect(found).toContainEqual([path, kind])
    expect(await both.yard.repository.isAncestor(both.line, both.composed.commit)).toBe(true)
  })
})

describe('a name that means something to a program', () => {
  it.each(['-rf', '--force', 'two\nlines.txt', ' blank ', ':(top)x', 'a"b', 'ünï.txt', '*.txt', 'back\\slash'])(
    '%j is merged, and is a conflict, like any other',
    async (name) => {
      const given = { files: { [name]: lines(), 'a.txt': 'a\n' }, rules: true }
      const fits = await composeBoth({
        ...given,
        first: edits({ [name]: lines([1, 'one']) }),
        second: edits({ [name]: lines([9, 'nine']) }),
      })
      expect(fits.composed.status).toBe('composed')
      expect(await textAt(fits, name)).toBe(lines([1, 'one'], [9, 'nine']))
      const clash = await composeBoth({
        ...given,
        first: edits({ [name]: lines([1, 'one']) }),
        second: edits({ [name]: lines([1, 'eins']) }),
      })
      expect(conflictsOf(clash)).toMatchObject([{ path: name, kind: 'content' }])
      expect(await textAt(clash, name)).toMatch(/<<<<<<< [\s\S]*one\n=======\neins\n>>>>>>> /)
    },
  )

  it('is settled by rules where it is JSON', async () => {
    const json = (...keys: string[]) => `{\n${keys.map((key) => `  "${key}": 1`).join(',\n')}\n}\n`
    const name = '-odd\nname.json'
    const both = await composeBoth({
      files: { [name]: json('a') },
      first: edits({ [name]: json('a', 'b') }),
      second: edits({ [name]: json('a', 'c') }),
      rules: true,
    })
    expect(both.composed.status).toBe('composed')
    expect(JSON.parse((await textAt(both, name))!)).toEqual({ a: 1, b: 1, c: 1 })
    const { message: said } = await both.yard.repository.readCommit(both.composed.commit)
    expect(
      said
        .trim()
        .split(/\n\s*\n/)
        .at(-1),
    ).toBe('Ropewalk-Delivery: d1')
  })
})

describe('a rename that changes only case', () => {
  it('lands in the checkout under its new name', async () => {
    const yard = await openYard(makeUserRepository({ 'README.md': 'r\n', 'a.txt': 'a\n' }))
    const { repository, base, user } = yard
    const commit = await codeStory(yard, 's', renames('README.md', 'readme.md'))
    const { commit: to } = await repository.compose({ onto: base, base, commit, message: message() })
    expect(await repository.land({ branch: 'main', from: base, to })).toEqual({ status: 'landed' })
    expect(git(user, 'ls-files')).toBe('a.txt\nreadme.md')
    expect(git(user, 'status', '--short')).toBe('')
  })

  it('does not touch the user’s checkout while it is composed', async () => {
    const yard = await openYard(makeUserRepository({ 'README.md': 'r\n', 'a.txt': 'a\n' }))
    const before = userFingerprint(yard.user)
    const commit = await codeStory(yard, 's', (workspace) => {
      renames('README.md', 'readme.md')(workspace)
      rmSync(join(workspace, 'a.txt'))
    })
    await yard.repository.compose({ onto: yard.base, base: yard.base, commit, message: message() })
    expect(userFingerprint(yard.user)).toEqual(before)
  })
})
