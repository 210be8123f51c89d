/** The world hiccups: network, a busy lock. The engine tries again shortly, then parks the step. */
export class TransientError extends Error {
  override name = 'TransientError'
}

/** The world says no: bad credentials, repository gone, disk full. Recorded, and a human is asked. */
export class TerminalError extends Error {
  override name = 'TerminalError'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
