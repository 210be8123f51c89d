import type { TreeId } from '../../../delivery/ids.ts'
import type { Conflict, MergedLines, Settle, Settled } from '../../../ports/repository/composing.ts'
import type { Clone } from '../clone.ts'
import { rewrite } from './rewrite.ts'

interface Merged {
  tree: TreeId
  files: Conflict[]
  byLines: MergedLines[]
}

export interface Result {
  tree: TreeId
  /** Still in conflict. */
  files: Conflict[]
  note: string
}

/** What rules make of a merge by git. */
export async function settled(clone: Clone, settle: Settle | undefined, merged: Merged): Promise<Result> {
  const asks = settle !== undefined && merged.files.length + merged.byLines.length > 0
  const { files, note } = asks ? await settle(merged.files, merged.byLines) : { files: [], note: '' }
  const words = new Map(files.map((file) => [file.path, file]))
  const open = [
    ...merged.files.filter(({ path }) => words.get(path)?.open !== false),
    ...merged.byLines.filter(({ path }) => words.get(path)?.open === true),
  ]
  const whole = open.filter(({ path }) => !words.has(path)).flatMap(oneSide)
  return { tree: await rewrite(clone, merged.tree, [...files, ...whole]), files: open, note }
}

/** What is no text must not be left with markers in it: the line's version is there until somebody chooses. */
function oneSide({ path, kind, ours }: Conflict): Settled[] {
  if (ours === null || (kind !== 'binary' && kind !== 'pointer')) return []
  return [{ path, content: { mode: ours.mode, object: ours.object }, open: true }]
}
