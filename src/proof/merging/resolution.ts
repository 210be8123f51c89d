/** A file that both sides changed; `base` is null when both added it. */
export interface Texts {
  path: string
  base: string | null
  ours: string
  theirs: string
}

/** What rules make of it. A contradiction is declined, never guessed. */
export type Resolution = { status: 'merged'; text: string; by: Rule } | { status: 'declined'; because: string }

/** A format whose parser is not ours. */
export interface Format {
  merge: (texts: Texts) => Resolution
  parses: (text: string) => boolean
}

export interface Formats {
  yaml: Format
  toml: Format
}

export type Rule = 'structure' | 'union' | 'whitespace'

export const merged = (text: string, by: Rule): Resolution => ({ status: 'merged', text, by })
export const declined = (because: string): Resolution => ({ status: 'declined', because })
