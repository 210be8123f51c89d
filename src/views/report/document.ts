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
  | {
      kind: 'table'
      columns: string[] /** Of these columns, so many at the end hold figures. */
      figures: number
      rows: string[][]
    }

export interface Card {
  title: string
  word: string
  tone: Tone
  lines: string[]
  items: string[]
}
