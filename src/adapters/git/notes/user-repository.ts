import { mkdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import type { UserRepository } from '../../../ports/user-repository.ts'
import { once } from '../../../std/once.ts'
import { asCommit } from '../commit.ts'
import { commitText } from '../read.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, lineOf, userGit } from '../run.ts'
import { notesTip } from './notes.ts'
import { noteObjects } from './tree.ts'

/** A partial clone must not fetch what it lacks, and nobody's replacement objects count. */
const offline = { GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1' }

export async function openUserRepository(folder: string): Promise<UserRepository> {
  const git = (args: string[], more: Omit<GitCall, 'args'> = {}): Promise<GitOutput> =>
    userGit({ ...more, args: ['-C', folder, ...args], env: { ...offline, ...more.env } })
  const [shallow, signersFile, tip] = await Promise.all([
    git(['rev-parse', '--is-shallow-repository']),
    git(['config', '--type=path', '--get', 'gpg.ssh.allowedSignersFile'], { accept: [1] }),
    notesTip(folder),
  ])
  const objects = once(async () => (tip === null ? new Map<string, string>() : noteObjects(git, tip)))
  return {
    shallow: lineOf(shallow) === 'true',
    hasNotes: tip !== null,
    signersFile: absolute(folder, lineOf(signersFile)),
    commits: (revision) => commits(git, revision),
    readCommit: async (commit) =>
      commitText((await git(['cat-file', 'commit', asCommit(commit)])).stdout.toString('utf8')),
    readNote: async (commit, maxBytes) => readNote(git, (await objects()).get(commit), maxBytes),
    readFile: async (commit, path) => {
      const output = await git(['cat-file', 'blob', `${asCommit(commit)}:${path}`], { accept: [128] })
      return output.code === 0 ? output.stdout.toString('utf8') : null
    },
    exportTree: (commit, path) => exportTree(git, commit, path),
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

async function readNote(git: Git, object: string | undefined, maxBytes: number) {
  if (object === undefined) return null
  const bytes = Number(lineOf(await git(['cat-file', '-s', object])))
  const text = bytes > maxBytes ? null : (await git(['cat-file', 'blob', object])).stdout.toString('utf8')
  return { text, bytes }
}

/** With an index of its own beside the folder, so that the user's is not touched. */
async function exportTree(git: Git, commit: CommitId, path: string): Promise<void> {
  const index = `${path}.index`
  await mkdir(path, { recursive: true })
  const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: path }
  const gitDir = lineOf(await git(['rev-parse', '--path-format=absolute', '--git-common-dir']))
  const args = ['--git-dir', gitDir, '-c', 'core.sparseCheckout=false', 'read-tree', '--reset', '-u', asCommit(commit)]
  try {
    await git(args, { env, timeoutMs: bulkTimeoutMs })
  } finally {
    await rm(index, { force: true })
  }
}
