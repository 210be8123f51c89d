import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import type { Checkout } from '../../ports/repository/repository.ts'
import type { Clone, Identity } from './clone.ts'
import { asCommit } from './commit.ts'
import { readCommit, textAt } from './contents.ts'
import { noteObjects, notesTip } from './notes.ts'
import { type Objects, openObjects } from './objects.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, itemsOf, singleLine, theirs, userGit } from './program/run.ts'

/** A partial clone must not fetch what it lacks, and nobody's replacement objects count. */
const offline = { GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1' }

/** `clone`: ours, which need not be there; of a delivery that was imported with its bundle it has commits and proofs. */
export async function openUserRepository(folder: string, clone: string): Promise<UserRepository> {
  const env = { ...offline, GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(clone, 'objects')) }
  const git = (args: string[], more: Omit<GitCall, 'args'> = {}): Promise<GitOutput> =>
    userGit({ ...more, args: ['-C', folder, ...args], env })
  const objects = openObjects((call) => theirs({ ...call, env }), ['-C', folder])
  const [shallow, signersFile, tip] = await Promise.all([
    git(['rev-parse', '--is-shallow-repository']),
    git(['config', '--type=path', '--get', 'gpg.ssh.allowedSignersFile'], { accept: [1] }),
    notesTip(objects),
  ])
  return {
    shallow: singleLine(shallow) === 'true',
    hasNotes: tip !== null,
    signersFile: absolute(folder, singleLine(signersFile)),
    commits: (revision) => commits(git, revision),
    readCommit: (commit) => readCommit({ objects }, commit),
    readNote: async (commit, maxBytes) => {
      // Looked at each time: a missing note may have been written meanwhile.
      const at = await notesTip(objects)
      const own = at === null ? undefined : (await noteObjects(objects, at)).get(commit)
      return await readNote(objects, own ?? (await carried(folder, clone, commit)), maxBytes)
    },
    readFile: async (commit, path) => {
      const found = await objects.info(`${asCommit(commit)}^{tree}`)
      return found === null ? null : await textAt(objects, found.id, path)
    },
    isAncestor: async (ancestor, descendant) => {
      const args = ['merge-base', '--is-ancestor', asCommit(ancestor), asCommit(descendant)]
      return (await git(args, { accept: [1, 128] })).code === 0
    },
  }
}

function absolute(folder: string, path: string): string | null {
  if (path === '') return null
  return isAbsolute(path) ? path : join(path.startsWith('~/') ? homedir() : folder, path.replace(/^~\//, ''))
}

type Git = (args: string[], more?: Omit<GitCall, 'args'>) => Promise<GitOutput>

/** A range has dots between its ends; anything else is one commit. */
async function commits(git: Git, revision: string): Promise<CommitId[] | null> {
  const isRange = revision.includes('..')
  const asked = isRange ? ['rev-list', '--first-parent', '--reverse'] : ['rev-parse', '--verify', '-q']
  const given = isRange ? [revision, '--'] : [`${revision}^{commit}`]
  const output = await git([...asked, '--end-of-options', ...given], { accept: [1, 128], timeoutMs: bulkTimeoutMs })
  const lines = singleLine(output).split('\n')
  return output.code === 0 ? lines.filter((line) => /^[0-9a-f]{40,}$/.test(line)) : null
}

/** A bundle speaks for its own commits, and not for one that the user has: what that carries, they have or fetch. */
async function carried(folder: string, clone: string, commit: CommitId): Promise<string | undefined> {
  const isOwn = ['-C', folder, 'cat-file', '-e', asCommit(commit)]
  const own = await userGit({ args: isOwn, env: offline, accept: [1, 128] })
  if (own.code === 0 || !existsSync(clone)) return undefined
  const place = ['--git-dir', clone]
  const listed = [...place, 'for-each-ref', '--format=%(objectname)', 'refs/ropewalk/*/notes']
  const tips = singleLine(await userGit({ args: listed, env: offline })).split('\n')
  const objects = openObjects((call) => theirs({ ...call, env: offline }), place)
  for (const tip of tips.filter(Boolean)) {
    const object = (await noteObjects(objects, tip)).get(commit)
    if (object !== undefined) return object
  }
  return undefined
}

async function readNote(objects: Objects, object: string | undefined, maxBytes: number) {
  if (object === undefined) return null
  const bytes = await objects.bytesOf(object)
  return { text: bytes > maxBytes ? null : (await objects.content(object)).toString('utf8'), bytes }
}

export async function readCheckout(clone: Clone): Promise<Checkout> {
  const at = ['-C', clone.user]
  const [branches, head] = await Promise.all([
    userGit({ args: [...at, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'] }),
    clone.bare ? bareHead(clone) : workingHead(clone.user),
  ])
  // Where there was none when the clone was opened, somebody may have set it since.
  const identity = clone.identity ?? (await readIdentity(clone.user))
  return { bare: clone.bare, ...head, branches: singleLine(branches).split('\n').filter(Boolean), identity }
}

/** From the user's whole configuration, so that their global name counts; null unless both are set. */
export async function readIdentity(folder: string): Promise<Identity | null> {
  const asked = ['config', '-z', '--get-regexp', '^user\\.(name|email)$']
  const output = await userGit({ args: ['-C', folder, ...asked], accept: [1] })
  const values = new Map(
    itemsOf(output).map((item) => {
      const end = item.indexOf('\n')
      return [item.slice(0, end), item.slice(end + 1).trim()]
    }),
  )
  const name = values.get('user.name')
  const email = values.get('user.email')
  return name && email ? { name, email } : null
}

/** Tracked files that differ from HEAD, staged or not. Submodules keep their own house. */
export const statusArgs = [
  ...['status', '--porcelain=v2', '--branch', '-z', '--no-renames', '--no-ahead-behind'],
  ...['--untracked-files=no', '--ignore-submodules=all'],
]

export const dirtyIn = (status: GitOutput): string[] =>
  itemsOf(status)
    .filter((item) => !item.startsWith('# '))
    .map(pathOf)

/** `1 XY sub mH mI mW hH hI path` for a change, `u XY sub m1 m2 m3 mW h1 h2 h3 path` for an unmerged file. */
const pathOf = (item: string): string =>
  item
    .split(' ')
    .slice(item.startsWith('u') ? 10 : 8)
    .join(' ')

type Head = Pick<Checkout, 'branch' | 'head' | 'dirtyFiles'>

async function workingHead(folder: string): Promise<Head> {
  const status = await userGit({ args: ['-C', folder, ...statusArgs], timeoutMs: bulkTimeoutMs })
  const header = (name: string, none: string): string | null => {
    const said = itemsOf(status).find((item) => item.startsWith(`# ${name} `))
    return said === undefined || said.endsWith(` ${none}`) ? null : said.slice(name.length + 3)
  }
  return {
    branch: header('branch.head', '(detached)'),
    head: header('branch.oid', '(initial)'),
    dirtyFiles: dirtyIn(status),
  }
}

async function bareHead({ theirs, commonDir }: Clone): Promise<Head> {
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(await readFile(join(commonDir, 'HEAD'), 'utf8'))?.[1] ?? null
  return { branch, head: (await theirs.info('HEAD^{commit}'))?.id ?? null, dirtyFiles: [] }
}
