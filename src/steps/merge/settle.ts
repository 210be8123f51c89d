import { posix } from 'node:path'
import type { Conflict, MergedLines, Settled, Settlement, Side } from '../../ports/repository/composing.ts'
import { isWellFormed, mergeFile } from '../../proof/merging/merge-file.ts'
import { type Formats, saysTheSame } from '../../proof/merging/three-way.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { lockToolFor } from './locks.ts'

export interface Means {
  /** Lock files that their tools have made anew, by path; null: the tool could not. */
  locks: ReadonlyMap<string, string | null>
  formats: Formats
}

/** What rules make of the files that git cannot merge; `declined`: why they leave the others alone, by path. */
export function settleConflicts(
  { conflicts, merged }: { conflicts: Conflict[]; merged: MergedLines[] },
  means: Means,
  declined = new Map<string, string>(),
): Settlement {
  const files: Settled[] = []
  const said = new Map<string, string[]>()
  const all = [...conflicts, ...merged.filter((one) => isBroken(one, means.formats))]
  for (const conflict of all.filter(({ path }) => !path.includes('\ufffd'))) {
    const word = settleOne(conflict, means)
    if ('because' in word) declined.set(conflict.path, word.because)
    const content = word.content === undefined ? leftBy(conflict) : word.content
    if (content === undefined) continue
    files.push({ path: conflict.path, content, open: 'because' in word })
    if ('by' in word) said.set(word.by, [...(said.get(word.by) ?? []), oneLine(conflict.path, 200)])
  }
  // For people who read the commit: what no coder and no git has written.
  const notes = [...said].map(
    ([by, paths]) => `${by}: ${paths.slice(0, 20).join(', ')}${paths.length > 20 ? ' …' : ''}`,
  )
  return { files, note: notes.join('\n') }
}

/** Both sides name a thing, at two places: the lines fit together, and what they say does not. */
const isBroken = ({ path, ours, theirs, result }: MergedLines, formats: Formats): boolean =>
  [ours, theirs].every((side) => side?.text != null && isWellFormed(path, side.text, formats)) &&
  result.text !== null &&
  !isWellFormed(path, result.text, formats)

/** What git has merged by lines stays there, for the coder to go on with. */
const leftBy = (conflict: Conflict | MergedLines): Settled['content'] | undefined =>
  'result' in conflict ? { mode: conflict.result.mode, object: conflict.result.object } : undefined

type Word =
  | { content: Settled['content']; by: string }
  /** Where there is a content, it is one to go on with. */
  | { content?: Settled['content']; because: string }

function settleOne(conflict: Conflict, { locks, formats }: Means): Word {
  const { kind, ours, theirs } = conflict
  if (kind === 'delete') return settleDeletion(conflict)
  if (ours === null || theirs === null || !isFile(ours) || !isFile(theirs)) return { because: '' }
  if (kind === 'mode')
    return { content: { mode: executable, object: ours.object }, by: 'Made executable as one side wants' }
  if (kind !== 'content') return { because: '' }
  return lockToolFor(conflict.path) === null
    ? settleText(conflict, { ours, theirs }, formats)
    : settleLock(conflict, { ours, theirs }, { locks, formats })
}

const executable = '100755'
const isFile = ({ mode }: Side): boolean => mode.startsWith('100')

/** A change of blanks alone is no reason to keep what the other side deletes; a new name or another mode is one. */
function settleDeletion({ path, detail, base, ours, theirs }: Conflict): Word {
  const left = ours ?? theirs
  if (/\(rename\/delete\)/.test(detail) || base?.mode !== left?.mode) return { because: '' }
  if (base?.text == null || left?.text == null || !saysTheSame(path, base.text, left.text)) return { because: '' }
  return { content: null, by: 'Deleted as one side wants (the other changed blanks only)' }
}

type Both = { ours: Side; theirs: Side }

function settleText({ path, base, union }: Conflict, { ours, theirs }: Both, formats: Formats): Word {
  if (ours.text === null || theirs.text === null || base?.text === null)
    return { because: 'it is no short text in UTF-8' }
  const texts = { path, base: base?.text ?? null, ours: ours.text, theirs: theirs.text }
  const result = mergeFile(texts, { union, formats })
  if (result.status === 'declined') return { because: result.because }
  return { content: { mode: modeOf(base, { ours, theirs }), text: result.text }, by: `Merged by ${result.by}` }
}

const modeOf = (base: Side | null, { ours, theirs }: Both): string =>
  base === null ? [ours.mode, theirs.mode].sort().at(-1)! : ours.mode === base.mode ? theirs.mode : ours.mode

/** Its tool makes it anew for the merged manifest; what it starts from has the versions of both, where that can be. */
function settleLock(conflict: Conflict, { ours, theirs }: Both, { locks, formats }: Means): Word {
  const { path, base } = conflict
  const { tool, run } = lockToolFor(path)!
  const text = locks.get(path)
  const mode = modeOf(base, { ours, theirs })
  if (text != null) return { content: { mode, text }, by: `Made anew by ${tool}` }
  const because = `it is a lock file: make it anew with "${run}", and do not edit it by hand`
  if (posix.basename(path) === 'go.sum' && ours.text !== null && theirs.text !== null) {
    const content = { mode, text: sums(ours.text, theirs.text) }
    return text === null ? { content, by: 'Merged by union' } : { content, because }
  }
  const start = settleText(conflict, { ours, theirs }, formats)
  return { content: 'by' in start ? start.content : { mode: ours.mode, object: ours.object }, because }
}

/** More sums than needed do no harm, and none of them contradicts another. */
const sums = (ours: string, theirs: string): string =>
  `${[...new Set(`${ours}\n${theirs}`.split(/\r?\n/).filter(Boolean))].sort().join('\n')}\n`
