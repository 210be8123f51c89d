import { never } from '../../std/never.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import type { Block, Card, Document } from './document.ts'

const longest = 2_000

/** What others wrote is text: it makes no heading, link, picture or HTML. */
export function markdown({ title, result, lead, facts, sections, foot }: Document): string {
  return `${[
    `# ${text(title)}`,
    `**${text(capital(result))}.** ${text(lead)}`,
    table(
      ['', ''],
      0,
      facts.map(([label, value]) => [label, value]),
    ),
    ...sections.flatMap((section) => [`## ${text(section.title)}`, ...section.blocks.map(block)]),
    '---',
    text(foot),
  ].join('\n\n')}\n`
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function text(raw: string): string {
  return oneLine(raw, longest)
    .replace(/[\\`*_{}[\]<>|~#]/g, (one) => `\\${one}`)
    .replace(/&(?=[#a-z])/gi, '&amp;')
    .replace(/^(?=[-+=])|(?<=^\d+)(?=[.)](?: |$))/, '\\')
}

function block(one: Block): string {
  switch (one.kind) {
    case 'text':
      return text(one.text)
    case 'quote':
      return plainText(one.text)
        .split('\n')
        .map((line) => `> ${text(line)}`.trimEnd())
        .join('\n')
    case 'list':
      return list(one.items)
    case 'moments':
      return one.items.map(({ at, text: what }) => `- ${text(at)}: ${text(what)}`).join('\n')
    case 'cards':
      return one.cards.map(card).join('\n\n')
    case 'table':
      return table(one.columns, one.figures, one.rows)
    default:
      return never(one)
  }
}

const list = (items: string[]): string => items.map((item) => `- ${text(item)}`).join('\n')

function card({ title, word, lines, items }: Card): string {
  const head = `### ${text(title)}: ${text(word)}`
  const said = [...lines, ...items.map((item) => `Criterion: ${item}`)]
  return said.length === 0 ? head : `${head}\n\n${list(said)}`
}

function table(columns: string[], figures: number, rows: string[][]): string {
  const row = (cells: string[]): string => `| ${cells.join(' | ')} |`
  const rule = columns.map((_, index) => (index >= columns.length - figures ? '--:' : '---'))
  return [row(columns), row(rule), ...rows.map((cells) => row(cells.map(text)))].join('\n')
}
