import { describe, expect, it } from 'vitest'
import type { Json } from '../../json.ts'
import { type Dialect, messagesReader } from './messages.ts'

const claudeReads = (...lines: Json[]) => read({ cacheIsApart: true, namesCalls: true, isCumulative: false }, lines)
const qwenReads = (...lines: Json[]) => read({ cacheIsApart: false, namesCalls: false, isCumulative: true }, lines)

function read(dialect: Dialect, lines: Json[]) {
  const reader = messagesReader(dialect)
  return { events: lines.flatMap((line) => reader.read(line)), told: reader.told() }
}

const init = { type: 'system', subtype: 'init', session_id: 's1', model: 'claude-sonnet-4-5' }
const assistant = (content: unknown[], more: Json = {}): Json => ({
  type: 'assistant',
  message: {
    id: 'msg_1',
    model: 'claude-sonnet-4-5',
    content,
    usage: { input_tokens: 1801, cache_creation_input_tokens: 7, cache_read_input_tokens: 300, output_tokens: 1 },
  },
  parent_tool_use_id: null,
  session_id: 's1',
  ...more,
})
const result = (more: Json = {}): Json => ({
  ...{ type: 'result', subtype: 'success', is_error: false, api_error_status: null, terminal_reason: 'completed' },
  ...{ result: 'All done.', session_id: 's1', total_cost_usd: 9, queued_turn_count: 0 },
  usage: { input_tokens: 6306, cache_read_input_tokens: 900, output_tokens: 66 },
  model_usage_since_last_result: {
    'claude-sonnet-4-5': { inputTokens: 6306, outputTokens: 66, cacheReadInputTokens: 900, costUSD: 0.02 },
    'claude-haiku-4-5': { inputTokens: 10, outputTokens: 5, cacheReadInputTokens: 0, costUSD: 0.001 },
  },
  ...more,
})

describe('the messages of claude', () => {
  it('tell the session, the text, the thoughts and the tools', () => {
    const { events, told } = claudeReads(
      init,
      assistant([{ type: 'thinking', thinking: 'Hm.' }]),
      assistant([{ type: 'text', text: 'I run it.' }]),
      assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } }]),
      {
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ text: 'red' }] }] },
      },
    )
    const usage = { inputTokens: 2108, outputTokens: 1, cachedTokens: 300 }
    expect(events).toEqual([
      { type: 'session', session: 's1' },
      { type: 'model-asked' },
      { type: 'thinking', text: 'Hm.' },
      { type: 'usage', usage },
      { type: 'text', text: 'I run it.' },
      { type: 'usage', usage },
      { type: 'tool-started', id: 't1', name: 'Bash', detail: 'npm test' },
      { type: 'usage', usage },
      { type: 'tool-ended', id: 't1', ok: false, output: 'red' },
    ])
    expect(told).toMatchObject({
      ending: null,
      session: 's1',
      text: 'I run it.',
      usage: null,
      model: 'claude-sonnet-4-5',
    })
  })

  it('end with what this turn alone has cost, all models together', () => {
    const { told } = claudeReads(init, assistant([{ type: 'text', text: 'x' }]), result())
    expect(told).toMatchObject({ ending: { ok: true }, text: 'All done.', usd: 0.021 })
    expect(told.usage).toEqual({ inputTokens: 7216, outputTokens: 71, cachedTokens: 900 })
  })

  it('go on when something is queued behind a result', () => {
    const { told } = claudeReads(result({ queued_turn_count: 1 }))
    expect(told.ending).toBeNull()
    expect(claudeReads(result({ queued_turn_count: 1 }), result()).told).toMatchObject({
      ending: { ok: true },
      usd: 0.042,
    })
  })

  it('tell each call of the model once, and that there were as many as it may make', () => {
    const call = (id: string, text: string) => ({
      type: 'assistant',
      message: { id, content: [{ type: 'text', text }] },
    })
    const { events, told } = claudeReads(call('m1', 'a'), call('m1', 'b'), call('m2', 'c'), {
      ...{ type: 'result', subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' },
      errors: ['Reached maximum number of turns (2)'],
    })
    expect(events.filter(({ type }) => type === 'model-asked')).toHaveLength(2)
    expect(told.ending).toMatchObject({ ok: false, error: { kind: 'turns', message: expect.stringContaining('(2)') } })
  })

  it('leave out what agents within it say, but not what they do', () => {
    const inner = assistant(
      [
        { type: 'text', text: 'inner' },
        { type: 'tool_use', id: 't2', name: 'Read', input: { file_path: '/a' } },
      ],
      { parent_tool_use_id: 't1' },
    )
    const { events, told } = claudeReads(inner)
    expect(events.map(({ type }) => type)).toEqual(['session', 'model-asked', 'tool-started', 'usage'])
    expect(told.text).toBe('')
  })

  it('fail although the subtype is success', () => {
    const failure = { is_error: true, terminal_reason: 'api_error', model_usage_since_last_result: {} }
    const { told } = claudeReads(
      result({
        ...failure,
        api_error_status: 429,
        api_error_type: 'rate_limit_error',
        result: 'API Error: Request rejected (429) · fake: too many requests',
      }),
    )
    expect(told.ending).toMatchObject({ ok: false, error: { kind: 'rate-limit', status: 429 } })
    expect(claudeReads(result({ ...failure, api_error_status: 529 })).told.ending).toMatchObject({
      error: { kind: 'overloaded' },
    })
  })

  it('fail with the errors they list', () => {
    const errors = ['No conversation found with session ID: 2']
    const line = { type: 'result', subtype: 'error_during_execution', is_error: true, errors }
    expect(claudeReads(line).told.ending).toMatchObject({ ok: false, error: { message: errors[0], kind: 'unknown' } })
  })

  it.each([{ is_error: undefined }, { terminal_reason: 'max_turns' }, { subtype: 'error_max_turns' }])(
    'are not fine with %j',
    (more) => {
      expect(claudeReads(result(more)).told.ending).toMatchObject({ ok: false })
    },
  )

  it('tell retries and limits', () => {
    const { events } = claudeReads(
      { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 1, retry_delay_ms: 522, error_status: 429 },
      { type: 'rate_limit_event', status: 'rejected', resetsAt: 1893456000, rateLimitType: 'five_hour' },
      { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1893456000 } },
      { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 1893456000 } },
    )
    expect(events).toEqual([
      { type: 'retry', attempt: 1, status: 429, delayMs: 522 },
      { type: 'limit', resetsAt: 1893456000_000 },
      { type: 'limit', resetsAt: 1893456000_000 },
    ])
  })

  it('change nothing by words about errors', () => {
    const words = 'API Error: 429 rate_limit_error. Please run /login. 401 insufficient_quota'
    const { told } = claudeReads(assistant([{ type: 'text', text: words }]), result({ result: words }))
    expect(told).toMatchObject({ ending: { ok: true }, text: words })
  })

  it('are not what the program says in the place of the model', () => {
    const notice = {
      ...assistant([{ type: 'text', text: 'API Error: 400 fake' }]),
      is_api_error_message: true,
      message: { model: '<synthetic>', content: [{ type: 'text', text: 'API Error: 400 fake' }] },
    }
    expect(claudeReads(init, notice)).toMatchObject({
      events: [{ type: 'session' }],
      told: { text: '', model: 'claude-sonnet-4-5' },
    })
  })

  it.each([
    {},
    { type: 'assistant' },
    { type: 'assistant', message: 'x' },
    { type: 'assistant', message: { content: [null, 7, { type: 'tool_use' }, { type: 'text', text: {} }] } },
    { type: 'user', message: { content: 'text' } },
    { type: 'user', message: { content: [{ type: 'tool_result' }] } },
    { type: 'rate_limit_event' },
    { type: 'system', subtype: 7 },
    { type: ['result'] },
  ])('may be anything: %j', (line) => {
    expect(claudeReads(line)).toMatchObject({ events: [], told: { ending: null } })
  })
})

