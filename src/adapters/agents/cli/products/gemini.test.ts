import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Json } from '../../json.ts'
import { geminiChat, geminiReader } from './gemini.ts'

function read(...lines: Json[]) {
  const reader = geminiReader()
  return { events: lines.flatMap((line) => reader.read(line)), told: reader.told() }
}

const say = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true })
const stats = {
  ...{ total_tokens: 3057, input_tokens: 3006, output_tokens: 36, cached: 306, input: 2700 },
  models: { 'gemini-2.5-flash': { total_tokens: 57 }, 'gemini-2.5-pro': { total_tokens: 3000 } },
}
const init = { type: 'init', session_id: 's1', model: 'auto' }
const usage = { inputTokens: 3006, outputTokens: 51, cachedTokens: 306 }

describe('the events of gemini', () => {
  it('tell the session, whole texts, the tools and what was used, thoughts included', () => {
    const { events, told } = read(
      init,
      { type: 'message', role: 'user', content: 'TASK' },
      ...[say('I will u'), say('se a tool.')],
      { type: 'tool_use', tool_name: 'run_shell_command', tool_id: 't1', parameters: { command: 'npm test' } },
      { type: 'tool_result', tool_id: 't1', status: 'error', output: 'x'.repeat(3_000) },
      { type: 'tool_use', tool_name: 'write_file', tool_id: 't2', parameters: { file_path: '/a', content: 'b' } },
      { type: 'tool_result', tool_id: 't2', status: 'success' },
      ...[say('All '), say('done.')],
      { type: 'result', status: 'success', stats },
    )
    expect(events).toEqual([
      { type: 'session', session: 's1' },
      { type: 'text', text: 'I will use a tool.' },
      { type: 'tool-started', id: 't1', name: 'run_shell_command', detail: 'npm test' },
      { type: 'tool-ended', id: 't1', ok: false, output: `${'x'.repeat(2_000)}…` },
      { type: 'tool-started', id: 't2', name: 'write_file', detail: '/a' },
      { type: 'tool-ended', id: 't2', ok: true, output: null },
      { type: 'text', text: 'All done.' },
      { type: 'usage', usage },
    ])
    expect(told).toEqual({
      ...{ ending: { ok: true }, session: 's1', text: 'All done.', usd: null, model: 'gemini-2.5-pro', usage },
    })
  })

  it('tell half a text of a turn that was cut off, and no end', () => {
    expect(read(init, say('Half a wo')).told).toMatchObject({ ending: null, text: 'Half a wo', usage: null })
  })

  it.each([
    ['[API Error: {"error":{"code":401,"message":"no","status":"X"}}]', 'auth', 401],
    ['[API Error: {"error":{"code":529,"message":"busy","status":"X"}}]', 'overloaded', 529],
    ['[API Error: API key not valid. (Status: INVALID_ARGUMENT)]', 'bad-request', 400],
    ['[API Error: no]\nPlease wait and try again later. To increase your limits, request', 'rate-limit', 429],
    [
      '[API Error: You have exhausted your daily quota on this model.]\nPlease wait and try again later.',
      'quota',
      null,
    ],
    ['[API Error: no such thing]', 'unknown', null],
  ])('fail with what the API said: %s', (message, kind, status) => {
    const { told } = read(init, { type: 'result', status: 'error', error: { type: 'unknown', message }, stats })
    expect(told).toMatchObject({ ending: { ok: false, error: { kind, status, message } }, usage })
  })

  it('tell when a limit ends, from when the result was written', () => {
    const message = '[API Error: You exceeded your quota. Please retry in 1h2m3.5s.]'
    const timestamp = '2026-11-16T00:00:00.000Z'
    const { told } = read({ type: 'result', timestamp, status: 'error', error: { message } })
    const resetsAt = Date.parse('2026-11-16T01:02:03.500Z')
    expect(told.ending).toMatchObject({ error: { resetsAt } })
  })

  it('fail with the error before a result that gives no reason', () => {
    const error = { type: 'error', severity: 'error', message: 'Model stream ended without a finish reason.' }
    const { told } = read(init, error, { type: 'result', status: 'error', stats })
    expect(told.ending).toMatchObject({ ok: false, error: { message: error.message } })
    expect(read(init, error, { type: 'result', status: 'success', stats }).told.ending).toEqual({ ok: true })
  })

  it.each<[string, Json]>([
    ['an unknown type', { type: 'telemetry', x: 1 }],
    ['no type', { hello: 'world' }],
    ['a session that is no text', { type: 'init', session_id: 7 }],
    ['a tool without an id', { type: 'tool_use', tool_name: null }],
    ['an end without an id', { type: 'tool_result', tool_id: {} }],
    ['a message without content', { type: 'message', role: 'assistant', content: null, delta: true }],
  ])('may be %s', (_, line) => {
    expect(read(line)).toMatchObject({ events: [], told: { ending: null, session: null, usage: null } })
  })

  it('may be a result with nothing in it, which is no success', () => {
    expect(read({ type: 'result' }).told.ending).toMatchObject({ ok: false, error: { kind: 'unknown' } })
    expect(read({ type: 'result', error: 'x', stats: [] }).told).toMatchObject({ usage: null })
  })
})

describe('the files of a session of gemini', () => {
  const answer = (id: string, more: Json) => ({
    ...{ id, type: 'gemini', content: 'x', model: 'gemini-2.5-pro' },
    ...{ tokens: { input: 1001, output: 11, cached: 101, thoughts: 5, tool: 0, total: 1017 }, ...more },
  })

  it('tell what its answers have used, each once', async () => {
    const home = mkdtempSync(join(tmpdir(), 'ropewalk-gemini-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const chats = join(home, '.gemini/tmp/ws/chats')
    mkdirSync(chats, { recursive: true })
    const lines = [
      answer('a', {}),
      answer('a', { toolCalls: [] }),
      { $set: {} },
      answer('b', {}),
      answer('c', { tokens: 1 }),
    ]
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\nno json\n`
    writeFileSync(join(chats, 'session-2026-11-16T00-33-11111111.jsonl'), text)
    const filed = { inputTokens: 2002, outputTokens: 32, cachedTokens: 202 }
    expect(await geminiChat({ home, session: '11111111-1111-4111-8111-111111111111' })).toEqual({
      ...{ usage: filed, model: 'gemini-2.5-pro', trouble: null, answered: true },
    })
    expect(await geminiChat({ home, session: '22222222-1111-4111-8111-111111111111' })).toBeNull()
    expect(await geminiChat({ home: join(home, 'none'), session: '11111111' })).toBeNull()
  })
})

const session = '17833cda-5b02-4fdc-8bf9-07728c5006ae'

async function chat(...entries: unknown[]) {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-chat-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const folder = join(home, '.gemini', 'tmp', 'project', 'chats')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'session-17833cda.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return await geminiChat({ home, session })
}

const asked = { id: 'u', type: 'user', content: 'do it' }
const says = (id: string, toolCalls: unknown[] = []) => ({
  ...{ id, type: 'gemini', model: 'm', toolCalls },
  tokens: { input: 10, output: 2, cached: 0, total: 12 },
})

describe('the chat of a session', () => {
  it.each([
    ['an answer', [asked, says('a')], true],
    ['a call of a tool', [asked, says('a', ['call'])], false],
    ['a question that has no answer yet', [asked, says('a'), asked], false],
    ['an answer, then something that nobody said', [asked, says('a'), { id: 'i', type: 'info' }], true],
    ['nothing', [], false],
  ])('ends with %s', async (_, entries, answered) => {
    expect(await chat(...entries)).toMatchObject({ answered })
  })
})
