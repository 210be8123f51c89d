import type { CommitId } from '../../../delivery/ids.ts'
import { type Clone, inClone } from '../clone.ts'
import { asCommit } from '../commit.ts'
import { bulkTimeoutMs, itemsOf } from '../run.ts'

/** In blocks, as file systems count; folders are left out. */
export async function sizeOf(clone: Clone, commit: CommitId): Promise<number> {
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', asCommit(commit)]
  const lines = itemsOf(await inClone(clone, args, { timeoutMs: bulkTimeoutMs }))
  const sizes = lines.map((line) => Number(/^\S+ blob \S+ +(\d+)\t/.exec(line)?.[1] ?? 0))
  return sizes.reduce((sum, size) => sum + Math.ceil(size / blockBytes) * blockBytes, 0)
}

const blockBytes = 4_096
