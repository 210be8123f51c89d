import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** As much of an answer's body as is wanted, unpacked piece by piece, so that little does not become much. Null: unknown packing. */
export async function bodyOf(
  answer: IncomingMessage,
  mostBytes: number,
): Promise<{ bytes: Uint8Array; whole: boolean } | null> {
  const packing = (answer.headers['content-encoding'] ?? '').trim().toLowerCase()
  const unpacker = unpackers.get(packing)
  if (unpacker === undefined) return null
  // What goes wrong on the way is thrown where the pieces are read.
  const body = unpacker === null ? answer : pipeline(answer, unpacker(), () => {})
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > mostBytes) break
  }
  return { bytes: Buffer.concat(pieces).subarray(0, mostBytes), whole: bytes <= mostBytes }
}

const unpackers = new Map<string, (() => NodeJS.ReadWriteStream) | null>([
  ['', null],
  ['identity', null],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])
