import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Json } from '../../json.ts'
import { copilotReader, copilotSession } from './copilot.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ropewalk-copilot-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function read(...lines: Json[]) {
  const reader = copilotReader({ usageFile: '/nowhere/usage.json' })
  return { events: lines.flatMap((line) => reader.read(line)), told: reader.told() }
}

const line = (type: string, data: Json) => ({ type, data, id: 'e1', timestamp: '2026-11-16T00:40:39.580Z' })
const refused = (retryAttempt: number, more: Json) => line('model.call_failure', { retryAttempt, ...more })
const result = (exitCode: unknown) => ({ type: 'result', sessionId: 's1', exitCode, usage: { premiumRequests: 0 } })
const used = { inputTokens: 3006, outputTokens: 36, cacheReadTokens: 306, cacheWriteTokens: 0, reasoningTokens: 15 }

describe('the events of copilot', () => {
  it('tell the text, the thoughts, the tools, and at the end the session', () => {
    const { events, told } = read(
      line('session.mcp_servers_loaded', { servers: [] }),
      line('assistant.message_delta', { messageId: 'm1', deltaContent: 'I will u' }),
      line('assistant.message', { messageId: 'm1', model: 'gpt', content: 'I will use a tool.', toolRequests: [] }),
      line('assistant.reasoning', { content: 'Hm.' }),
      line('tool.execution_start', { toolCallId: 'c1', toolName: 'bash', arguments: { command: 'npm test' } }),
      line('tool.execution_complete', {
        ...{ toolCallId: 'c1', success: true, shellExecution: { exitCode: 1 } },
        result: { content: 'red\n', detailedContent: 'red\n' },
      }),
      line('tool.execution_start', { toolCallId: 'c2', toolName: 'create', arguments: { path: '/a', file_text: 'b' } }),
      line('tool.execution_complete', { toolCallId: 'c2', success: false, error: { message: 'exists' } }),
      line('assistant.message', { content: 'Done.', toolRequests: [] }),
      line('assistant.message', { content: '', toolRequests: [{}] }),
      result(0),
    )
    expect(events).toEqual([
      { type: 'text', text: 'I will use a tool.' },
      { type: 'thinking', text: 'Hm.' },
      { type: 'tool-started', id: 'c1', name: 'bash', detail: 'npm test' },
      { type: 'tool-ended', id: 'c1', ok: false, output: 'red\n' },
      { type: 'tool-started', id: 'c2', name: 'create', detail: '/a' },
      { type: 'tool-ended', id: 'c2', ok: false, output: 'exists' },
      { type: 'text', text: 'Done.' },
    ])
    expect(told).toEqual({
      ...{ ending: { ok: true }, session: 's1', text: 'Done.', usage: null, usd: null, model: 'gpt' },
    })
  })

  it('tell each call that failed, and the third time that it is refused', () => {
    const failure = { statusCode: 429, errorMessage: '{"message":"slow down","type":"rate_limit","code":null}' }
    const twice = read(refused(0, failure), refused(1, failure))
    expect(twice).toMatchObject({ told: { ending: null } })
    expect(twice.events).toEqual([
      { type: 'retry', attempt: 1, status: 429, delayMs: 0 },
      { type: 'retry', attempt: 2, status: 429, delayMs: 0 },
    ])
    const { told } = read(refused(0, failure), refused(1, failure), refused(2, failure))
    expect(told.ending).toMatchObject({ ok: false, error: { kind: 'rate-limit', status: 429 } })
  })

  it('may come after calls that failed: then it has got over it', () => {
    const { told } = read(refused(0, { statusCode: 529 }), line('assistant.message', { content: 'Hi' }), result(0))
    expect(told.ending).toEqual({ ok: true })
  })

  it.each([
    [{ statusCode: 401, message: 'Authentication failed' }, { statusCode: 401 }, 'auth'],
    [{ statusCode: 404, message: "Model 'x' not found on provider" }, { statusCode: 404 }, 'model'],
    [{ statusCode: 400, message: '400 no' }, { statusCode: 400 }, 'bad-request'],
    [{ statusCode: 429, message: '429 no' }, { errorMessage: '{"code":"insufficient_quota"}' }, 'quota'],
    [{ message: 'Last error: in-stream failure' }, { errorMessage: '{"type":"server_error"}' }, 'overloaded'],
    [{ message: 'Last error: error reading a body from connection: unexpected EOF' }, {}, 'network'],
  ])('fail with the status and with what the API said: %j', (error, before, kind) => {
    const { told } = read(refused(0, before), line('session.error', error), result(1))
    expect(told.ending).toMatchObject({ ok: false, error: { kind, message: expect.stringContaining(error.message) } })
  })

  it('never end well after an error, nor with an exit code that is not 0', () => {
    const error = line('session.error', { message: '529 Overloaded', statusCode: 529 })
    expect(read(error, result(0)).told.ending).toMatchObject({ ok: false, error: { status: 529 } })
    expect(read(result(0), error).told.ending).toMatchObject({ ok: false, error: { status: 529 } })
    expect(read(result(1)).told.ending).toMatchObject({ ok: false, error: { kind: 'unknown' } })
    expect(read(result(undefined)).told.ending).toMatchObject({ ok: false })
  })

  it.each([line('abort', { reason: 'user_initiated' }), line('agent.interrupted', { activity: 'model_call' })])(
    'have no last word when it was told to stop: %j',
    (stop) => {
      expect(read(stop, line('assistant.idle', { aborted: true }), result(0)).told).toMatchObject({
        ...{ ending: null, session: 's1' },
      })
    },
  )

  it.each<[string, Json]>([
    ['an unknown type', line('session.background_tasks_changed', {})],
    ['no type', { data: {} }],
    ['data that are none', { type: 'assistant.message', data: 'x' }],
    ['a tool without an id', line('tool.execution_start', { toolName: 1 })],
    ['an end without an id', { type: 'tool.execution_complete' }],
  ])('may be %s', (_, odd) => {
    expect(read(odd)).toMatchObject({ events: [], told: { ending: null, session: null } })
  })
})

describe('what copilot writes', () => {
  it('is at its end the totals of the session, of all its models', () => {
    const usageFile = join(folder(), 'usage.json')
    const reader = copilotReader({ usageFile })
    reader.read(result(0))
    expect(reader.told().usage).toBeNull()
    const modelMetrics = { small: { usage: { inputTokens: 1, outputTokens: 1 } }, big: { usage: used }, odd: null }
    writeFileSync(usageFile, JSON.stringify({ modelMetrics }))
    const usage = { inputTokens: 3007, outputTokens: 37, cachedTokens: 306 }
    expect(reader.told()).toMatchObject({ usage, model: 'big' })
    writeFileSync(usageFile, '{"modelMetrics": "none"')
    expect(reader.told().usage).toBeNull()
  })

  it('is a record of each call in the file of the session', async () => {
    const home = folder()
    mkdirSync(join(home, 'session-state/s1'), { recursive: true })
    const record = line('session.usage_record', { usage: { ...used, model: 'big' } })
    const lines = [line('session.start', {}), record, line('session.usage_record', { usage: 7 }), record]
    writeFileSync(join(home, 'session-state/s1/events.jsonl'), lines.map((entry) => JSON.stringify(entry)).join('\n'))
    const usage = { inputTokens: 6012, outputTokens: 72, cachedTokens: 612 }
    const filed = { usage, model: 'big', trouble: null }
    expect(await copilotSession({ home, session: 's1' })).toEqual(filed)
    expect(await copilotSession({ home, session: 's2' })).toBeNull()
  })
})
