import { describe, expect, it } from 'vitest'
import { called, playOptions, playScript, said } from './stage.ts'

const choices = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]
const toolCall = { toolCallId: 't1', kind: 'execute', title: 'Runs the tests', rawInput: { command: 'npm test' } }
const ask = { call: { method: 'session/request_permission', params: { sessionId: 's', toolCall, options: choices } } }
const request = { kind: 'execute', title: 'npm test' }
const answers = (heard: { result?: unknown }[]) => heard.flatMap(({ result }) => (result === undefined ? [] : [result]))
const chunk = (usage: object) => ({ update: { ...said('x'), _meta: { usage } } })
const withUsage = (usage: object) => ({ answer: { stopReason: 'end_turn', usage } })

describe('a permission', () => {
  it('is given once, and the turn goes on', async () => {
    const done = { sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed', rawOutput: 'all green' }
    const script = { turn: [ask, { update: done }, { say: 'Tested.' }] }
    const { heard, events, result } = await playScript(script, { onPermission: () => 'allow' })
    expect(answers(heard)).toEqual([{ outcome: { outcome: 'selected', optionId: 'yes' } }])
    expect(result).toMatchObject({ status: 'finished', text: 'Tested.' })
    expect(events.slice(2, 6)).toEqual([
      { type: 'tool-started', id: 't1', name: 'execute', detail: 'npm test' },
      { type: 'permission', request, answer: 'allow' },
      { type: 'tool-ended', id: 't1', ok: true, output: 'all green' },
      { type: 'text', text: 'Tested.' },
    ])
  })

  it('is refused, and the turn goes on', async () => {
    const { heard, events, result } = await playScript({ turn: [ask] }, { onPermission: () => 'deny' })
    expect(answers(heard)).toEqual([{ outcome: { outcome: 'selected', optionId: 'no' } }])
    expect(events).toContainEqual({ type: 'tool-ended', id: 't1', ok: false, output: null })
    expect(result.status).toBe('finished')
  })

  it.each([{ stubborn: false }, { stubborn: true }])('that only a human can give ends the turn', async (how) => {
    const { heard, result, events } = await playScript(
      { ...how, turn: [ask, ask, { hang: true }] },
      { onPermission: () => 'ask' },
    )
    expect(answers(heard)[0]).toEqual({ outcome: { outcome: 'cancelled' } })
    expect(heard).toContainEqual({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'session-1' } })
    expect(result).toMatchObject({ status: 'asked', error: null, session: 'session-1' })
    expect(result.question).toEqual({
      text: 'May it: npm test',
      options: ['allow', 'deny'],
      permission: request,
    })
    expect(events.filter(({ type }) => type === 'permission')).toHaveLength(1)
  })

  it('whose question has no fitting answer is cancelled', async () => {
    const params = { sessionId: 's', toolCall, options: [] }
    const script = { turn: [{ call: { method: 'session/request_permission', params } }] }
    const { heard } = await playScript(script, { onPermission: () => 'allow' })
    expect(answers(heard)).toEqual([{ outcome: { outcome: 'cancelled' } }])
  })

  it.each([
    [
      { kind: 'edit', title: 'Writes a.txt' },
      { kind: 'edit', title: 'Writes a.txt' },
    ],
    [{ title: 'Thinks' }, { kind: 'other', title: 'Thinks' }],
    [
      { kind: 'switch_mode', title: 'Plans' },
      { kind: 'other', title: 'Plans' },
    ],
    [
      { kind: 'execute', rawInput: { command: ['sh', '-c', 'ls'] } },
      { kind: 'execute', title: 'sh -c ls' },
    ],
    [{}, { kind: 'other', title: 'other' }],
  ])('says what it is about', async (call, expected) => {
    const params = { toolCall: { toolCallId: 't1', ...call }, options: choices }
    const { events } = await playScript({ turn: [{ call: { method: 'session/request_permission', params } }] })
    expect(events.find(({ type }) => type === 'permission')).toMatchObject({ request: expected })
  })

  it('is not asked for what the agent does before it is prompted', async () => {
    const { events, result } = await playScript({ replay: [ask] }, { session: 'session-1' })
    expect(events.filter(({ type }) => type === 'permission')).toEqual([])
    expect(result.status).toBe('finished')
  })
})

