import { realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Repositories, Repository } from '../../ports/repository/repository.ts'
import { asPathSegment } from '../../std/identifier.ts'
import { readIdentity } from './checkout.ts'
import { ensureClone } from './clone.ts'
import { openUserRepository } from './notes/user-repository.ts'
import { repositoryOf } from './repository.ts'
import { repositoryId } from './repository-id.ts'
import { lineOf, userGit } from './run.ts'

/** Repositories by the git program; our clones are kept in `<home>/repositories`. */
export function openRepositories(options: { home: string }): Repositories {
  const opened = new Map<string, Promise<Repository>>()
  return {
    find,
    look: async (path) => {
      const known = await find(path)
      return openUserRepository(known.path, cloneOf(options.home, known.id))
    },
    open: (repository) => {
      const key = `${repository.id} ${repository.path}`
      const known = opened.get(key)
      if (known !== undefined) return known
      const opening = open(options.home, repository)
      opened.set(key, opening)
      // What could not be opened now may be there the next time.
      opening.catch(() => opened.delete(key))
      return opening
    },
  }
}

async function find(path: string): Promise<{ id: string; path: string }> {
  const folder = await folderOf(resolve(path))
  const { commonDir, bare } = await locate(folder)
  const [top] = await Promise.all([bare ? commonDir : topOf(folder), requireCommit(folder)])
  return { id: repositoryId(commonDir), path: top }
}

async function open(home: string, repository: { id: string; path: string }): Promise<Repository> {
  const { commonDir } = await locate(await folderOf(repository.path))
  const gitDir = cloneOf(home, repository.id)
  const [identity] = await Promise.all([readIdentity(repository.path), ensureClone(gitDir, commonDir)])
  const known = { trees: new Map(), diffs: new Map(), spares: new Map() }
  return repositoryOf({ gitDir, user: repository.path, commonDir, identity, ...known })
}

const cloneOf = (home: string, id: string): string => join(resolve(home), 'repositories', `${asPathSegment(id)}.git`)

async function folderOf(path: string): Promise<string> {
  if (path === '')
    throw new TerminalError(
      'this delivery was imported outside of a repository, so its commits are not here',
      'import it inside a clone of its repository, with the bundle that `ropewalk export --bundle` wrote',
    )
  const found = await stat(path).catch(() => null)
  if (found === null) throw new TerminalError(`${path} does not exist`, 'Give the path of a git repository.')
  return found.isDirectory() ? path : dirname(path)
}

async function locate(folder: string): Promise<{ commonDir: string; bare: boolean }> {
  const asked = [
    'rev-parse',
    '--is-bare-repository',
    '--is-inside-git-dir',
    '--show-object-format',
    '--path-format=absolute',
    '--git-common-dir',
  ]
  const output = await userGit({ args: ['-C', folder, ...asked] })
  const [bare, inside, format, ...rest] = output.stdout.toString('utf8').split('\n')
  if (bare === 'false' && inside === 'true')
    throw new TerminalError(`${folder} is inside a .git folder`, 'Run this in the working tree of the repository.')
  if (format !== 'sha1')
    throw new TerminalError(`${folder} names its objects by ${format}`, 'Use a repository of the usual format (sha1).')
  return { commonDir: await realpath(rest.join('\n').replace(/\n$/, '')), bare: bare === 'true' }
}

async function topOf(folder: string): Promise<string> {
  const output = await userGit({ args: ['-C', folder, 'rev-parse', '--show-toplevel'] })
  return output.stdout.toString('utf8').replace(/\n$/, '')
}

async function requireCommit(folder: string): Promise<void> {
  const head = await userGit({ args: ['-C', folder, 'rev-parse', '--verify', '-q', 'HEAD^{commit}'], accept: [1] })
  if (head.code === 0) return
  const any = await userGit({ args: ['-C', folder, 'for-each-ref', '--count=1', 'refs/heads'] })
  if (lineOf(any) === '')
    throw new TerminalError(
      `${folder} has no commit yet`,
      'Make a first commit: git commit --allow-empty -m "Begin", then run this again.',
    )
}
