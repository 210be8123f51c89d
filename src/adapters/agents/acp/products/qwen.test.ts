import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { qwenFiled } from './qwen.ts'

const event = (uiEvent: object) => ({ type: 'system', subtype: 'ui_telemetry', systemPayload: { uiEvent } })
const answered = (input: number, more = {}) =>
  event({
    ...{ 'event.name': 'qwen-code.api_response', model: 'qwen3-coder-plus', status_code: 200 },
    ...{ input_token_count: input, output_token_count: 20, cached_content_token_count: 300, ...more },
  })
const failed = (error_message: string, status_code?: number) =>
  event({ 'event.name': 'qwen-code.api_error', error_message, status_code })
const cut = failed('terminated (cause: UND_ERR_SOCKET: other side closed)')
const prompt = { type: 'user', message: { role: 'user', parts: [{ text: 'Go on.' }] } }

const since = Date.parse('2026-02-01')
const before = (entry: object) => ({ ...entry, timestamp: '2026-01-31T23:59:59.000Z' })

async function read(...entries: unknown[]) {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-qwen-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const chats = join(home, '.qwen/projects/-repo/chats')
  mkdirSync(chats, { recursive: true })
  writeFileSync(join(chats, 's1.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return await qwenFiled({ env: { HOME: home }, session: 's1', since })
}

describe('what qwen keeps of a session', () => {
  it('tells what each call has used, those of its own agents as well', async () => {
    const own = { subagent_name: 'managed-auto-memory-extractor' }
    expect(await read(prompt, answered(1201), { type: 'assistant' }, answered(1804, own))).toEqual({
      usage: { inputTokens: 3005, outputTokens: 40, cachedTokens: 600 },
      broken: 0,
      hidden: 0,
      context: 1824,
      trouble: null,
      whole: false,
    })
  })

  it.each([
    ['429 fake: too many requests', 429, 0],
    ['529 Overloaded', 529, 0],
    // In a stream that had begun.
    ['Overloaded', 529, 1],
    ['terminated (cause: UND_ERR_SOCKET: other side closed)', undefined, 1],
    ['Connection error. (cause: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1)', undefined, 0],
  ])(
    'tells of a call that may have cost something apart from one that was refused: %s',
    async (words, status, count) => {
      expect(await read(prompt, failed(words, status))).toMatchObject({
        broken: count,
        trouble: { status: status ?? null, message: words },
      })
    },
  )

  it('tells of calls that have no line of their own', async () => {
    const fetched = event({ 'event.name': 'qwen-code.tool_call', function_name: 'web_fetch' })
    const other = event({ 'event.name': 'qwen-code.tool_call', function_name: 'read_file' })
    expect(await read(fetched, other, { type: 'system', subtype: 'chat_compression' })).toMatchObject({ broken: 2 })
  })

  it('knows no trouble when something came after it', async () => {
    expect(await read(cut, answered(1))).toMatchObject({ broken: 1, trouble: null })
    expect(await read(cut, prompt)).toMatchObject({ broken: 1, trouble: null })
  })

  it('is counted from where a turn began', async () => {
    const past = [prompt, answered(9000), cut].map(before)
    expect(await read(...past, prompt, cut, answered(1402))).toMatchObject({
      usage: { inputTokens: 1402, outputTokens: 20, cachedTokens: 300 },
      broken: 1,
      context: 9020,
      trouble: null,
    })
    expect(await read(...past)).toMatchObject({ usage: { inputTokens: 0 }, broken: 0, trouble: null })
  })

  it('may be anything, or not there', async () => {
    expect(await read('x', 7, null, [], { systemPayload: { uiEvent: { 'event.name': 7 } } })).toMatchObject({
      broken: 0,
    })
    expect(await qwenFiled({ env: { HOME: '/nowhere' }, session: 's1', since })).toBeNull()
  })
})
