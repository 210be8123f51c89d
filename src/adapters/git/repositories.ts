import { realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Repositories, Repository } from '../../ports/repository/repository.ts'
import { asPathSegment } from '../../std/identifier.ts'
import { type Clone, ensureClone } from './clone.ts'
import { treeOf, variant } from './commit.ts'
import { compose } from './compose.ts'
import { diff, listFiles, patch, readCommit, readFile, readFiles, sizeOf } from './contents.ts'
import {
  firstParents,
  history,
  isAncestor,
  mergeBase,
  recentChanges,
  searchLines,
  touching,
  wholeCommits,
} from './history.ts'
import { giveUpLanding, land } from './landing/land.ts'
import { addNotes, readNotes } from './notes.ts'
import { openObjects } from './objects.ts'
import { ours, singleLine, theirs, userGit } from './program/run.ts'
import { deleteRef, listRefs, moveRef, openRefs, readRef } from './refs.ts'
import { repositoryId } from './repository-id.ts'
import { fetchCommit, fetchPull, fetchTarget, readBundle, writeBundle } from './transfer.ts'
import { openUserRepository, readCheckout, readIdentity } from './user-repository.ts'
import { lendFiles } from './workspace/lend.ts'
import { commitPlace, dressPlace, exportTree, leavePlace, removePlace, removePlaces } from './workspace/place.ts'
import { closeWorkspace, harvest, openWorkspace } from './workspace/workspace.ts'

/** Repositories by the git program; our clones are kept in `<home>/repositories`. */
export function openRepositories(options: { home: string }): Repositories {
  const opened = new Map<string, Promise<Repository>>()
  const found = new Map<string, Found>()
  const find = async (path: string): Promise<Found> => {
    const folder = await folderOf(path === '' ? path : resolve(path))
    const known = found.get(folder) ?? (await locate(folder))
    found.set(folder, known)
    found.set(known.path, known)
    return known
  }
  return {
    find: async (path) => {
      const { commonDir, path: top } = await find(resolve(path))
      return { id: repositoryId(commonDir), path: top }
    },
    look: async (path) => {
      const known = await find(resolve(path))
      return openUserRepository(known.path, cloneOf(options.home, repositoryId(known.commonDir)))
    },
    open: (repository) => {
      const key = `${repository.id} ${repository.path}`
      const known = opened.get(key)
      if (known !== undefined) return known
      const opening = find(repository.path).then((at) => open(cloneOf(options.home, repository.id), at))
      opened.set(key, opening)
      // What could not be opened now may be there the next time.
      opening.catch(() => opened.delete(key))
      return opening
    },
  }
}

/** A repository of the user, by its folder: the top of a checkout, or the git directory where it is bare. */
interface Found {
  path: string
  commonDir: string
  bare: boolean
}

async function open(gitDir: string, { path: user, commonDir, bare }: Found): Promise<Repository> {
  const [identity] = await Promise.all([readIdentity(user), ensureClone(gitDir, commonDir)])
  const objects = openObjects(ours, ['--git-dir', gitDir])
  const refs = openRefs(ours, gitDir)
  return repositoryOf({
    ...{ gitDir, objects, refs, diffs: new Map(), spares: new Map() },
    ...{ user, commonDir, bare, identity, theirs: openObjects(theirs, ['--git-dir', commonDir]) },
  })
}

/** Each function takes our clone first, and then what the port says. */
function repositoryOf(clone: Clone): Repository {
  return {
    objectsFolder: join(clone.gitDir, 'objects'),
    patch: (from, to, maxBytes) => patch(clone, { from, to, maxBytes }),
    moveRef: (ref, from, to) => moveRef(clone, { ref, from, to }),
    ...bound(clone, { treeOf, readCommit, readFile, readFiles, listFiles, sizeOf, diff }),
    ...bound(clone, { isAncestor, mergeBase, history, firstParents, commits: wholeCommits }),
    ...bound(clone, { search: searchLines, touching, recentChanges }),
    ...bound(clone, { fetchTarget, fetchCommit, fetchPull, checkout: readCheckout }),
    ...bound(clone, { openWorkspace, harvest, closeWorkspace }),
    ...bound(clone, { exportTree, dressPlace, commitPlace, leavePlace, removePlace, removePlaces, lendFiles }),
    ...bound(clone, { compose, variant, readRef, refs: listRefs, deleteRef, writeBundle, readBundle }),
    ...bound(clone, { land, giveUpLanding, addNotes, readNotes }),
  }
}

type OnClone = (clone: Clone, ...asked: never[]) => unknown
type Bound<F> = F extends (clone: Clone, ...asked: infer Asked) => infer Answer ? (...asked: Asked) => Answer : never

function bound<F extends Record<string, OnClone>>(clone: Clone, functions: F): { [Name in keyof F]: Bound<F[Name]> } {
  const entries = Object.entries(functions)
  return Object.fromEntries(entries.map(([name, act]) => [name, act.bind(null, clone)])) as never
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

const facts = [
  ...['rev-parse', '--is-bare-repository', '--is-inside-git-dir', '--show-object-format'],
  ...['--path-format=absolute', '--git-common-dir'],
]

/** All at once where everything is as usual; one question after the other says what is not. */
async function locate(folder: string): Promise<Found> {
  const whole = await userGit({ args: ['-C', folder, ...facts, '--show-toplevel', 'HEAD^{commit}'], accept: [128] })
  const [bare, inside, format, common, top, head, ...rest] = whole.stdout.toString('utf8').split('\n')
  const isUsual = whole.code === 0 && bare === 'false' && inside === 'false' && format === 'sha1'
  if (isUsual && /^[0-9a-f]{40}$/.test(head ?? '') && rest.join() === '')
    return { path: top!, commonDir: await realpath(common!), bare: false }
  return await locateSlowly(folder)
}

async function locateSlowly(folder: string): Promise<Found> {
  const output = await userGit({ args: ['-C', folder, ...facts] })
  const [bare, inside, format, ...rest] = output.stdout.toString('utf8').split('\n')
  if (bare === 'false' && inside === 'true')
    throw new TerminalError(`${folder} is inside a .git folder`, 'Run this in the working tree of the repository.')
  if (format !== 'sha1')
    throw new TerminalError(`${folder} names its objects by ${format}`, 'Use a repository of the usual format (sha1).')
  const commonDir = await realpath(rest.join('\n').replace(/\n$/, ''))
  const [path] = await Promise.all([bare === 'true' ? commonDir : topOf(folder), requireCommit(folder)])
  return { path, commonDir, bare: bare === 'true' }
}

async function topOf(folder: string): Promise<string> {
  const output = await userGit({ args: ['-C', folder, 'rev-parse', '--show-toplevel'] })
  return output.stdout.toString('utf8').replace(/\n$/, '')
}

async function requireCommit(folder: string): Promise<void> {
  const head = await userGit({ args: ['-C', folder, 'rev-parse', '--verify', '-q', 'HEAD^{commit}'], accept: [1] })
  if (head.code === 0) return
  const any = await userGit({ args: ['-C', folder, 'for-each-ref', '--count=1', 'refs/heads'] })
  if (singleLine(any) === '')
    throw new TerminalError(
      `${folder} has no commit yet`,
      'Make a first commit: git commit --allow-empty -m "Begin", then run this again.',
    )
}
