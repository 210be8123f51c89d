import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import type { UserRepository } from '../../../ports/proofs/user-repository.ts'
import { remembered } from '../../../std/once.ts'
import { asCommit } from '../commit.ts'
import { commitText } from '../read.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, lineOf, userGit } from '../run.ts'
import { notesTip } from './notes.ts'
import { noteObjects } from './tree.ts'

/** A partial clone must not fetch what it lacks, and nobody's replacement objects count. */
const offline = { GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1' }

/** `clone`: ours, which need not be there; of a delivery that was imported with its bundle it has commits and proofs. */
export async function openUserRepository(folder: string, clone: string): Promise<UserRepository> {
  const env = { ...offline, GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(clone, 'objects')) }
  const git = (args: string[], more: Omit<GitCall, 'args'> = {}): Promise<GitOutput> =>
    userGit({ ...more, args: ['-C', folder, ...args], env: { ...env, ...more.env } })
  const [shallow, signersFile, tip] = await Promise.all([
    git(['rev-parse', '--is-shallow-repository']),
    git(['config', '--type=path', '--get', 'gpg.ssh.allowedSignersFile'], { accept: [1] }),
    notesTip(folder),
  ])
  const objectsAt = remembered((at) => noteObjects(git, at))
  // Looked at each time: a missing note may have been written meanwhile.
  const objects = async () => {
    const at = await notesTip(folder)
    return at === null ? new Map<string, string>() : await objectsAt(at)
  }
  return {
    shallow: lineOf(shallow) === 'true',
    hasNotes: tip !== null,
    signersFile: absolute(folder, lineOf(signersFile)),
    commits: (revision) => commits(git, revision),
    readCommit: async (commit) =>
      commitText((await git(['cat-file', 'commit', asCommit(commit)])).stdout.toString('utf8')),
    readNote: async (commit, maxBytes) => {
      const object = (await objects()).get(commit) ?? (await carried(folder, clone, commit))
      return readNote(git, object, maxBytes)
    },
    readFile: async (commit, path) => {
      const output = await git(['cat-file', 'blob', `${asCommit(commit)}:${path}`], { accept: [128] })
      return output.code === 0 ? output.stdout.toString('utf8') : null
    },
    isAncestor: async (ancestor, descendant) => {
      const args = ['merge-base', '--is-ancestor', asCommit(ancestor), asCommit(descendant)]
      return (await git(args, { accept: [1, 128] })).code === 0
    },
  }
}

type Git = (args: string[], more?: Omit<GitCall, 'args'>) => Promise<GitOutput>

function absolute(folder: string, path: string): string | null {
  if (path === '') return null
  return isAbsolute(path) ? path : join(path.startsWith('~/') ? homedir() : folder, path.replace(/^~\//, ''))
}

/** A range has dots between its ends; anything else is one commit. */
async function commits(git: Git, revision: string): Promise<CommitId[] | null> {
  const isRange = revision.includes('..')
  const asked = isRange ? ['rev-list', '--first-parent', '--reverse'] : ['rev-parse', '--verify', '-q']
  const given = isRange ? [revision, '--'] : [`${revision}^{commit}`]
  const output = await git([...asked, '--end-of-options', ...given], { accept: [1, 128], timeoutMs: bulkTimeoutMs })
  return output.code === 0
    ? lineOf(output)
        .split('\n')
        .filter((line) => /^[0-9a-f]{40,}$/.test(line))
    : null
}

/** A bundle speaks for its own commits, and not for one that the user has: what that carries, they have or fetch. */
async function carried(folder: string, clone: string, commit: CommitId): Promise<string | undefined> {
  const own = await userGit({
    args: ['-C', folder, 'cat-file', '-e', asCommit(commit)],
    env: offline,
    accept: [1, 128],
  })
  if (own.code === 0 || !existsSync(clone)) return undefined
  const git = (args: string[]): Promise<GitOutput> => userGit({ args: ['--git-dir', clone, ...args], env: offline })
  const tips = lineOf(await git(['for-each-ref', '--format=%(objectname)', 'refs/ropewalk/*/notes'])).split('\n')
  for (const tip of tips.filter(Boolean)) {
    const object = (await noteObjects(git, tip)).get(commit)
    if (object !== undefined) return object
  }
  return undefined
}

async function readNote(git: Git, object: string | undefined, maxBytes: number) {
  if (object === undefined) return null
  const bytes = Number(lineOf(await git(['cat-file', '-s', object])))
  const text = bytes > maxBytes ? null : (await git(['cat-file', 'blob', object])).stdout.toString('utf8')
  return { text, bytes }
}
