import { access, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import { TerminalError } from '../../ports/errors.ts'
import { notesAbout } from '../../proof/statement-note.ts'
import { asPathSegment } from '../../std/identifier.ts'
import { type AskedOf, type Clone, inClone, targetRef } from './clone.ts'
import { asCommit } from './commit.ts'
import { fastImport, notesStream, readNotes } from './notes.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, singleLine, userGit } from './program/run.ts'
import { dropStaleLock, listRefs, moveRef, readRef } from './refs.ts'

/** Objects and what is named, and nothing else: no tags, no FETCH_HEAD, no housekeeping. */
export const silentFetch = [
  ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance'],
]

type Fetch = { from: string; what: string } & Partial<GitCall>

const intoClone = ({ gitDir }: Clone, { from, what, ...more }: Fetch): Promise<GitOutput> => {
  const args = ['--git-dir', gitDir, ...silentFetch, '--update-shallow', '--', from, what]
  return userGit({ timeoutMs: bulkTimeoutMs, ...more, args })
}

/** Brings the user's branch into our clone. Nothing is fetched when we have its tip already. */
export async function fetchTarget(clone: Clone, branch: string): Promise<CommitId> {
  const ours = targetRef(branch)
  const [tip, known] = await Promise.all([tipOf(clone, branch), readRef(clone, ours)])
  if (tip === null) throw new TerminalError(`there is no branch "${branch}"`, 'Name an existing branch as the target.')
  if (tip === known) return tip
  await dropStaleLock(join(clone.gitDir, ours))
  await intoClone(clone, { from: clone.commonDir, what: `+refs/heads/${branch}:${ours}` })
  return (await readRef(clone, ours))!
}

/** Objects only, and only when we lack them. */
export async function fetchCommit(clone: Clone, commit: CommitId): Promise<void> {
  const known = await clone.objects.info(`${asCommit(commit)}^{tree}`)
  if (known === null) await intoClone(clone, { from: clone.commonDir, what: commit })
}

/** Where the user's branch is now; null when there is none of that name. */
export async function tipOf({ theirs, commonDir }: Clone, branch: string): Promise<CommitId | null> {
  const name = `refs/heads/${branch}^{commit}`
  const head = await readFile(join(commonDir, 'HEAD'), 'utf8').catch(() => '')
  // A git that stays does not see that the repository is gone; another one does, and says so.
  const found = /^(?:ref: |[0-9a-f]{40})/.test(head) ? await theirs.info(name) : null
  if (found !== null) return found.id
  const args = ['--git-dir', commonDir, 'rev-parse', '--verify', '-q', name]
  return singleLine(await userGit({ args, accept: [1] })) || null
}

/** From our clone into the user's repository: objects only, no ref and no configuration is written. */
export async function bring(clone: Clone, commit: CommitId): Promise<void> {
  const silent = [...silentFetch, '--no-write-commit-graph', '--no-prune']
  const args = ['-C', clone.user, ...silent, '--', clone.gitDir, asCommit(commit)]
  await userGit({ args, timeoutMs: bulkTimeoutMs })
}

/** Where forges keep what is proposed: GitHub, Gitea and others; GitLab. */
const places = (number: number): string[] => [`refs/pull/${number}/head`, `refs/merge-requests/${number}/head`]

/** From the remote of the user's repository into our clone; theirs is only asked for the address. */
export async function fetchPull(clone: Clone, number: number): Promise<CommitId> {
  const address = await remoteOf(clone)
  const env = Object.fromEntries(reaching.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
  for (const place of places(number)) {
    const ours = `refs/ropewalk/pull/${number}`
    // An address may be a path that is meant from where the user's repository is.
    const fetch = { from: address, what: `+${place}:${ours}`, cwd: clone.user, env, accept: [1, 128] }
    const fetched = await intoClone(clone, fetch)
    if (fetched.code === 0) return (await readRef(clone, ours))!
    if (/couldn't find remote ref/i.test(fetched.stderr)) continue
    throw new TerminalError(
      `${shown(address)} cannot be asked for pull request ${number}: ${without(fetched.stderr, address)}`,
      'See that `git fetch` works in this repository, then try again.',
    )
  }
  throw new TerminalError(
    `${shown(address)} has no pull request ${number}`,
    'Give the number of an open one, or name its branch.',
  )
}

/** What git needs to reach others. */
const reaching = [
  ...['SSH_AUTH_SOCK', 'GIT_SSH_COMMAND', 'GIT_SSH', 'GIT_ASKPASS'],
  ...['https_proxy', 'HTTPS_PROXY', 'no_proxy'],
]

async function remoteOf({ user }: Clone): Promise<string> {
  const names = singleLine(await userGit({ args: ['-C', user, 'remote'] }))
    .split('\n')
    .filter(Boolean)
  const name = ['upstream', 'origin'].find((one) => names.includes(one)) ?? names[0]
  if (name === undefined)
    throw new TerminalError(
      'this repository has no remote, so it has no pull requests',
      'Name a branch or a range instead, such as main..topic.',
    )
  return singleLine(await userGit({ args: ['-C', user, 'remote', 'get-url', '--', name] }))
}

/** An address may hold a password. */
const shown = (address: string): string => address.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1')

const without = (said: string, address: string): string =>
  said.replaceAll(address, shown(address)).trim().slice(0, 1_000)

const foldersOf = (delivery: string): string[] =>
  ['', 'archive/'].map((kind) => `refs/ropewalk/${kind}${asPathSegment(delivery)}/`)

/** All that a delivery's refs reach, its base and the proofs, in one file, which needs nothing that is not in it. */
export async function writeBundle(clone: Clone, { delivery, base, file }: AskedOf<'writeBundle'>): Promise<void> {
  await moveRef(clone, { ref: `refs/ropewalk/${asPathSegment(delivery)}/base`, from: null, to: base })
  await keepNotes(clone, { delivery, base })
  const input = await refLines(clone, delivery)
  await inClone(clone, ['bundle', 'create', '--quiet', resolve(file), '--stdin'], { input, timeoutMs: bulkTimeoutMs })
}

async function refLines(clone: Clone, delivery: string): Promise<string> {
  const refs = (await Promise.all(foldersOf(delivery).map((folder) => listRefs(clone, folder)))).flat()
  return refs.map(({ ref }) => `${ref}\n`).join('')
}

/** Of the notes only the proofs of this delivery: what is said of others is not for whoever gets the file. */
async function keepNotes(clone: Clone, { delivery, base }: Omit<AskedOf<'writeBundle'>, 'file'>): Promise<void> {
  const range = `${await refLines(clone, delivery)}^${base}\n`
  const listed = await inClone(clone, ['rev-list', '--stdin'], { input: range, timeoutMs: bulkTimeoutMs })
  const commits = singleLine(listed).split('\n').filter(Boolean)
  const changed = notesAbout(delivery, await readNotes(clone, commits))
  if (changed.length === 0) return
  const ref = `refs/ropewalk/${asPathSegment(delivery)}/notes`
  const input = notesStream(clone.identity, { ref, tip: null, at: 0, changed })
  await inClone(clone, [...fastImport, '--force'], { input, timeoutMs: bulkTimeoutMs })
}

/** Takes refs of this delivery out of such a file, and no others; every object is looked at on the way. */
export async function readBundle(clone: Clone, { delivery, file }: AskedOf<'readBundle'>): Promise<void> {
  const path = resolve(file)
  await access(path).catch((error: Error) => {
    throw new TerminalError(
      `cannot read ${file}: ${error.message}`,
      'give a file that `ropewalk export --bundle` wrote',
    )
  })
  const specs = foldersOf(delivery).map((folder) => `${folder}*:${folder}*`)
  const args = ['-c', 'fetch.fsckObjects=true', ...silentFetch, '--', path, ...specs]
  const fetched = await inClone(clone, args, { timeoutMs: bulkTimeoutMs, accept: [1, 128] })
  if (fetched.code !== 0)
    throw new TerminalError(
      `${file} cannot be taken in: ${fetched.stderr.trim().slice(-500)}`,
      'give the file that `ropewalk export --bundle` wrote for this delivery; if it is damaged, export it again',
    )
}