describe('a tool', () => {
  it('is told when it is known what it is to do', async () => {
    const tool = (more: object) => ({ update: { sessionUpdate: 'tool_call_update', toolCallId: 't1', ...more } })
    const turn = [
      { update: { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'bash', status: 'pending', rawInput: {} } },
      tool({ kind: 'execute', status: 'in_progress', rawInput: { command: 'ls' } }),
      tool({ status: 'failed', content: [{ type: 'content', content: { type: 'text', text: 'no such file' } }] }),
      tool({ status: 'completed' }),
    ]
    const { events } = await playScript({ turn })
    expect(events.filter(({ type }) => type.startsWith('tool'))).toEqual([
      { type: 'tool-started', id: 't1', name: 'execute', detail: 'ls' },
      { type: 'tool-ended', id: 't1', ok: false, output: 'no such file' },
    ])
  })

  it('stands between two calls of the model, of which only the last may be told', async () => {
    const tool = (toolCallId: string) => ({
      update: { sessionUpdate: 'tool_call', toolCallId, title: 'x', status: 'completed' },
    })
    const { result } = await playScript({
      turn: [
        { update: said('I look.') },
        tool('t1'),
        { update: said('And there.') },
        tool('t2'),
        { update: said('Done.') },
      ],
      ...withUsage({ inputTokens: 100, outputTokens: 7 }),
    })
    expect(result.spent).toMatchObject({ exact: false, usage: { inputTokens: 300, outputTokens: 21 } })
  })

  it('is waited for in silence', async () => {
    const tool = { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'waits', status: 'in_progress' }
    const { result } = await playScript({ turn: [{ update: tool }, { run: 'sleep 2' }] }, { idleTimeoutMs: 500 })
    expect(result.status).toBe('finished')
  })
})

it('tells what is said and thought in whole lines, and keeps what was said last', async () => {
  const thought = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } }
  const tool = { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'reads', kind: 'read', status: 'completed' }
  const { events, result } = await playScript({
    turn: [
      { update: thought },
      { say: 'One, ' },
      { say: 'two.\nThree' },
      { update: tool },
      { say: 'Do' },
      { say: 'ne.' },
    ],
  })
  const spoken = events.flatMap((event) => (event.type === 'text' || event.type === 'thinking' ? [event.text] : []))
  expect(spoken).toEqual(['Hm.', 'One, two.', 'Three', 'Done.'])
  expect(result.text).toBe('Done.')
})

describe('the end of a turn', () => {
  it.each([
    { answer: { stopReason: 'end_turn' } },
    { answer: { stopReason: 'end_turn', usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } } },
    { answer: { stopReason: 'end_turn', _meta: { quota: { token_count: { input_tokens: 0, output_tokens: 0 } } } } },
  ])('is not believed when no model was called', async ({ answer }) => {
    const { result } = await playScript({ turn: [{ say: '429 Too Many Requests' }], answer })
    expect(result).toMatchObject({
      status: 'failed',
      error: { kind: 'unknown', status: null, message: '429 Too Many Requests', retryable: false },
    })
  })

  it('is not believed for a full context alone', async () => {
    const context = { update: { sessionUpdate: 'usage_update', used: 8690, size: 9000 } }
    const tool = { update: { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'reads', status: 'completed' } }
    const answer = { stopReason: 'end_turn' }
    expect((await playScript({ turn: [context], answer })).result.error?.kind).toBe('unknown')
    expect((await playOptions(called('copilot', { turn: [context, tool], answer }))).result.error?.kind).toBe('unknown')
    // Of an agent that tells nothing else it has to do.
    const { result } = await playScript({ turn: [context, tool], answer })
    expect(result).toMatchObject({ status: 'finished', spent: { exact: false } })
  })

  it('is not believed when an agent is known to mark its errors, and has', async () => {
    const script = { turn: [{ say: 'Error: 400 the request is not valid' }] }
    expect((await playOptions(called('copilot', script))).result.error?.kind).toBe('unknown')
    expect((await playScript(script)).result.status).toBe('finished')
  })

  it('has the kind that its words tell only when no model can have said them', async () => {
    const turn = [{ say: 'Info: Trying again.' }, { say: 'Error: Authentication failed (HTTP 401).' }]
    const unused = called('copilot', { turn, answer: { stopReason: 'end_turn' } })
    expect((await playOptions(unused)).result.error).toMatchObject({ kind: 'auth', status: 401 })
    expect((await playOptions(called('copilot', { turn }))).result.error).toMatchObject({
      kind: 'unknown',
      status: null,
    })
    expect((await playScript({ turn, answer: { stopReason: 'end_turn' } })).result.error?.kind).toBe('unknown')
  })

  it('is a failure when an error follows it', async () => {
    const raw = '{"jsonrpc":"2.0","id":2,"error":{"code":529,"message":"Overloaded"}}\n'
    const overloaded = { status: 'failed', error: { kind: 'overloaded', status: 529 } }
    expect((await playScript({ afterwards: [{ raw }] })).result).toMatchObject(overloaded)
    const good = '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn","usage":{"inputTokens":1}}}\n'
    expect((await playScript({ turn: [{ raw: good + raw }] })).result).toMatchObject(overloaded)
  })

  it.each([
    ['refusal', 'bad-request'],
    ['max_tokens', 'unknown'],
    ['max_turn_requests', 'unknown'],
    ['something', 'unknown'],
  ])('by %s is a failure', async (stopReason, kind) => {
    const { result } = await playScript({ answer: { stopReason, usage: { inputTokens: 3, outputTokens: 2 } } })
    expect(result).toMatchObject({ status: 'failed', error: { kind } })
    expect(result.spent).toMatchObject({ exact: false, usage: { inputTokens: 3 } })
  })

  it.each([
    ['cancelled', 'aborted'],
    [undefined, 'unknown'],
  ])('by %s may leave out what a call was doing: it is reckoned', async (stopReason, kind) => {
    const { result } = await playScript({ answer: { stopReason, usage: { inputTokens: 3 } } })
    expect(result).toMatchObject({ status: 'failed', error: { kind }, spent: { exact: false } })
    expect(result.spent.usage.inputTokens).toBeGreaterThan(20_000)
  })

  it.each([
    [{ category: 'access' }, 'auth'],
    [{ category: 'limit', actions: ['retry'] }, 'rate-limit'],
    [{ category: 'limit', actions: [], title: 'usage limit reached' }, 'quota'],
    [{ category: 'limit', actions: ['new_session'] }, 'session'],
    [{ category: 'request' }, 'bad-request'],
    [{ category: 'service' }, 'overloaded'],
    [{ category: 'connection' }, 'network'],
    [{ category: 'unknown' }, 'unknown'],
  ])('may carry a failure beside it', async (failure, kind) => {
    const sessionFailure = { severity: 'error', title: 'It failed.', ...failure }
    const answer = {
      ...withUsage({ inputTokens: 3, outputTokens: 2 }).answer,
      _meta: { jetbrains: { air: { sessionFailure } } },
    }
    const { result } = await playScript({ answer })
    expect(result).toMatchObject({ status: 'failed', error: { kind, message: sessionFailure.title } })
  })

  it('is not spoilt by a warning', async () => {
    const air = { sessionFailure: { severity: 'warning', category: 'limit', title: 'Soon.' } }
    const answer = { stopReason: 'end_turn', usage: { inputTokens: 3, outputTokens: 2 }, _meta: { jetbrains: { air } } }
    expect((await playScript({ answer })).result.status).toBe('finished')
  })

  it('counts though the agent exits badly, or does not exit', async () => {
    expect((await playScript({ exitCode: 1 })).result).toMatchObject({ status: 'finished', exitCode: 1 })
    expect((await playScript({ stays: true })).result).toMatchObject({ status: 'finished' })
  })
})

