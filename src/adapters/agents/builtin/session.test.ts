import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Message } from './model/api.ts'
import { charsIn, messagesOf, openSessionFile, type SessionEntry, shortenBefore } from './session.ts'

const call = (id: string) => ({
  type: 'tool-call' as const,
  toolCallId: id,
  toolName: 'shell',
  input: { command: 'ls' },
})
const entries: SessionEntry[] = [
  { kind: 'user', text: 'größer' },
  { kind: 'assistant', content: [{ type: 'text', text: 'I look.' }, call('1'), call('2')] },
  { kind: 'tool', id: '1', ok: true, output: 'a' },
  { kind: 'tool', id: '2', ok: false, output: 'b' },
  { kind: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
]

const home = () => mkdtempSync(join(tmpdir(), 'agent-session-'))
const fileIn = (folder: string) => join(folder, 'sessions', 'one.jsonl')
const open = (folder: string) => openSessionFile({ home: folder, session: 'one', resume: false })!

describe('a session', () => {
  it('is what was added to it, in another process too', () => {
    const folder = home()
    for (const entry of entries) open(folder).add(entry)
    expect(open(folder).entries).toEqual(entries)
  })

  it('must be there to go on with', () => {
    const folder = home()
    expect(openSessionFile({ home: folder, session: 'one', resume: true })).toBeNull()
    open(folder).add(entries[0]!)
    expect(openSessionFile({ home: folder, session: 'one', resume: true })?.entries).toEqual(entries.slice(0, 1))
  })

  it('can be gone on with wherever its writing was cut off', () => {
    const whole = home()
    for (const entry of entries) open(whole).add(entry)
    const bytes = readFileSync(fileIn(whole))
    const folder = home()
    open(folder).add(entries[0]!)
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(fileIn(folder), bytes.subarray(0, length))
      const found = open(folder)
      expect(entries.slice(0, found.entries.length)).toEqual(found.entries)
      expect(unanswered(messagesOf(found.entries))).toEqual([])
      found.add({ kind: 'user', text: 'go on' })
      expect(open(folder).entries.at(-1)).toEqual({ kind: 'user', text: 'go on' })
    }
  })

  it('says of a call without an answer that it was interrupted', () => {
    const messages = messagesOf([...entries.slice(0, 3), { kind: 'user', text: 'go on' }])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(JSON.stringify(messages[2])).toContain('Interrupted')
  })

  it('is shortened by its older outputs, and stays so', () => {
    const long = (id: string): SessionEntry[] => [
      { kind: 'assistant', content: [call(id)] },
      { kind: 'tool', id, ok: true, output: `${id}${'x'.repeat(1000)}` },
    ]
    const history = [entries[0]!, ...['a', 'b', 'c', 'd'].flatMap(long)]
    const before = shortenBefore(history, 3000)
    expect(before).not.toBeNull()
    const shorter: SessionEntry[] = [...history, { kind: 'shortened', before: before! }]
    expect(charsIn(shorter)).toBeLessThan(charsIn(history))
    const sent = JSON.stringify(messagesOf(shorter))
    expect(['a', 'b', 'c', 'd'].filter((id) => sent.includes(`${id}xxx`))).toEqual(['d'])
    expect(sent).toContain('an earlier output of 1001 characters, left out')
    expect(unanswered(messagesOf(shorter))).toEqual([])
    expect(shortenBefore(shorter, charsIn(shorter) * 2)).toBeNull()
  })
})

function unanswered(messages: Message[]): string[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : (content as Part[])))
  const answers = parts.filter(({ type }) => type === 'tool-result').map(({ toolCallId }) => toolCallId)
  return parts
    .filter(({ type, toolCallId }) => type === 'tool-call' && !answers.includes(toolCallId))
    .map(({ toolCallId }) => toolCallId!)
}

type Part = { type: string; toolCallId?: string }
