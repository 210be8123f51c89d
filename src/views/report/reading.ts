/** Where a reader of a diff should look first, and why. */
export interface DiffReading {
  score: number
  /** Highest first. */
  files: { path: string; score: number; reasons: string[] }[]
  /** Of the change as a whole. */
  reasons: string[]
}

export interface StoryReading extends DiffReading {
  story: string
}

/** The files that something speaks for. */
export const readFirst = ({ files }: DiffReading): DiffReading['files'] => files.filter(({ score }) => score > 0)
