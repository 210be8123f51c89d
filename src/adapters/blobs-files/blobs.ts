import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '../../ports/blobs.ts'
import { TerminalError } from '../../ports/errors.ts'
import { invariant } from '../../std/never.ts'

/** Large things in `<home>/blobs/ab/<digest>`, each 0600 and synced before its digest is told. */
export function fileBlobs(home: string): Blobs {
  const folder = join(home, 'blobs')
  return {
    put: async (content) => (await store(folder, [Buffer.from(content)])).digest,
    get: (digest) => load(folder, digest),
    importFile: (path) => store(folder, piecesOf(path)),
  }
}

/** Opened when it is read, and not before. */
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

interface Stored {
  digest: string
  bytes: number
}

/** Written under another name, synced, then renamed: what has its digest as its name is whole. */
async function store(folder: string, pieces: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Stored> {
  const temporary = join(folder, `${randomBytes(12).toString('hex')}.writing`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const stored = await write(temporary, pieces)
    await settle(folder, temporary, stored.digest)
    return stored
  } catch (error) {
    throw translated(error, folder)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function write(path: string, pieces: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Stored> {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of pieces) {
      hash.update(piece)
      bytes += piece.length
      await file.appendFile(piece)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { digest: hash.digest('hex'), bytes }
}

async function settle(folder: string, temporary: string, digest: string): Promise<void> {
  const home = join(folder, digest.slice(0, 2))
  const made = await mkdir(home, { recursive: true, mode: 0o700 })
  await rename(temporary, join(home, digest))
  await syncFolder(home)
  if (made !== undefined) await syncFolder(folder)
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

function translated(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new TerminalError(`disk full: nothing was kept in ${folder}`, 'free some space, then resume the delivery')
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new TerminalError(
      `cannot write to ${folder}: it is read-only`,
      'make it writable, or point ROPEWALK_HOME at a folder that is',
    )
  if (code === 'ENOENT')
    return new TerminalError(
      `a file to be kept in ${folder} is gone: ${(error as Error).message}`,
      'look for what removed it, then retry',
    )
  return error
}
