// A report before it has a form: the same blocks become Markdown and HTML.

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
export type TableBlock = { kind: 'table'; columns: string[]; figures: number; rows: string[][] }

export interface Card {
  title: string
  word: string
  tone: Tone
  lines: string[]
  items: string[]
}

export const tableBlock = (columns: string[], figures: number, rows: (string | number)[][]): TableBlock => ({
  ...{ kind: 'table', columns, figures, rows: rows.map((cells) => cells.map(String)) },
})

/** Nothing where there is nothing to show. */
export const tableBlocks = (columns: string[], figures: number, rows: (string | number)[][]): Block[] =>
  rows.length === 0 ? [] : [tableBlock(columns, figures, rows)]
export const listBlocks = (items: string[]): Block[] => (items.length === 0 ? [] : [{ kind: 'list', items }])
