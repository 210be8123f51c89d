import type { CommitId } from '../../delivery/ids.ts'
import type { Ancestor, FoundLine, RecentChange, TouchingCommit, WholeCommit } from '../../ports/repository/commits.ts'
import { type AskedOf, type Clone, inClone } from './clone.ts'
import { asCommit } from './commit.ts'
import { bulkTimeoutMs, itemsOf, singleLine } from './program/run.ts'

export async function isAncestor(clone: Clone, ancestor: CommitId, descendant: CommitId): Promise<boolean> {
  if (asCommit(ancestor) === asCommit(descendant) || (await shortWay(clone, ancestor, descendant)) !== null) return true
  const args = ['merge-base', '--is-ancestor', ancestor, descendant]
  return (await inClone(clone, args, { accept: [1] })).code === 0
}

/** Null: the two have nothing in common. */
export async function mergeBase(clone: Clone, one: CommitId, other: CommitId): Promise<CommitId | null> {
  const args = ['merge-base', asCommit(one), asCommit(other)]
  return singleLine(await inClone(clone, args, { accept: [1] })) || null
}

const shortSteps = 100

/** The commits after `from` up to `to`, the latest first, where first parents lead there in a few steps. */
async function shortWay({ objects }: Clone, from: CommitId, to: CommitId): Promise<[CommitId, CommitId[]][] | null> {
  const way: [CommitId, CommitId[]][] = []
  for (let at: CommitId | undefined = to; at !== from; ) {
    if (at === undefined || way.length === shortSteps || (await objects.info(at)) === null) return null
    const { parents }: { parents: CommitId[] } = await objects.commit(at)
    way.push([at, parents])
    at = parents[0]
  }
  return way
}

/** The same however long it is; without `from`, to the beginning of what is here. */
async function wayTo(clone: Clone, from: CommitId | null, to: CommitId): Promise<[CommitId, CommitId[]][]> {
  const short = from === null ? null : await shortWay(clone, from, to)
  if (short !== null) return short
  const range = [...(from === null ? [] : [`^${asCommit(from)}`]), asCommit(to)]
  const output = await inClone(clone, ['rev-list', '--first-parent', '--parents', ...range], {
    timeoutMs: bulkTimeoutMs,
  })
  const lines = singleLine(output).split('\n').filter(Boolean)
  return lines.map((line) => line.split(' ')).map(([commit, ...parents]) => [commit!, parents])
}

export async function history(clone: Clone, { from, to, limit }: AskedOf<'history'>): Promise<Ancestor[]> {
  const way = (await wayTo(clone, from, to)).slice(0, limit).filter(([, parents]) => parents.length > 0)
  const found = way.map(async ([commit, [parent]]) => {
    const { message } = await clone.objects.commit(commit)
    return { commit, parent: parent!, subject: commitSubject(message) }
  })
  return (await Promise.all(found)).reverse()
}

export const wholeCommits = async (clone: Clone, { from, to, limit }: AskedOf<'commits'>): Promise<WholeCommit[]> =>
  await readWay(clone, (await wayTo(clone, from, to)).reverse().slice(0, limit))

export async function firstParents(clone: Clone, tip: CommitId) {
  const way = await readWay(clone, (await wayTo(clone, null, tip)).reverse())
  return way.map(({ author, message, ...one }) => ({ ...one, author: author.name, subject: commitSubject(message) }))
}

async function readWay({ objects }: Clone, way: [CommitId, CommitId[]][]): Promise<WholeCommit[]> {
  const read = way.map(async ([commit, parents]) => {
    const { tree, author, message } = await objects.commit(commit)
    return { commit, parents, tree, author, message }
  })
  return await Promise.all(read)
}

/** As git has it: the first paragraph on one line. */
export const commitSubject = (message: string): string =>
  message
    .trimStart()
    .split(/\n[ \t]*\n/)[0]!
    .trimEnd()
    .replace(/[ \t]*\n/g, ' ')

const changesBytes = 64_000_000

/** Each commit begins with a character that no path and no subject has at its beginning. */
export async function recentChanges(
  clone: Clone,
  { commit, limit, since = null }: AskedOf<'recentChanges'>,
): Promise<RecentChange[]> {
  const how = ['--no-merges', '--no-renames', '--name-only', '-z', `--max-count=${limit}`]
  const range = [asCommit(commit), ...(since === null ? [] : [`^${asCommit(since)}`])]
  const args = ['log', ...how, '--format=%x1e%H%x1f%P%x1f%an%x1f%s', ...range, '--']
  const output = await inClone(clone, args, { timeoutMs: bulkTimeoutMs, maxBytes: changesBytes })
  const entries = output.stdout.toString('utf8').split('\x1e').slice(1)
  return entries.map((entry) => {
    const [said = '', ...files] = entry.split('\0')
    const [id = '', parent = '', author = '', ...subject] = said.split('\x1f')
    const changed = files.map((file) => file.replace(/^\n/, '')).filter(Boolean)
    return { commit: id, parent: parent || null, author, subject: subject.join(' '), files: changed }
  })
}

const foundBytes = 8_000_000
const searchTimeoutMs = 20_000

/** By git itself: it reads the commit's files from its packs, and there is no faster way to all of them. */
export async function searchLines(clone: Clone, { commit, words, perFile }: AskedOf<'search'>): Promise<FoundLine[]> {
  if (words.length === 0) return []
  const patterns = words.flatMap((word) => ['-e', word])
  const how = ['-I', '-i', '-F', '-n', '-z', '--full-name', '--no-color', `--max-count=${perFile}`]
  const call = { accept: [1], maxBytes: foundBytes, timeoutMs: searchTimeoutMs }
  const { stdout } = await inClone(clone, ['grep', ...how, ...patterns, asCommit(commit)], call)
  // `commit:path`, NUL, number, NUL, text.
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((found) => {
      const [place, line, text] = found.split('\0')
      if (place === undefined || line === undefined || text === undefined) return []
      return [{ path: place.slice(commit.length + 1), line: Number(line), text: text.slice(0, 400) }]
    })
}

export async function touching(clone: Clone, { commit, paths, limit }: AskedOf<'touching'>): Promise<TouchingCommit[]> {
  const how = [`--max-count=${limit}`, '--no-commit-header', '--format=%H%x00%cs%x00%s%x00']
  const args = ['rev-list', ...how, asCommit(commit), ...(paths.length === 0 ? [] : ['--', ...paths])]
  const items = itemsOf(await inClone(clone, args, { timeoutMs: searchTimeoutMs })).map((item) => item.trim())
  return Array.from({ length: Math.floor(items.length / 3) }, (_, i) => {
    const [found, day, subject] = items.slice(i * 3) as [string, string, string]
    return { commit: found, day, subject }
  })
}
