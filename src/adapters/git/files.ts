import type { CommitId } from '../../delivery/ids.ts'
import type { CommitText } from '../../ports/proofs/user-repository.ts'
import type { Clone } from './clone.ts'
import { asCommit, treeOf } from './commit.ts'
import type { NamedEntry, Objects } from './objects/reader.ts'

export async function readCommit({ objects }: Pick<Clone, 'objects'>, commit: CommitId): Promise<CommitText> {
  const { tree, message } = await objects.commit(asCommit(commit))
  return { tree, message }
}

/** Null where there is no plain file: an agent may have named any path. */
export async function readFile(clone: Clone, commit: CommitId, path: string): Promise<string | null> {
  return await textAt(clone.objects, await treeOf(clone, commit), path)
}

export async function textAt(objects: Objects, tree: string, path: string): Promise<string | null> {
  const entry = await objects.entryAt(tree, path)
  return entry?.mode.startsWith('100') ? (await objects.content(entry.object)).toString('utf8') : null
}

const entriesOf = async (clone: Clone, commit: CommitId): Promise<NamedEntry[]> =>
  clone.objects.files(await treeOf(clone, commit))

export const listFiles = async (clone: Clone, commit: CommitId): Promise<string[]> =>
  (await entriesOf(clone, commit)).map(({ path }) => path)

const longestBytes = 1_000_000

export async function readFiles(
  clone: Clone,
  commit: CommitId,
  paths: readonly string[],
): Promise<Map<string, Uint8Array>> {
  if (paths.length === 0) return new Map()
  const wanted = new Set(paths)
  const entries = (await entriesOf(clone, commit)).filter(
    ({ mode, path }) => mode.startsWith('100') && wanted.has(path),
  )
  const found = entries.map(async ({ path, object }) => {
    const bytes = await clone.objects.bytesOf(object)
    return bytes > longestBytes ? [] : [[path, await clone.objects.content(object)] as const]
  })
  return new Map((await Promise.all(found)).flat())
}

const blockBytes = 4_096

/** In blocks, as file systems count; folders are left out. */
export async function sizeOf(clone: Clone, commit: CommitId): Promise<number> {
  const files = (await entriesOf(clone, commit)).filter(({ mode }) => mode !== '160000')
  const sizes = await Promise.all(files.map(({ object }) => clone.objects.bytesOf(object)))
  return sizes.reduce((sum, size) => sum + Math.ceil(size / blockBytes) * blockBytes, 0)
}
