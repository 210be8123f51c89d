/** What a coder leaves for those who come after it. */
export interface Handoff {
  /** `partial`: notes, and what else could be read. `fallback`: nothing. */
  quality: 'full' | 'partial' | 'fallback'
  decisions: { what: string; why: string }[]
  rejected: { what: string; why: string }[]
  limitations: string[]
  tests: string[]
  files: string[]
  deviations: Deviation[]
  corrections: Correction[]
  /** Tests that were there before and had to change, as it maintains. */
  changedTests: ChangedTest[]
  /** Its own words, where it was not whole; with a whole one, those of a later round. */
  notes: string
}

/** Nothing was said. */
export const noHandoff: Handoff = {
  quality: 'fallback',
  decisions: [],
  rejected: [],
  limitations: [],
  tests: [],
  files: [],
  deviations: [],
  corrections: [],
  changedTests: [],
  notes: '',
}

/** Where the work is not what the plan says. */
export interface Deviation {
  from: string
  why: string
  material: boolean
}

export interface ChangedTest {
  test: string
  why: string
  /** What demands it. */
  criterion: string
}

/** An earlier assumption that the code proved wrong. */
export interface Correction {
  assumption: string
  fact: string
  evidence: string
}
