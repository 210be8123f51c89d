import { describe, expect, it } from 'vitest'
import { write } from '../../empty-repository.ts'
import { openYard } from '../repository-walk.ts'
import { git, makeUserRepository } from '../user-repository.ts'

const files = {
  'a.txt': 'one\nTwo words\nthree\ntwo again\n',
  'sub/ü b.txt': 'twofold\n',
  'c.bin': '\0two\n',
  'd.txt': '-e --all\n',
}

describe('searching a commit', () => {
  it('finds words in whatever case, in text files, so many lines of each', async () => {
    const { repository, base } = await openYard(makeUserRepository(files))
    expect(await repository.search({ commit: base, words: ['two'], perFile: 1 })).toEqual([
      { path: 'a.txt', line: 2, text: 'Two words' },
      { path: 'sub/ü b.txt', line: 1, text: 'twofold' },
    ])
    const found = await repository.search({ commit: base, words: ['three', 'TWO'], perFile: 9 })
    expect(found.map(({ line }) => line)).toEqual([2, 3, 4, 1])
  })

  it('takes words as they are, and none for nothing', async () => {
    const { repository, base } = await openYard(makeUserRepository(files))
    expect(await repository.search({ commit: base, words: ['--all', '-e'], perFile: 9 })).toHaveLength(1)
    expect(await repository.search({ commit: base, words: ['t.o', '.*'], perFile: 9 })).toEqual([])
    expect(await repository.search({ commit: base, words: [], perFile: 9 })).toEqual([])
  })

  it('looks at the commit, not at the checkout', async () => {
    const user = makeUserRepository(files)
    write(user, { 'a.txt': 'changed\n' })
    const { repository, base } = await openYard(user)
    expect(await repository.search({ commit: base, words: ['changed'], perFile: 9 })).toEqual([])
  })
})

describe('what changed a file', () => {
  it('is told, the latest first', async () => {
    const user = makeUserRepository(files)
    for (const text of ['second', 'third']) {
      write(user, { [text === 'third' ? 'd.txt' : 'a.txt']: `${text}\n` })
      git(user, 'commit', '-qam', `The ${text}: "x"`)
    }
    const { repository } = await openYard(user)
    const commit = await repository.fetchTarget('main')
    const subjects = async (paths: string[], limit = 9) =>
      (await repository.touching({ commit, paths, limit })).map(({ subject }) => subject)
    expect((await subjects(['a.txt'])).at(0)).toBe('The second: "x"')
    expect(await subjects(['a.txt'])).toHaveLength(2)
    expect(await subjects([], 1)).toEqual(['The third: "x"'])
    expect(await subjects(['none.txt', 'x'])).toEqual([])
    const [last] = await repository.touching({ commit, paths: [], limit: 1 })
    expect(last?.day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  it('is nothing for a file that leads out of the repository', async () => {
    const { repository, base } = await openYard(makeUserRepository(files))
    for (const path of ['../a.txt', '/etc/passwd', 'sub/../../x', ''])
      expect(await repository.readFile(base, path)).toBeNull()
  })
})
