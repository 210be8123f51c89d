import { never } from '../../std/never.ts'
import { plainText } from '../../std/text/plain-text.ts'
import type { Block, Card, Document } from './document.ts'
import { style } from './style.ts'

/** One page that stands alone: no script, nothing fetched, and what others wrote is only ever text. */
export function html({ title, result, tone, lead, facts, sections, foot }: Document): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="word ${tone}">${text(result)}</p>
<h1>${text(title)}</h1>
<p class="lead">${text(lead)}</p>
</header>
<dl class="facts">
${facts.map(([label, value]) => `<div><dt>${text(label)}</dt><dd>${text(value)}</dd></div>`).join('\n')}
</dl>
<main>
${sections.map((section) => `<section>\n<h2>${text(section.title)}</h2>\n${section.blocks.map(block).join('\n')}\n</section>`).join('\n')}
</main>
<footer>${text(foot)}</footer>
</body>
</html>
`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const longest = 20_000

function text(raw: string): string {
  const cut = raw.length > longest ? `${raw.slice(0, longest)}…` : raw
  return plainText(cut).replace(/[&<>"']/g, (one) => entities[one]!)
}

function block(one: Block): string {
  switch (one.kind) {
    case 'text':
      return `<p>${text(one.text)}</p>`
    case 'quote':
      return `<blockquote>${text(one.text)}</blockquote>`
    case 'list':
      return list(one.items)
    case 'moments':
      return `<ol class="moments">\n${one.items.map(({ at, text: what }) => `<li><time>${text(at)}</time><span>${text(what)}</span></li>`).join('\n')}\n</ol>`
    case 'cards':
      return `<div class="cards">\n${one.cards.map(card).join('\n')}\n</div>`
    case 'table':
      return table(one)
    default:
      return never(one)
  }
}

const list = (items: string[]): string => `<ul>\n${items.map((item) => `<li>${text(item)}</li>`).join('\n')}\n</ul>`

function card({ title, word, tone, lines, items }: Card): string {
  return `<article class="card ${tone}">
<h3>${text(title)} <span class="word ${tone}">${text(word)}</span></h3>
${lines.map((line) => `<p>${text(line)}</p>`).join('\n')}
${items.length === 0 ? '' : list(items)}
</article>`
}

function table({ columns, figures, rows }: Extract<Block, { kind: 'table' }>): string {
  const from = columns.length - figures
  const mark = (index: number): string => (index >= from ? ' class="figure"' : '')
  const head = columns.map((name, index) => `<th${mark(index)}>${text(name)}</th>`).join('')
  const row = (cells: string[]): string =>
    `<tr>${cells.map((cell, index) => `<td${mark(index)}>${text(cell)}</td>`).join('')}</tr>`
  return `<div class="wide"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.map(row).join('\n')}\n</tbody>\n</table></div>`
}
