import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { TreeId } from '../../../delivery/ids.ts'
import type { Settled } from '../../../ports/repository/composing.ts'
import { type Clone, inClone } from '../clone.ts'
import { bulkTimeoutMs, lineOf } from '../run.ts'

/** The tree with these files as they were settled. */
export async function rewrite(clone: Clone, tree: TreeId, files: Settled[]): Promise<TreeId> {
  if (files.length === 0) return tree
  const index = `${clone.gitDir}/ropewalk/${randomBytes(8).toString('hex')}.composing`
  const more = { env: { GIT_INDEX_FILE: index }, timeoutMs: bulkTimeoutMs }
  try {
    await inClone(clone, ['read-tree', tree], more)
    const lines = await Promise.all(files.map((file) => indexLine(clone, file, '0'.repeat(tree.length))))
    await inClone(clone, ['update-index', '-z', '--index-info'], { ...more, input: lines.join('') })
    return lineOf(await inClone(clone, ['write-tree'], more))
  } finally {
    await rm(index, { force: true })
  }
}

async function indexLine(clone: Clone, { path, content }: Settled, nothing: string): Promise<string> {
  if (content === null) return `0 ${nothing}\t${path}\0`
  const object = 'object' in content ? content.object : await write(clone, content.text)
  return `${content.mode} ${object}\t${path}\0`
}

const write = async (clone: Clone, text: string): Promise<string> =>
  lineOf(await inClone(clone, ['hash-object', '-w', '--stdin', '--no-filters'], { input: text }))
