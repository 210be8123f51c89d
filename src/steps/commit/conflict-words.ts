import type { Conflict, Side } from '../../ports/repository/composing.ts'
import { patchOf } from '../../proof/merging/three-way.ts'
import { never } from '../../std/never.ts'
import { lockToolFor } from '../merge/lock-tools.ts'

/** What lies in the workspace, whose it is, and what is to be done with it. */
export function whatToDo(conflict: Conflict): string {
  const { kind, path, ours, theirs } = conflict
  switch (kind) {
    case 'content':
      return lockToolFor(path) === null
        ? 'the file is there with both sides; keep what each of them wants and leave no conflict marker'
        : 'what is there is only something to start from, and the manifest has both sides'
    case 'delete':
      return ours === null
        ? 'it was deleted or renamed on the line, and this story changes it; its version is there: move the change to where it belongs now, or delete the file'
        : 'this story deletes or renames it, and it was changed on the line; that version is there: keep that change, where it belongs now, or delete the file'
    case 'rename':
      return 'the two sides have given it, or put into its place, different names; leave it under one of them, with the changes of both'
    case 'mode':
      return 'it is of different kinds on the two sides (a file, an executable, a link); leave one of them'
    case 'binary':
      return `it cannot be merged, and must be chosen as a whole: ${choice(path, { ours, theirs })}`
    case 'pointer':
      return `it stands for a large file, which cannot be merged, and must be chosen as a whole: ${choice(path, { ours, theirs })}`
    case 'submodule':
      return `a submodule cannot be merged; the line has it at ${ours?.object ?? 'no commit'}, this story at ${theirs?.object ?? 'no commit'}: one of them must be chosen`
    case 'link':
      return `the link points to ${shown(ours)} on the line, and to ${shown(theirs)} in this story; leave one of them`
    case 'name':
      return 'many machines take the two names for one file; put both into one, or rename one of them'
    case 'other':
      return 'see what git says; leave what both sides want'
    default:
      return never(kind)
  }
}

function choice(path: string, { ours, theirs }: Pick<Conflict, 'ours' | 'theirs'>): string {
  const mine =
    theirs === null
      ? ''
      : `, or take this story's (${theirs.bytes} bytes) with: git cat-file blob ${theirs.object} > ${quoted(path)}`
  return `the line's version${ours === null ? '' : ` (${ours.bytes} bytes)`} is there; leave it${mine}`
}

const quoted = (path: string): string => `'./${path.replaceAll("'", "'\\''")}'`
const shown = (side: Side | null): string => JSON.stringify(side?.text ?? 'nothing')

const longest = 3_000

/** What git says, and what each side has made of the file. Of what is no text, nothing is shown. */
export function evidenceOf({ kind, path, detail, base, ours, theirs }: Conflict): string {
  const isText = kind === 'content' || kind === 'delete' || kind === 'rename'
  if (!isText || lockToolFor(path) !== null) return detail.slice(0, longest)
  const parts = [
    ['The line has made this of it', ours],
    ['This story has made this of it', theirs],
  ] as const
  const made = parts.map(([title, side]) => `${title}:\n${changeOf(base, side)}`)
  return [detail.slice(0, longest), ...made].join('\n\n')
}

function changeOf(base: Side | null, side: Side | null): string {
  if (side === null) return '(it is not there under this name)'
  if (side.text === null || base?.text === null) return '(no short text)'
  const patch = patchOf(base?.text ?? '', side.text)
  return patch.length > longest ? `${patch.slice(0, longest)}\n[cut]` : patch || '(nothing)'
}
