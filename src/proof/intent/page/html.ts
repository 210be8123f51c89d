import { Parser } from 'htmlparser2'

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
