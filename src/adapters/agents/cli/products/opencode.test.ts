import { describe, expect, it } from 'vitest'
import type { Json } from '../../json.ts'
import { OpencodeReader } from './opencode.ts'

function read(...lines: Json[]) {
  const reader = new OpencodeReader()
  return { events: lines.flatMap((line) => reader.read(line)), told: reader.told() }
}

const main = 'ses_main'
const told = (type: string, part: Json) => ({ type, sessionID: main, part: { sessionID: main, ...part } })
const plugged = (type: string, more: Json = {}) => ({ type: `ropewalk_${type}`, sessionID: main, ...more })
const tokens = { total: 1014, input: 900, output: 7, reasoning: 5, cache: { write: 2, read: 102 } }
const step = (id: string, reason: string) => ({ id, type: 'step-finish', reason, tokens, cost: 0.0029106 })
const usage = (count: number) => ({
  ...{ inputTokens: 1004 * count, outputTokens: 12 * count, cachedTokens: 102 * count },
})
const tool = (callID: string, state: Json) => told('tool_use', { type: 'tool', tool: 'bash', callID, state })
const done = tool('c1', { status: 'completed', input: { command: 'ls' }, output: 'a\n', metadata: { exit: 0 } })

describe('the events of opencode', () => {
  it('tell the session, the text, the thoughts, the tools and what was used', () => {
    const { events, told: end } = read(
      told('step_start', { id: 'p1' }),
      told('reasoning', { text: 'Hm.' }),
      told('text', { text: 'I run it.' }),
      done,
      told('step_finish', step('p2', 'tool-calls')),
      told('step_start', { id: 'p3' }),
      told('text', { text: 'Done.' }),
      told('step_finish', step('p4', 'stop')),
    )
    expect(events).toEqual([
      { type: 'session', session: main },
      { type: 'model-asked' },
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'I run it.' },
      { type: 'tool-started', id: 'c1', name: 'bash', detail: 'ls' },
      { type: 'tool-ended', id: 'c1', ok: true, output: 'a\n' },
      { type: 'usage', usage: usage(1) },
      { type: 'model-asked' },
      { type: 'text', text: 'Done.' },
      { type: 'usage', usage: usage(2) },
    ])
    expect(end).toEqual({
      ...{ ending: { ok: true }, session: main, text: 'Done.', usage: usage(2), model: null },
      usd: expect.closeTo(0.0058212, 9),
    })
  })

  it('tell what a tool failed with', () => {
    expect(read(tool('c1', { status: 'error', input: {}, error: 'no such file' })).events).toContainEqual({
      ...{ type: 'tool-ended', id: 'c1', ok: false, output: 'no such file' },
    })
    expect(read(tool('c1', { status: 'completed', output: '', metadata: { exit: 2 } })).events).toContainEqual({
      ...{ type: 'tool-ended', id: 'c1', ok: false, output: '' },
    })
  })

  it('do not end while tools are called, nor with a step that begins', () => {
    expect(read(told('step_finish', step('p1', 'tool-calls'))).told.ending).toBeNull()
    expect(read(told('step_start', { id: 'p1' }), told('text', { text: 'Done.' })).told.ending).toBeNull()
  })

  it('fail when the model stopped before its end', () => {
    const { told: end } = read(told('step_finish', step('p1', 'length')))
    expect(end.ending).toMatchObject({ ok: false, error: { message: 'the model stopped: length' } })
  })

  it.each([
    [{ message: 'no', statusCode: 401 }, 'auth'],
    [{ message: 'no', statusCode: 404 }, 'model'],
    [{ message: 'no', statusCode: 529, isRetryable: true }, 'overloaded'],
    [{ message: 'no', statusCode: 429, responseBody: '{"error":{"code":"insufficient_quota"}}' }, 'quota'],
    [{ message: 'no', statusCode: 429, responseBody: 'no json' }, 'rate-limit'],
    [{ message: 'socket connection was closed' }, 'network'],
    [{}, 'unknown'],
  ])('fail with the status that an error tells: %j', (data, kind) => {
    const { told: end } = read({ type: 'error', sessionID: main, error: { name: 'APIError', data } })
    expect(end).toMatchObject({ ending: { ok: false, error: { kind } }, session: main })
  })

  it.each<[string, Json]>([
    ['an unknown type', { type: 'snapshot', part: 3 }],
    ['no type', { part: {} }],
    ['a step without an id', { type: 'step_finish', part: { tokens: 'many' } }],
    ['a tool without an id', { type: 'tool_use', part: { state: null } }],
    ['a part that is none', { type: 'step_finish', part: [] }],
    ['an unknown word of the plugin', { type: 'ropewalk_hello' }],
  ])('may be %s', (_, line) => {
    expect(read(line)).toMatchObject({ events: [], told: { ending: null, session: null, usage: null, usd: null } })
  })

  it('may be an error with nothing in it', () => {
    expect(read({ type: 'error' }).told.ending).toMatchObject({ ok: false, error: { kind: 'unknown' } })
  })
})

