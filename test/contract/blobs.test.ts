import { createHash } from 'node:crypto'
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
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
    await expect(blobs.importFile(join(home, 'nothing'), String)).rejects.toBeInstanceOf(TerminalError)
  })
})

describe('the import of a spool', () => {
  const imported = async (content: string, redact: (text: string) => string): Promise<string> => {
    await writeFile(join(home, 'spool'), content)
    const { digest, bytes } = await blobs.importFile(join(home, 'spool'), redact)
    const text = await asText(digest)
    expect(bytes).toBe(Buffer.byteLength(text))
    expect(digest).toBe(sha256(text))
    return text
  }
  const hide = (text: string): string => text.replaceAll('hunter2', '***')

  it('redacts what is stored and leaves the spool alone', async () => {
    expect(await imported('a hunter2\nb\n', hide)).toBe('a ***\nb\n')
    expect(await readFile(join(home, 'spool'), 'utf8')).toContain('hunter2')
    expect(await imported('', hide)).toBe('')
  })

  it('tears no secret apart, wherever the pieces are cut, in short lines and in endless ones', async () => {
    for (const line of ['größe hunter2 and more\n', 'größe hunter2 and more, ']) {
      const content = line.repeat(200_000)
      const pieces: number[] = []
      const text = await imported(content, (piece) => {
        pieces.push(piece.length)
        return hide(piece)
      })
      expect(text === hide(content)).toBe(true)
      expect(pieces.length).toBeGreaterThan(3)
      expect(Math.max(...pieces)).toBeLessThan(2_000_000)
    }
  })

  it('tears no key block apart', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${`${'A'.repeat(64)}\n`.repeat(40)}-----END PRIVATE KEY-----\n`
    const block = /-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----/g
    const text = await imported(key.repeat(2000), (piece) => piece.replaceAll(block, '[key]'))
    expect(text === '[key]\n'.repeat(2000)).toBe(true)
  })

  it('reads a line without any place to cut in bounded pieces', async () => {
    const spool = await open(join(home, 'spool'), 'w')
    for (let i = 0; i < 50; i++) await spool.write('x'.repeat(1_000_000))
    await spool.close()
    let longest = 0
    const { bytes } = await blobs.importFile(join(home, 'spool'), (piece) => {
      longest = Math.max(longest, piece.length)
      return piece
    })
    expect(bytes).toBe(50_000_000)
    expect(longest).toBeLessThan(2_000_000)
  })
})
