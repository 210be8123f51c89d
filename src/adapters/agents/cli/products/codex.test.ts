import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Json } from '../../json.ts'
import { codexReader, rolloutOf } from './codex.ts'

function read(...lines: Json[]) {
  const reader = codexReader()
  return { events: lines.flatMap((line) => reader.read(line)), told: reader.told() }
}

const command = (more: Json) => ({
  id: 'item_4',
  type: 'command_execution',
  command: "/bin/bash -lc 'npm test'",
  ...more,
})
const usage = { input_tokens: 5424, cached_input_tokens: 900, output_tokens: 84, reasoning_output_tokens: 0 }

describe('the events of codex', () => {
  it('tell the thread, the text, the thoughts and the tools', () => {
    const { events, told } = read(
      { type: 'thread.started', thread_id: 't1' },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'item_0', type: 'error', message: 'Model metadata for `x` not found.' } },
      { type: 'item.completed', item: { id: 'item_1', type: 'reasoning', text: 'Hm.' } },
      { type: 'item.completed', item: { id: 'item_2', type: 'agent_message', text: 'I run it.' } },
      { type: 'item.started', item: command({ exit_code: null, status: 'in_progress' }) },
      { type: 'item.completed', item: command({ aggregated_output: 'red\n', exit_code: 1, status: 'failed' }) },
      { type: 'item.completed', item: { id: 'item_5', type: 'web_search', query: 'dates' } },
      { type: 'item.completed', item: { id: 'item_6', type: 'todo_list', items: [] } },
      { type: 'turn.completed', usage },
    )
    expect(events).toEqual([
      { type: 'session', session: 't1' },
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'I run it.' },
      { type: 'tool-started', id: 'item_4', name: 'command_execution', detail: "/bin/bash -lc 'npm test'" },
      { type: 'tool-ended', id: 'item_4', ok: false, output: 'red\n' },
      { type: 'tool-started', id: 'item_5', name: 'web_search', detail: 'dates' },
      { type: 'tool-ended', id: 'item_5', ok: true, output: null },
    ])
    expect(told).toEqual({
      ...{ ending: { ok: true }, session: 't1', text: 'I run it.', usd: null, model: null },
      usage: { inputTokens: 5424, outputTokens: 84, cachedTokens: 900 },
    })
  })

  it.each([
    ['unexpected status 401 Unauthorized: fake: invalid api key, url: http://127.0.0.1:4711/v1/responses', 'auth', 401],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate-limit', 429],
    ['unexpected status 529 <unknown status code>: Overloaded, url: http://x', 'overloaded', 529],
    ['{"error":{"message":"fake","type":"invalid_request_error","code":null}}', 'bad-request', 400],
    ['The model `no-such-model` does not exist or you do not have access to it.', 'model', null],
    ['Quota exceeded. Check your plan and billing details.', 'quota', null],
    ['stream disconnected before completion: Overloaded', 'overloaded', null],
    ['stream disconnected before completion: Transport error: network error', 'network', null],
  ])('fail with the status in their text: %s', (message, kind, status) => {
    const { told } = read({ type: 'error', message }, { type: 'turn.failed', error: { message } })
    expect(told.ending).toMatchObject({ ok: false, error: { kind, status, message } })
  })

  it('go on after an error that is tried again', () => {
    const message = 'Reconnecting... 2/5 (unexpected status 529 <unknown status code>: Overloaded, url: http://x)'
    const { events, told } = read({ type: 'error', message })
    expect(events).toEqual([{ type: 'retry', attempt: 2, status: 529, delayMs: 0 }])
    expect(told.ending).toBeNull()
  })

  it('change nothing by words about errors', () => {
    const text = 'unexpected status 401, last status: 429, insufficient_quota'
    const item = { id: 'item_1', type: 'agent_message', text }
    expect(read({ type: 'item.completed', item }, { type: 'turn.completed', usage }).told).toMatchObject({
      ending: { ok: true },
      text,
    })
  })

  it.each([
    {},
    { type: 'item.completed' },
    { type: 'item.started', item: [] },
    { type: 'thread.started', thread_id: 7 },
    { type: 'error', message: {} },
    { type: 'turn' },
  ])('may be anything: %j', (line) => {
    expect(read(line)).toMatchObject({ events: [], told: { ending: null, session: null } })
  })
})

describe('the file of a thread', () => {
  const total = (tokens: number) => ({ input_tokens: tokens, cached_input_tokens: 1, output_tokens: 2 })
  const record = (tokens: number) => ({ type: 'token_usage_record', payload: { thread_token_usage: total(tokens) } })
  const count = (tokens: number) => ({
    type: 'event_msg',
    payload: { type: 'token_count', info: { total_token_usage: total(tokens) } },
  })

  function homeWith(...lines: unknown[]): string {
    const home = mkdtempSync(join(tmpdir(), 'ropewalk-codex-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const day = join(home, 'sessions/2026/11/16')
    mkdirSync(day, { recursive: true })
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    writeFileSync(join(day, 'rollout-2026-11-16T00-39-25-t1.jsonl'), text)
    return home
  }

  it('tells what was spent, from where it goes on counting, and with which model', async () => {
    const context = { type: 'turn_context', payload: { model: 'gpt-5' } }
    const home = homeWith(context, record(100), count(100), 'token_count', record(250))
    expect(await rolloutOf({ home, session: 't1' })).toEqual({
      usage: { inputTokens: 250, outputTokens: 2, cachedTokens: 1 },
      counted: { inputTokens: 100, outputTokens: 2, cachedTokens: 1 },
      model: 'gpt-5',
      trouble: null,
    })
  })

  it('is not there', async () => {
    expect(await rolloutOf({ home: homeWith(), session: 't2' })).toBeNull()
    expect(await rolloutOf({ home: '/nowhere', session: 't1' })).toBeNull()
  })
})