describe('what the plugin in opencode tells', () => {
  it('is the session at once, and a tool when it begins, also before the text that led to it', () => {
    const begun = plugged('tool', { callID: 'c1', tool: 'bash', args: { command: 'ls' } })
    const { events } = read(plugged('busy'), begun, told('text', { text: 'I run it.' }), done)
    expect(events).toEqual([
      { type: 'session', session: main },
      { type: 'tool-started', id: 'c1', name: 'bash', detail: 'ls' },
      { type: 'tool-ended', id: 'c1', ok: true, output: 'a\n' },
      { type: 'text', text: 'I run it.' },
    ])
  })

  it('is no second beginning, when it comes after the end of the tool', () => {
    const late = plugged('tool', { callID: 'c1', tool: 'bash', args: { command: 'ls' } })
    const types = read(late, done, late, told('text', { text: 'Done.' })).events.map(({ type }) => type)
    expect(types).toEqual(['session', 'tool-started', 'tool-ended', 'text'])
    expect(read(plugged('busy'), done, late).events.filter(({ type }) => type === 'tool-started')).toHaveLength(1)
  })

  it('is what sub-agents have used; their tools are a part of the tool that they are', () => {
    const sub = { sessionID: 'ses_sub' }
    const { events, told: end } = read(
      plugged('busy'),
      plugged('tool', { ...sub, callID: 'c9', tool: 'bash', args: {} }),
      plugged('step', { ...sub, part: { ...step('p1', 'stop'), ...sub } }),
      plugged('step', { part: step('p2', 'stop') }),
      told('step_finish', step('p2', 'stop')),
    )
    expect(events.map(({ type }) => type)).toEqual(['session', 'usage', 'usage'])
    expect(end).toMatchObject({ usage: usage(2), ending: null })
  })

  it('is the end, when it is idle after a last step', () => {
    const last = told('step_finish', step('p1', 'stop'))
    expect(read(plugged('busy'), last).told.ending).toBeNull()
    expect(read(plugged('busy'), last, plugged('idle')).told.ending).toEqual({ ok: true })
    expect(read(plugged('busy'), plugged('idle'), last).told.ending).toEqual({ ok: true })
    expect(read(plugged('busy'), plugged('idle', { sessionID: 'ses_sub' }), last).told.ending).toBeNull()
    expect(read(plugged('busy'), plugged('idle')).told.ending).toBeNull()
  })

  it('is each wait before it tries again, and the third time that it is refused', () => {
    const wait = (attempt: number) => plugged('retry', { attempt, status: 529, message: 'busy', delayMs: 2_000 })
    const twice = read(plugged('busy'), wait(1), wait(2))
    expect(twice.told.ending).toBeNull()
    expect(twice.events.at(-1)).toEqual({ type: 'retry', attempt: 2, status: 529, delayMs: 2_000 })
    expect(read(plugged('busy'), wait(3)).told.ending).toMatchObject({
      ...{ ok: false, error: { kind: 'overloaded', status: 529, resetsAt: null } },
    })
  })

  it('is a limit with its end, for which nobody waits here', () => {
    const wait = { attempt: 1, status: 429, message: 'slow down', delayMs: 3_600_000, next: 1_794_794_019_465 }
    const { events, told: end } = read(plugged('retry', wait))
    expect(events).toContainEqual({ type: 'limit', resetsAt: wait.next })
    expect(end.ending).toMatchObject({ error: { kind: 'rate-limit', status: 429, resetsAt: wait.next } })
  })

  it('is taken for passing when nobody knows what it is', () => {
    const { told: end } = read(plugged('retry', { attempt: 3, status: null, message: 'in-stream failure' }))
    expect(end.ending).toMatchObject({ error: { kind: 'overloaded', retryable: true } })
  })
})
