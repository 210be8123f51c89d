import { unescaped } from './entities.ts'

/** The prose of a page, without what stands around it. One way through the text, whatever is wrong with its marks. */
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

interface Prose {
  pieces: string[]
  pre: boolean
}

function proseOf(html: string, left: ReadonlySet<string>): string {
  // Of other letters some would become longer.
  const small = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const prose: Prose = { pieces: [], pre: false }
  const opening = /<(?=\/?[a-z]|[!?])/g
  let at = 0
  for (let found = opening.exec(small); found !== null; found = opening.exec(small)) {
    say(prose, html.slice(at, found.index))
    const tag = tagAt(html, small, found.index)
    at = tag.end
    if (!tag.closes && raw.has(tag.name)) at = after(small, '>', after(small, `</${tag.name}`, at))
    else if (!tag.closes && left.has(tag.name)) at = afterElement(small, tag.name, at)
    else mark(prose, tag)
    opening.lastIndex = at
  }
  say(prose, html.slice(at))
  return tidied(prose.pieces.join(''))
}

interface Tag {
  /** Empty: it is none that is shown. */
  name: string
  closes: boolean
  text: string
  end: number
}

const named = /<(\/?)([a-z][a-z0-9-]*)/y

function tagAt(html: string, small: string, open: number): Tag {
  const end = small.startsWith('<!--', open) ? after(small, '-->', open + 4) : after(small, '>', open)
  named.lastIndex = open
  const [, slash, name = ''] = named.exec(small) ?? []
  return { name, closes: slash === '/', text: html.slice(open, end), end }
}

/** Just behind the next such text; what has no end goes on to the end. */
function after(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from)
  return found < 0 ? text.length : found + what.length
}

/** Behind the end of an element, which may hold others of its kind. */
function afterElement(small: string, name: string, from: number): number {
  const tags = new RegExp(`<(/?)${name}(?=[\\s/>])`, 'g')
  tags.lastIndex = from
  let depth = 1
  for (let tag = tags.exec(small); tag !== null; tag = tags.exec(small)) {
    depth += tag[1] === '/' ? -1 : 1
    if (depth === 0) return after(small, '>', tags.lastIndex)
  }
  return small.length
}

function say(prose: Prose, text: string): void {
  if (text === '') return
  const shown = unescaped(text)
  const isFirst = prose.pieces.at(-1)?.endsWith('\n') ?? true
  const flowing = shown.replace(/\s+/g, ' ')
  prose.pieces.push(prose.pre ? shown : isFirst ? flowing.trimStart() : flowing)
}

function mark(prose: Prose, { name, closes, text }: Tag): void {
  if (name === 'pre') prose.pre = !closes
  if (blocks.has(name)) prose.pieces.push('\n\n')
  else if (lines.has(name) && !(closes && name !== 'br')) prose.pieces.push('\n')
  if (closes) return
  const heading = name === 'title' ? 1 : Number(/^h([1-6])$/.exec(name)?.[1] ?? 0)
  if (heading > 0) prose.pieces.push(`${'#'.repeat(heading)} `)
  if (name === 'li') prose.pieces.push('- ')
  if (name === 'td' || name === 'th') prose.pieces.push(' | ')
  if (name === 'img') prose.pieces.push(alternative(text))
}

function alternative(tag: string): string {
  const alt = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag.slice(0, 2_000))
  const told = unescaped(alt?.[1] ?? alt?.[2] ?? '').trim()
  return told === '' ? '' : `[image: ${told}]`
}

const tidied = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
