import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Settled, VariantFile } from '../../ports/repository/composing.ts'
import { type Clone, inClone } from './clone.ts'
import { asCommit, treeOf } from './commit.ts'
import { rewrite } from './compose/rewrite.ts'
import { bulkTimeoutMs, itemsOf, lineOf } from './run.ts'

/** Who, when, why and what came before stay: only the tree is another, and a signature would not hold for it. */
export async function variant(
  clone: Clone,
  commit: CommitId,
  files: VariantFile[],
): Promise<{ commit: CommitId; tree: TreeId }> {
  const tree = await treeOf(clone, commit)
  const changed = await rewrite(clone, tree, await settled(clone, commit, files))
  if (changed === tree) return { commit, tree }
  const text = (await inClone(clone, ['cat-file', 'commit', asCommit(commit)])).stdout.toString('latin1')
  const made = text.replace(/^tree [0-9a-f]+/, `tree ${changed}`).replace(/^gpgsig(?:-sha256)? .*\n(?: .*\n)*/m, '')
  const output = await inClone(clone, ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    input: Buffer.from(made, 'latin1'),
  })
  const id = lineOf(output)
  clone.trees.set(id, changed)
  return { commit: id, tree: changed }
}

async function settled(clone: Clone, commit: CommitId, files: VariantFile[]): Promise<Settled[]> {
  const sources = new Map<CommitId, string[]>()
  for (const file of files) {
    const from = 'from' in file ? file.from : commit
    sources.set(from, [...(sources.get(from) ?? []), file.path])
  }
  const entries = new Map<CommitId, Map<string, Entry>>()
  for (const [from, paths] of sources) entries.set(from, await entriesOf(clone, from, new Set(paths)))
  return files.map((file): Settled => {
    const entry = entries.get('from' in file ? file.from : commit)?.get(file.path)
    const open = false
    if ('text' in file) return { path: file.path, content: { mode: entry?.mode ?? '100644', text: file.text }, open }
    return { path: file.path, content: entry ?? null, open }
  })
}

interface Entry {
  mode: string
  object: string
}

async function entriesOf(clone: Clone, commit: CommitId, paths: Set<string>): Promise<Map<string, Entry>> {
  const how = { timeoutMs: bulkTimeoutMs }
  const items = itemsOf(await inClone(clone, ['ls-tree', '-r', '-z', '--full-tree', asCommit(commit)], how))
  const found = new Map<string, Entry>()
  for (const item of items) {
    const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(item) ?? []
    if (path !== undefined && paths.has(path)) found.set(path, { mode: mode!, object: object! })
  }
  return found
}
