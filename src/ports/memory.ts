import type { CommitId, Instant } from '../delivery/ids.ts'

/**
 * What was learned about repositories, in the home. `recall` never fails: what is not there or cannot be read was not
 * learned. Whoever uses a fact says that it may be out of date: the files themselves count.
 */
export interface Memory {
  recall(repository: string): Promise<Remembered | null>
  keep(remembered: Remembered): Promise<void>
}

export interface Remembered {
  repository: string
  passes: Partial<Record<Pass, Learned>>
}

/** `static`: from the files. `history`: from the commits. `model`: by an agent that read them. */
export const passes = ['static', 'history', 'model'] as const
export type Pass = (typeof passes)[number]

export interface Learned {
  at: Instant
  commit: CommitId
  /** Hash of all that it was derived from: while it is the same there is nothing to learn anew. */
  inputs: string
  facts: Fact[]
}

/** One line, such as about `tests`: `beside the sources, *.test.ts`. */
export interface Fact {
  about: string
  text: string
}
