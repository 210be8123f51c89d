import { Parser } from 'htmlparser2'

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

/** The prose of a page, without what stands around it, whatever is wrong with its marks. */
export function readableText(html: string): string {
  const prose = proseOf(html, around)
  // A page that is wrong about its own parts is taken as it is.
  return (prose.match(/\p{L}/gu)?.length ?? 0) >= 200 ? prose : proseOf(html, new Set())
}

/** Their text is for machines, or shown by none of those who read prose. */
const raw = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'object', 'textarea', 'select'])
/** Of every page of a site. */
const around = new Set(['nav', 'footer', 'aside', 'dialog'])

const blocks = new Set([
  ...['p', 'div', 'section', 'article', 'main', 'header', 'ul', 'ol', 'dl', 'table', 'blockquote', 'pre', 'form'],
  ...['figure', 'details', 'summary', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'title'],
])
const lines = new Set(['br', 'tr', 'li', 'dt', 'dd', 'option', 'figcaption'])

const openings: Record<string, string> = { title: '# ', li: '- ', td: ' | ', th: ' | ' }

/** Nobody nests that deep, and with each level the parser takes longer: what comes then is not read. */
const deepest = 2_000

function proseOf(html: string, left: ReadonlySet<string>): string {
  const pieces: string[] = []
  let [text, isCode, hidden, depth] = ['', false, 0, 0]
  const say = (): void => {
    const isFirst = pieces.at(-1)?.endsWith('\n') ?? true
    const flowing = text.replace(/\s+/g, ' ')
    if (text !== '') pieces.push(isCode ? text : isFirst ? flowing.trimStart() : flowing)
    text = ''
  }
  const parser = new Parser({
    ontext: (more) => {
      if (hidden === 0) text += more
    },
    onopentag: (name, { alt = '' }) => {
      say()
      depth += 1
      if (depth > deepest) parser.pause()
      if (hidden > 0 || raw.has(name) || left.has(name)) hidden += 1
      if (hidden > 0) return
      if (name === 'pre') isCode = true
      if (blocks.has(name) || lines.has(name)) pieces.push(blocks.has(name) ? '\n\n' : '\n')
      pieces.push(openings[name] ?? (/^h[1-6]$/.test(name) ? `${'#'.repeat(Number(name[1]))} ` : ''))
      if (name === 'img' && alt.trim() !== '') pieces.push(`[image: ${alt.trim()}]`)
    },
    onclosetag: (name) => {
      say()
      depth -= 1
      if (hidden > 0) hidden -= 1
      else if (blocks.has(name)) pieces.push('\n\n')
      if (name === 'pre') isCode = false
    },
  })
  parser.end(html)
  say()
  return tidied(pieces.join(''))
}

const tidied = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
