import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

/** Real git as a person would use it, with no configuration of this machine. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...person },
  }).replace(/\n$/, '')
}

const person = {
  HOME: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk git é '))
  folders.push(folder)
  return folder
}

const folders: string[] = []
// Removing what was made durable takes its time on some disks.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}, 120_000)

export function write(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

/** A repository with one commit of these files on `main`. */
export function makeUserRepository(files: Record<string, string | Buffer>, branch = 'main'): string {
  const path = join(temporaryFolder(), 'user repo')
  mkdirSync(path)
  git(path, 'init', '-q', '-b', branch)
  git(path, 'config', 'user.name', 'Grace')
  git(path, 'config', 'user.email', 'grace@example.org')
  write(path, files)
  git(path, 'add', '-A')
  git(path, 'commit', '-q', '-m', 'Begin')
  return path
}

export interface Fingerprint {
  head: string
  refs: string
  stash: string
  config: string
  hooks: string
  index: string
  files: string
  worktrees: string
  /** Names of everything else in the git directory: no lock, FETCH_HEAD or scratch file of ours. */
  gitFolder: string
}

/** Everything that is the user's. Equal before and after, or we have touched it. */
export function userFingerprint(repoPath: string): Fingerprint {
  const common = git(repoPath, 'rev-parse', '--path-format=absolute', '--git-common-dir')
  const bare = git(repoPath, 'rev-parse', '--is-bare-repository') === 'true'
  return {
    head: readFileSync(join(common, 'HEAD'), 'utf8'),
    refs: git(repoPath, 'for-each-ref', '--format=%(objectname) %(refname) %(symref)'),
    stash: existsSync(join(common, 'logs/refs/stash')) ? hashOf(join(common, 'logs/refs/stash')) : '',
    config: hashOf(join(common, 'config')),
    hooks: existsSync(join(common, 'hooks')) ? hashOf(join(common, 'hooks')) : '',
    index: bare ? '' : digest(git(repoPath, 'ls-files', '--stage', '-v', '-z')),
    files: bare ? '' : hashOf(repoPath),
    worktrees: git(repoPath, 'worktree', 'list', '--porcelain'),
    gitFolder: namesIn(common).join('\n'),
  }
}

const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** Of a file's or folder's names, modes and contents; a .git inside is looked at elsewhere. */
function hashOf(path: string): string {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return digest(`link ${readlinkSync(path)}`)
  if (!found.isDirectory()) return digest(Buffer.concat([Buffer.from(`${found.mode} `), readFileSync(path)]))
  const names = readdirSync(path).filter((name) => name !== '.git')
  return digest(names.map((name) => `${name}\0${hashOf(join(path, name))}`).join('\n'))
}

function namesIn(common: string, below = ''): string[] {
  return readdirSync(join(common, below), { withFileTypes: true })
    .filter((entry) => below !== '' || !['objects', 'logs', 'refs'].includes(entry.name))
    .flatMap((entry) => {
      const name = join(below, entry.name)
      return entry.isDirectory() ? [name, ...namesIn(common, name)] : [name]
    })
}
