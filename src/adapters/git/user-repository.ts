import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import { asCommit } from './commit.ts'
import { readCommit, textAt } from './contents.ts'
import { noteObjects, notesTip } from './notes.ts'
import { type Objects, openObjects } from './objects.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, singleLine, theirs, userGit } from './program/run.ts'

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
