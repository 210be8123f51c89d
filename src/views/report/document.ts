import { never } from '../../std/never.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'

/** A report before it has a form: the same blocks become Markdown and HTML. */
export interface Document {
  title: string
  result: string
  tone: Tone
  lead: string
  facts: [label: string, value: string][]
  sections: ReportSection[]
  foot: string
}

export type Tone = 'good' | 'warn' | 'bad' | 'plain'

export interface ReportSection {
  title: string
  blocks: Block[]
}

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'quote'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'moments'; items: { at: string; text: string }[] }
  | { kind: 'cards'; cards: Card[] }
  | TableBlock

/** Of its columns, so many at the end hold figures. */
type TableBlock = { kind: 'table'; columns: string[]; figures: number; rows: string[][] }

export interface Card {
  title: string
  word: string
  tone: Tone
  lines: string[]
  items: string[]
}

/** Nothing where there is nothing to show, here and below. */
export const tableBlocks = (columns: string[], figures: number, rows: (string | number)[][]): Block[] =>
  rows.length === 0 ? [] : [{ kind: 'table', columns, figures, rows: rows.map((cells) => cells.map(String)) }]
export const listBlocks = (items: string[]): Block[] => (items.length === 0 ? [] : [{ kind: 'list', items }])
export const reportSection = (title: string, blocks: Block[]): ReportSection[] =>
  blocks.length === 0 ? [] : [{ title, blocks }]

/** What others wrote is text: it makes no heading, link, picture or HTML. */
export function markdown({ title, result, lead, facts, sections, foot }: Document): string {
  return `${[
    `# ${marked(title)}`,
    `**${marked(capital(result))}.** ${marked(lead)}`,
    markedTable({ columns: ['', ''], figures: 0, rows: facts }),
    ...sections.flatMap((section) => [`## ${marked(section.title)}`, ...section.blocks.map(markedBlock)]),
    '---',
    marked(foot),
  ].join('\n\n')}\n`
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const longestMarked = 2_000

function marked(raw: string): string {
  return oneLine(raw, longestMarked)
    .replace(/[\\`*_{}[\]<>|~#]/g, (one) => `\\${one}`)
    .replace(/&(?=[#a-z])/gi, '&amp;')
    .replace(/^(?=[-+=])|(?<=^\d+)(?=[.)](?: |$))/, '\\')
}

function markedBlock(one: Block): string {
  switch (one.kind) {
    case 'text':
      return marked(one.text)
    case 'quote':
      return plainText(one.text)
        .split('\n')
        .map((line) => `> ${marked(line)}`.trimEnd())
        .join('\n')
    case 'list':
      return markedList(one.items)
    case 'moments':
      return one.items.map(({ at, text }) => `- ${marked(at)}: ${marked(text)}`).join('\n')
    case 'cards':
      return one.cards.map(markedCard).join('\n\n')
    case 'table':
      return markedTable(one)
    default:
      return never(one)
  }
}

const markedList = (items: string[]): string => items.map((item) => `- ${marked(item)}`).join('\n')

function markedCard({ title, word, lines, items }: Card): string {
  const head = `### ${marked(title)}: ${marked(word)}`
  const said = [...lines, ...items.map((item) => `Criterion: ${item}`)]
  return said.length === 0 ? head : `${head}\n\n${markedList(said)}`
}

function markedTable({ columns, figures, rows }: Omit<TableBlock, 'kind'>): string {
  const row = (cells: string[]): string => `| ${cells.join(' | ')} |`
  const rule = columns.map((_, index) => (index >= columns.length - figures ? '--:' : '---'))
  return [row(columns), row(rule), ...rows.map((cells) => row(cells.map(marked)))].join('\n')
}

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
const longestTagged = 20_000

function text(raw: string): string {
  const cut = raw.length > longestTagged ? `${raw.slice(0, longestTagged)}…` : raw
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

/** Of the page: readable on a phone, a desk and paper, by day and by night. */
const style = `
:root { --ink: #1b1f24; --soft: #59636e; --page: #ffffff; --panel: #f6f8fa; --rule: #d8dee4;
  --good: #1a7f37; --warn: #8a5a00; --bad: #c0262d; --plain: #59636e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa4af; --page: #14181d; --panel: #1c2229;
  --rule: #343d47; --good: #4cc36b; --warn: #e0a83a; --bad: #ff7b72; --plain: #9aa4af; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 54rem; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }
h1 { margin: .5rem 0 .5rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; text-wrap: balance; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.15rem; }
h3 { margin: 0 0 .35rem; font-size: 1rem; }
p { margin: 0 0 .5rem; }
.lead { font-size: 1.1rem; color: var(--soft); }
.word { display: inline-block; margin: 0; padding: .1rem .6rem; border: 1px solid currentColor; border-radius: 1rem;
  font-size: .8rem; font-weight: 600; white-space: nowrap; }
h3 .word { margin-left: .35rem; padding: 0 .5rem; font-size: .72rem; vertical-align: 1px; }
.word.good { color: var(--good); } .word.warn { color: var(--warn); }
.word.bad { color: var(--bad); } .word.plain { color: var(--plain); }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1px; margin: 1.5rem 0 0;
  overflow: hidden; border: 1px solid var(--rule); border-radius: .6rem; background: var(--rule); }
.facts div { padding: .7rem .9rem; background: var(--panel); }
dt { color: var(--soft); font-size: .8rem; }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
.cards { display: grid; gap: .75rem; margin-bottom: .9rem; }
.card { padding: .9rem 1rem; border: 1px solid var(--rule); border-left: .25rem solid var(--plain); border-radius: .5rem;
  background: var(--panel); }
.card.good { border-left-color: var(--good); } .card.warn { border-left-color: var(--warn); }
.card.bad { border-left-color: var(--bad); }
.card p { margin: 0; color: var(--soft); font-size: .92rem; }
.card ul { margin: .5rem 0 0; font-size: .92rem; }
ul { padding-left: 1.2rem; margin: 0 0 .5rem; }
blockquote { margin: 0; padding: .9rem 1rem; border-radius: .5rem; background: var(--panel); white-space: pre-wrap; }
.moments { list-style: none; margin: 0; padding: 0; border-left: 2px solid var(--rule); }
.moments li { position: relative; display: grid; grid-template-columns: 10.5rem 1fr; gap: 0 1rem; padding: .2rem 0 .2rem 1rem; }
.moments li::before { content: ""; position: absolute; left: -5px; top: .75rem; width: 8px; height: 8px;
  border-radius: 50%; background: var(--soft); }
time { color: var(--soft); font-size: .88rem; line-height: 1.75; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .88rem; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top;
  overflow-wrap: normal; }
td:last-child { overflow-wrap: anywhere; min-width: 15rem; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td:first-child { white-space: nowrap; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; min-width: 0; }
td.figure:last-child { min-width: 0; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: .85rem; }
@media (max-width: 36rem) {
  body { padding-top: 1.5rem; }
  h1 { font-size: 1.4rem; }
  .facts { grid-template-columns: repeat(2, 1fr); }
  .facts div:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .moments li { grid-template-columns: 1fr; padding-bottom: .4rem; }
}
@media print {
  :root { --ink: #000; --soft: #444; --page: #fff; --panel: #fff; --rule: #bbb; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  th, td, td:first-child, td:last-child { min-width: 0; padding: .25rem .4rem; white-space: normal; }
  h2 { break-after: avoid; } .card, li, tr, .facts { break-inside: avoid; } .wide { overflow: visible; }
}
`
