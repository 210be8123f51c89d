import { readableText } from './html.ts'

export interface PageBytes {
  /** As the server says, in small letters; empty: it does not say. */
  type: string
  charset: string | null
  bytes: Uint8Array
}

/** What somebody would read there: prose of a page, other texts as they are. Null: it is no text. */
export function pageText(page: PageBytes): string | null {
  const text = textOf(page)
  if (text === null || text.includes('\0')) return null
  return isHtml(page.type, text) ? readableText(text) : text
}

function textOf(page: PageBytes): string | null {
  const { type, bytes, charset } = page
  const isUnsaid = type === '' || type === 'application/octet-stream'
  if (!isUnsaid && !isTextual(type)) return null
  const named = markOf(bytes) ?? charset ?? charsetWithin(bytes)
  const strict = decoded(bytes, 'utf-8', true)
  if (isUnsaid && named === null) return strict
  return (named === null ? null : decoded(bytes, named, false)) ?? strict ?? decoded(bytes, 'windows-1252', false)
}

/** A drawing is text to machines only. */
const isTextual = (type: string): boolean =>
  type !== 'image/svg+xml' &&
  /^text\/|[/+.-](?:json|ndjson|json5|yaml|xml|toml|javascript|ecmascript|typescript|graphql|sql|sh|markdown|csv)$/.test(
    type,
  )

const isHtml = (type: string, text: string): boolean =>
  type === 'text/html' ||
  type === 'application/xhtml+xml' ||
  (!isTextual(type) && /^\s*<(?:!doctype html|html)\b/i.test(text))

/** The mark that some texts begin with. */
function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

/** As pages and XML say it in their first lines. */
function charsetWithin(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1')
  const said =
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head) ?? /^<\?xml[^>]+encoding=["']([\w.:-]+)/i.exec(head)
  return said?.[1] ?? null
}

/** Null: there is no such charset, or it is not written in it. Half a letter at the end is what was cut off. */
function decoded(bytes: Uint8Array, charset: string, fatal: boolean): string | null {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}
