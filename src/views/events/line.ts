export interface EventLine {
  story: string | null
  text: string
  /** What somebody who watches wants to see; the rest is for the log. */
  notable: boolean
}

export const note = (story: string | null, text: string): EventLine => ({ story, text, notable: true })
export const quiet = (story: string | null, text: string): EventLine => ({ story, text, notable: false })
