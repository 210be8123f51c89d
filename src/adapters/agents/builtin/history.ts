import type { Message, ToolCall } from './model/api.ts'
import type { SessionEntry } from './session.ts'

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
