/** How a child has ended, before anybody has judged it. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: Buffer
  stderr: string
  /** We have ended it ourselves: it had printed enough, or its time was over. */
  cut: boolean
  late: boolean
}
