import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileBlobs } from '../../src/adapters/blobs-files/blobs.ts'
import type { Blobs } from '../../src/ports/blobs.ts'
import { TerminalError } from '../../src/ports/errors.ts'

let home: string
let blobs: Blobs
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ropewalk-blobs-'))
  blobs = fileBlobs(home)
})
afterEach(() => rm(home, { recursive: true, force: true }))

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
const pathOf = (digest: string): string => join(home, 'blobs', digest.slice(0, 2), digest)
const asText = async (digest: string): Promise<string> => Buffer.from((await blobs.get(digest))!).toString()

describe('blobs in files', () => {
  it('are found by their SHA-256, as text or bytes, once', async () => {
    const digest = await blobs.put('größe')
    expect(digest).toBe(sha256('größe'))
    expect(await asText(digest)).toBe('größe')
    const bytes = new Uint8Array([0, 255, 10, 13])
    expect(Buffer.from((await blobs.get(await blobs.put(bytes)))!)).toEqual(Buffer.from(bytes))
    expect(await blobs.put('größe')).toBe(digest)
    expect(await asText(await blobs.put(''))).toBe('')
  })

  it('are 0600, and nothing unfinished is left', async () => {
    const digest = await blobs.put('secret')
    expect((await stat(pathOf(digest))).mode & 0o777).toBe(0o600)
    expect(await readdir(join(home, 'blobs'))).toEqual([digest.slice(0, 2)])
  })

  it('that are not there are null; a damaged one is named, never passed on', async () => {
    expect(await blobs.get('0'.repeat(64))).toBeNull()
    const digest = await blobs.put('whole')
    await writeFile(pathOf(digest), 'whol')
    await expect(blobs.get(digest)).rejects.toThrow(/damaged/)
    await blobs.put('whole')
    expect(await asText(digest)).toBe('whole')
  })

  it('are never looked for outside their folder', async () => {
    await expect(blobs.get('../../../etc/passwd')).rejects.toThrow()
  })

  it('cannot be made of a file that is gone', async () => {
    await expect(blobs.importFile(join(home, 'nothing'))).rejects.toBeInstanceOf(TerminalError)
  })
})

it('are made of a spool as it is, however long', async () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0]), Buffer.alloc(3_000_000, 'x')])
  await writeFile(join(home, 'spool'), bytes)
  expect(await blobs.importFile(join(home, 'spool'))).toEqual({ digest: sha256(bytes), bytes: bytes.length })
  expect((await blobs.get(sha256(bytes)))?.length).toBe(bytes.length)
})