describe('the messages of qwen', () => {
  const call = (id: string, input: number) => ({
    type: 'assistant',
    session_id: 's2',
    parent_tool_use_id: null,
    message: { id, model: 'fake-model', content: [], usage: { input_tokens: input, output_tokens: 24 } },
  })
  const end = {
    ...{ type: 'result', subtype: 'success', session_id: 's2', is_error: false, result: 'All done.' },
    usage: { input_tokens: 4215, output_tokens: 75, cache_read_input_tokens: 600, total_tokens: 4290 },
  }

  it('count what came from the cache as input', () => {
    expect(qwenReads(call('a', 0), call('b', 1204), end).told).toMatchObject({
      ending: { ok: true },
      usage: { inputTokens: 4215, outputTokens: 75, cachedTokens: 600 },
      usd: null,
      model: 'fake-model',
    })
  })

  it('tell the same sum again in each last word, and never a smaller one', () => {
    const more = { ...end, usage: { input_tokens: 5500, output_tokens: 90, cache_read_input_tokens: 600 } }
    const usage = { inputTokens: 5500, outputTokens: 90, cachedTokens: 600 }
    expect(qwenReads(end, more, more).told.usage).toEqual(usage)
    expect(qwenReads(more, { ...end, is_error: true, usage: {} }).told.usage).toEqual(usage)
  })

  it('have the sum of their calls while there is no end', () => {
    const { events, told } = qwenReads(call('a', 1204), call('b', 1405))
    expect(told.usage).toBeNull()
    expect(events.at(-1)).toEqual({
      type: 'usage',
      usage: { inputTokens: 2609, outputTokens: 48, cachedTokens: 0 },
    })
  })

  it.each([
    ['[API Error: 401 fake: invalid api key]', 'auth', 401],
    ['[API Error: 404 The model `no-such-model` does not exist.]', 'model', 404],
    ['[API Error: Overloaded]', 'overloaded', null],
    ['[API Error: terminated (cause: UND_ERR_SOCKET: other side closed)]', 'network', null],
  ])('fail with the status in their error: %s', (message, kind, status) => {
    const line = { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message } }
    expect(qwenReads(line).told.ending).toMatchObject({ ok: false, error: { kind, status } })
  })

  it('tell retries', () => {
    expect(qwenReads({ type: 'system', subtype: 'retry', attempt: 2, delayMs: 60_000 }).events).toEqual([
      { type: 'retry', attempt: 2, status: null, delayMs: 60_000 },
    ])
  })
})
