import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { beginRepository, write } from '../empty-repository.ts'
import { folderFor } from '../folders.ts'

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

export const temporaryFolder = (): string => folderFor('ropewalk git é ')

/** A repository with one commit of these files on `main`. */
export function makeUserRepository(files: Record<string, string | Buffer>, branch = 'main'): string {
  const path = join(temporaryFolder(), 'user repo')
  beginRepository(path, branch)
  write(path, files)
  for (const [name, text] of Object.entries(files))
    if (text.toString().startsWith('#!')) chmodSync(join(path, name), 0o755)
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
  const common = commonFolder(repoPath)
  const bare = isBare(repoPath)
  return {
    head: readFileSync(join(common, 'HEAD'), 'utf8'),
    refs: refsIn(common).join('\n'),
    stash: existsSync(join(common, 'logs/refs/stash')) ? hashOf(join(common, 'logs/refs/stash')) : '',
    config: hashOf(join(common, 'config')),
    hooks: existsSync(join(common, 'hooks')) ? hashOf(join(common, 'hooks')) : '',
    index: bare ? '' : digest(git(repoPath, 'ls-files', '--stage', '-v', '-z')),
    files: bare ? '' : hashOf(repoPath),
    worktrees: worktreesIn(common).join('\n'),
    gitFolder: namesIn(common).join('\n'),
  }
}

// What git would tell of these is read from its files: with a process for each, the tests would spend most of their time so.

export function isBare(repoPath: string): boolean {
  const own = join(repoPath, '.git')
  if (!existsSync(own)) return true
  return lstatSync(own).isDirectory() && /^\s*bare = true$/m.test(readFileSync(join(own, 'config'), 'utf8'))
}

/** Of a linked worktree it is that of the main one. */
function commonFolder(repoPath: string): string {
  const own = join(repoPath, '.git')
  if (!existsSync(own)) return repoPath
  if (statSync(own).isDirectory()) return own
  const folder = resolve(repoPath, readFileSync(own, 'utf8').replace('gitdir: ', '').trimEnd())
  const common = join(folder, 'commondir')
  return existsSync(common) ? resolve(folder, readFileSync(common, 'utf8').trimEnd()) : folder
}

/** By name, each as `<commit> <name> <what it points to, if it is symbolic>`. */
function refsIn(common: string): string[] {
  const refs = new Map<string, string>()
  const packed = join(common, 'packed-refs')
  const lines = existsSync(packed) ? readFileSync(packed, 'utf8').split('\n') : []
  for (const line of lines) if (/^[0-9a-f]/.test(line)) refs.set(line.split(' ')[1]!, line.split(' ')[0]!)
  for (const entry of readdirSync(join(common, 'refs'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isDirectory() && !path.endsWith('.lock'))
      refs.set(relative(common, path), readFileSync(path, 'utf8').trim())
  }
  const names = [...refs.keys()].sort()
  return names.map((name) => {
    const [, target = ''] = /^ref: (.*)$/.exec(refs.get(name)!) ?? []
    return `${refs.get(target || name)} ${name} ${target}`
  })
}

function worktreesIn(common: string): string[] {
  const folder = join(common, 'worktrees')
  const linked = existsSync(folder) ? readdirSync(folder) : []
  return linked.map((name) => {
    const [head, at] = ['HEAD', 'gitdir'].map((file) => readFileSync(join(folder, name, file), 'utf8').trim())
    return `worktree ${name} at ${at}: ${head}${existsSync(join(folder, name, 'locked')) ? ', locked' : ''}`
  })
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
