import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openRepositories } from './repositories.ts'
import { repositoryIdAround } from './repository-id.ts'

const folder = mkdtempSync(join(tmpdir(), 'ropewalk-id-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd, stdio: 'pipe' })

describe('repositoryIdAround', () => {
  const { find } = openRepositories({ home: join(folder, 'home') })
  const main = join(folder, 'My Project')
  mkdirSync(join(main, 'deep', 'er'), { recursive: true })
  git(main, 'init', '-q', '-b', 'main')
  git(main, 'commit', '-q', '--allow-empty', '-m', 'begin')
  git(main, 'worktree', 'add', '-q', join(folder, 'linked'))
  git(folder, 'clone', '-q', '--bare', main, join(folder, 'bare.git'))

  it.each(['My Project', 'My Project/deep/er', 'linked', 'bare.git'])('is what git says in %s', async (place) => {
    const path = join(folder, place)
    expect(repositoryIdAround(path)).toBe((await find(path)).id)
  })

  it('is nothing outside a repository', () => {
    expect(repositoryIdAround(folder)).toBeNull()
  })
})