describe('what was used', () => {
  it.each([
    [
      'the whole input',
      withUsage({ inputTokens: 10, outputTokens: 5, cachedReadTokens: 4, totalTokens: 15 }),
      [10, 5, 4],
    ],
    [
      'input beside the cache',
      withUsage({ inputTokens: 10, outputTokens: 5, cachedReadTokens: 4, cachedWriteTokens: 1, totalTokens: 20 }),
      [15, 5, 4],
    ],
    ['thought apart', withUsage({ inputTokens: 10, outputTokens: 5, thoughtTokens: 3, totalTokens: 18 }), [10, 8, 0]],
    ['thought within', withUsage({ inputTokens: 10, outputTokens: 5, thoughtTokens: 3, totalTokens: 15 }), [10, 5, 0]],
    [
      'a quota',
      { answer: { stopReason: 'end_turn', _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 1 } } } } },
      [7, 1, 0],
    ],
    [
      'pieces',
      {
        turn: [chunk({ inputTokens: 7, outputTokens: 1 }), chunk({ inputTokens: 8, outputTokens: 2 })],
        answer: { stopReason: 'end_turn' },
      },
      [15, 3, 0],
    ],
    ['nonsense', withUsage({ inputTokens: -5, outputTokens: 1, cachedReadTokens: 'many' }), [0, 1, 0]],
  ])('is read from %s', async (_, script, [inputTokens, outputTokens, cachedTokens]) => {
    const { result, events } = await playScript(script)
    const usage = { inputTokens, outputTokens, cachedTokens }
    expect(result).toMatchObject({ status: 'finished', spent: { usage, usd: null, exact: false } })
    expect(events).toContainEqual({ type: 'usage', usage })
  })

  it('has a price only when the agent knows one', async () => {
    const cost = (amount: number, currency = 'USD') => ({
      update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount, currency } },
    })
    expect((await playScript({ turn: [cost(0.5)] })).result.spent.usd).toBe(0.5)
    expect((await playScript({ turn: [cost(0)] })).result.spent.usd).toBeNull()
    expect((await playScript({ turn: [cost(0.5, 'EUR')] })).result.spent.usd).toBeNull()
    // What it has cost before is not known: nor is then what this turn has cost.
    expect((await playScript({ turn: [cost(0.5)] }, { session: 'session-1' })).result.spent.usd).toBeNull()
  })
})
