// A git that dies while it holds locks of the user's repository leaves them; whoever asks again gives them back.
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { write } from '../../empty-repository.ts'
import { codeStory, message, openYard } from '../repository-walk.ts'
import { git, makeUserRepository, temporaryFolder } from '../user-repository.ts'

interface Death {
  /** Of the commands that this pattern fits, the first dies. */
  of: string
  /** A line of a shell script that it dies after; `$user` is the repository. */
  after: string
}

function dyingGit(user: string, { of, after }: Death): string {
  const folder = temporaryFolder()
  const [real, died] = [join(git('/', '--exec-path'), 'git'), join(folder, 'died')]
  const script = `#!/bin/sh
user="${user}"
case "$*" in ${of}) [ -e "${died}" ] || { : > "${died}"; ${after.replace('REAL', `"${real}"`)}; kill -9 $$; } ;; esac
exec "${real}" "$@"
`
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 })
  return folder
}

async function landWith(death: Death): Promise<string> {
  const user = makeUserRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const yard = await openYard(user)
  const { base, repository } = yard
  const commit = await codeStory(yard, 's', (path) => write(path, { 'a.txt': 'aa\n' }))
  const { commit: to } = await repository.compose({ onto: base, base, commit, message: message() })
  // Its age is news for the index, which is written for that.
  utimesSync(join(user, 'b.txt'), 1, 1)
  const [folder, path] = [dyingGit(user, death), process.env.PATH]
  process.env.PATH = `${folder}:${path}`
  try {
    expect(await repository.land({ branch: 'main', from: base, to })).toEqual({ status: 'landed' })
  } finally {
    process.env.PATH = path
  }
  expect(existsSync(join(folder, 'died'))).toBe(true)
  expect(git(user, 'rev-parse', 'main')).toBe(to)
  expect(git(user, 'status', '--porcelain')).toBe('')
  return user
}

const locksIn = (user: string): string[] =>
  readdirSync(join(user, '.git'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'))

const moves = '*"ropewalk: land"*'

describe('a git that dies while it holds a lock of the user', () => {
  it.each<[string, Death]>([
    ['that of our copy of the index', { of: '*" status "*', after: ': > "$GIT_INDEX_FILE.lock"' }],
    // The branch and HEAD are locked together; the branch moves first.
    ['that of HEAD, when the branch has moved', { of: moves, after: 'REAL "$@"; : > "$user/.git/HEAD.lock"' }],
    ['that of the branch, which has not moved', { of: moves, after: ': > "$user/.git/refs/heads/main.lock"' }],
  ])('%s, leaves nothing in the way of anybody', async (_, death) => {
    const user = await landWith(death)
    expect(locksIn(user)).toEqual([])
    git(user, 'commit', '-q', '--allow-empty', '-m', 'Go on')
  })
})
