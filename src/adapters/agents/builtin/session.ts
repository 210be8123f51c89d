import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../std/json.ts'
import type { AssistantPart, Message, ToolCall } from './model/api.ts'

/** What has happened in a session, in order. One line of its file each. */
export type SessionEntry =
  | { kind: 'user'; text: string }
  | { kind: 'assistant'; content: AssistantPart[] }
  | { kind: 'tool'; id: string; ok: boolean; output: string }
  /** Long tool outputs before this entry are not sent any more. */
  | { kind: 'shortened'; before: number }

export type SessionFile = NonNullable<ReturnType<typeof openSessionFile>>

/**
 * A line is written when it is true, in one write, so a process that is killed leaves whole lines and at most half
 * of one, which is taken away. Null when it must be there and is not.
 */
export function openSessionFile({ home, session, resume }: { home: string; session: string; resume: boolean }) {
  const folder = join(home, 'sessions')
  const file = join(folder, `${session}.jsonl`)
  if (resume && !existsSync(file)) return null
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const entries = existsSync(file) ? recover(file) : []
  return {
    entries: entries as readonly SessionEntry[],
    add(entry: SessionEntry): void {
      appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
      entries.push(entry)
    },
  }
}

function recover(file: string): SessionEntry[] {
  const bytes = readFileSync(file)
  const entries: SessionEntry[] = []
  let good = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, good)) {
    const entry = entryOn(bytes.toString('utf8', good, end))
    if (entry === null) break
    entries.push(entry)
    good = end + 1
  }
  if (good < bytes.length) truncateSync(file, good)
  return entries
}

function entryOn(line: string): SessionEntry | null {
  const entry = parseJson(line) as SessionEntry | null
  return ['user', 'assistant', 'tool', 'shortened'].includes(entry?.kind ?? '') ? entry : null
}

const worthKeepingChars = 300

/** What the model is sent. Every call has an answer, also one whose answer was never written. */
export function messagesOf(entries: readonly SessionEntry[]): Message[] {
  const shortenedBefore = Math.max(0, ...entries.map((entry) => (entry.kind === 'shortened' ? entry.before : 0)))
  const outputs = new Map<string, { ok: boolean; text: string }>()
  for (const [at, entry] of entries.entries())
    if (entry.kind === 'tool')
      outputs.set(entry.id, { ok: entry.ok, text: at < shortenedBefore ? brief(entry.output) : entry.output })
  return entries.flatMap((entry): Message[] => {
    if (entry.kind === 'user') return [{ role: 'user', content: [{ type: 'text', text: entry.text }] }]
    if (entry.kind !== 'assistant' || entry.content.length === 0) return []
    const calls = callsIn(entry.content)
    const said: Message = { role: 'assistant', content: entry.content }
    if (calls.length === 0) return [said]
    return [said, { role: 'tool', content: calls.map((call) => resultOf(call, outputs.get(call.toolCallId))) }]
  })
}

export const callsIn = (content: { type: string }[]): ToolCall[] =>
  content.filter((part): part is ToolCall => part.type === 'tool-call')

/**
 * From which entry on outputs are kept so that the rest fits into half of what is allowed: not on every step anew,
 * because a changed beginning is not in the model's cache. Null when there is nothing to shorten.
 */
export function shortenBefore(entries: readonly SessionEntry[], maxChars: number): number | null {
  let kept = 0
  let at = entries.length
  while (at > 0 && kept + charsOf(entries[at - 1]!) <= maxChars / 2) kept += charsOf(entries[--at]!)
  const shorter = charsIn([...entries, { kind: 'shortened', before: at }])
  return shorter < charsIn(entries) ? at : null
}

export const charsIn = (entries: readonly SessionEntry[]): number => JSON.stringify(messagesOf(entries)).length

const charsOf = (entry: SessionEntry): number => JSON.stringify(entry).length

const brief = (output: string): string =>
  output.length <= worthKeepingChars ? output : `[an earlier output of ${output.length} characters, left out]`

const interrupted = {
  ok: false,
  text: 'Interrupted: this call was cut off. It may or may not have had an effect; look before you go on.',
}

type ToolMessage = Extract<Message, { role: 'tool' }>

function resultOf(call: ToolCall, given: { ok: boolean; text: string } | undefined): ToolMessage['content'][number] {
  const { ok, text } = given ?? interrupted
  return {
    type: 'tool-result',
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    output: { type: ok ? 'text' : 'error-text', value: text },
  }
}
