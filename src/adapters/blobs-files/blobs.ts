import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '../../ports/blobs.ts'
import { TerminalError } from '../../ports/errors.ts'
import { invariant } from '../../std/never.ts'
import { store } from './store.ts'

/** Large things in `<home>/blobs/ab/<digest>`, each 0600 and synced before its digest is told. */
export function fileBlobs(home: string): Blobs {
  const folder = join(home, 'blobs')
  return {
    put: async (content) => (await store(folder, [Buffer.from(content)])).digest,
    get: (digest) => load(folder, digest),
    importFile: (path) => store(folder, piecesOf(path)),
  }
}

async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path)
}

async function load(folder: string, digest: string): Promise<Uint8Array | null> {
  invariant(/^[0-9a-f]{64}$/.test(digest), `"${digest}" is a digest`)
  const path = join(folder, digest.slice(0, 2), digest)
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new TerminalError(`cannot read ${path}: ${error.message}`, 'check the disk and the rights on the file')
  })
  if (content !== null && createHash('sha256').update(content).digest('hex') !== digest)
    throw new TerminalError(`${path} is damaged: it is not what was stored`, 'restore it from a backup, or remove it')
  return content
}
