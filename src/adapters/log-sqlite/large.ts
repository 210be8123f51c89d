import type { DeliveryEvent } from '../../delivery/events.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { TerminalError } from '../../ports/errors.ts'
import { canonical } from '../../std/hash.ts'

// Events over 64 KiB live in the blob store. Their row keeps the envelope and a short form, so that lists stay fast.

const inlineBytes = 64 * 1024
const shortChars = 1024

/** An event's text, and what its row keeps of it. */
export interface Payload {
  text: string
  /** Digest and short form of a large one. */
  large: { digest: string; short: string } | null
}

/** A large event is in the blob store, and synced, when this returns. */
export async function kept(event: DeliveryEvent, blobs: Blobs): Promise<Payload> {
  const text = canonical(event)
  if (text.length <= inlineBytes / 3 || Buffer.byteLength(text) <= inlineBytes) return { text, large: null }
  return { text, large: { digest: await blobs.put(text), short: shortForm(text) } }
}

/** The `record` column. */
export function recordOf(envelope: string, { text, large }: Payload): string {
  return large === null ? `${envelope}\n${text}` : `@${large.digest}\n${envelope}\n${large.short}`
}

/** The text that the hash covers; null when its blob, or the row itself, is gone or damaged. */
export async function wholeEvent(record: unknown, blobs: Blobs): Promise<string | null> {
  if (isPlain(record)) return record
  if (typeof record !== 'string') return null
  const [mark = '', envelope = ''] = record.split('\n', 2)
  const content = await found(mark.slice(1), blobs)
  if (content === null) return null
  return `${envelope}\n${Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8')}`
}

async function found(digest: string, blobs: Blobs): Promise<Uint8Array | null> {
  try {
    return await blobs.get(digest)
  } catch (error) {
    if (error instanceof TerminalError) return null
    throw error
  }
}

/** The text with the long strings of a large event cut; null when even that was too long to keep. */
export function short(record: unknown): string | null {
  if (isPlain(record)) return record
  if (typeof record !== 'string') return null
  const text = record.slice(record.indexOf('\n') + 1)
  return text.endsWith('\n') ? null : text
}

/** Whether the row holds the whole event. A damaged row may hold anything. */
export const isPlain = (record: unknown): record is string => typeof record === 'string' && !record.startsWith('@')

function shortForm(payload: string): string {
  const text = JSON.stringify(cutStrings(JSON.parse(payload)))
  return Buffer.byteLength(text) <= inlineBytes ? text : ''
}

function cutStrings(value: unknown): unknown {
  if (typeof value === 'string' && value.length > shortChars)
    return `${value.slice(0, shortChars)}… (cut here: ${value.length} characters)`
  if (Array.isArray(value)) return value.map(cutStrings)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutStrings(inner)]))
}
