import { linesFrom } from './lines.ts'

/** What opencode's log tells of some sessions since a time. */
export interface Logged {
  /** How many calls it made for itself, such as one for a title. */
  hidden: number
  /** The last refusal, in the words of the model's service. Its status is nowhere. */
  refusal: { at: number; message: string } | null
}

/** Refusals that it means to get over are only here: it tries again for minutes, and tells nobody. */
export async function loggedIn(file: string, { sessions, since }: { sessions: string[]; since: number }) {
  const logged: Logged = { hidden: 0, refusal: null }
  for await (const line of linesFrom(file)) {
    const at = Date.parse(/^timestamp=(\S+)/.exec(line)?.[1] ?? '')
    if (!(at >= since) || !sessions.includes(/ session\.id=(\S+)/.exec(line)?.[1] ?? '')) continue
    const isOwn = / small=true /.test(line)
    const words = / message="stream error" .* error\.error="(.*)"$/.exec(line)?.[1]
    if (isOwn && / message=stream /.test(line)) logged.hidden += 1
    if (!isOwn && words !== undefined) logged.refusal = { at, message: words.replaceAll('\\"', '"') }
  }
  return logged
}
