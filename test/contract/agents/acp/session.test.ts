import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../../src/ports/agent-driver.ts'
import { byHand, called, playOptions, playScript, said } from './stage.ts'

const options = [
  {
    id: 'model',
    category: 'model',
    type: 'select',
    currentValue: 'small',
    options: [{ value: 'small' }, { value: 'large' }],
  },
]
const grouped = [{ ...options[0], options: [{ group: 'all', options: [{ value: 'large' }] }] }]
const modes = { currentModeId: 'default', availableModes: [{ id: 'default' }, { id: 'yolo' }] }
const models = { currentModelId: 'small', availableModels: [{ modelId: 'small' }, { modelId: 'large' }] }
const told = (heard: { method?: string; params?: unknown }[], method: string) =>
  heard.filter((message) => message.method === method).map(({ params }) => params)

function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((open) => {
    resolve = open
  })
  return { promise, resolve }
}

describe('the environment', () => {
  it.each([
    ['gemini', true],
    ['qwen', false],
  ])('of %s has what keeps it from starting twice, if it would', async (name, isKept) => {
    const { events } = await playOptions(called(name, { turn: [{ say: 'Hello.' }] }))
    const [started] = events as [Extract<AgentEvent, { type: 'started' }>]
    expect(started.environment.includes('GEMINI_CLI_NO_RELAUNCH')).toBe(isKept)
  })
})

describe('the session', () => {
  it('is opened without a word about files and terminals, and with the wish to hear of failures', async () => {
    const { result, events, heard, turn } = await playScript({ turn: [{ say: 'Hello.' }] })
    expect(told(heard, 'initialize')).toEqual([
      {
        protocolVersion: 1,
        clientInfo: expect.objectContaining({ name: 'ropewalk' }),
        clientCapabilities: {
          fs: { readTextFile: false, writeTextFile: false },
          _meta: { jetbrains: { air: { version: 1, capabilities: ['sessionFailure'] } } },
        },
      },
    ])
    expect(told(heard, 'session/new')).toEqual([{ cwd: turn.workspace, mcpServers: [] }])
    expect(told(heard, 'session/prompt')).toEqual([
      { sessionId: 'session-1', prompt: [{ type: 'text', text: turn.prompt }] },
    ])
    expect(events[1]).toEqual({ type: 'session', session: 'session-1' })
    expect(result).toMatchObject({ status: 'finished', session: 'session-1', text: 'Hello.' })
  })

  it('is on record before the agent is prompted', async () => {
    const { promise, resolve } = gate()
    const order: string[] = []
    const onEvent = async (event: AgentEvent): Promise<void> => {
      if (event.type === 'text') order.push('prompted')
      if (event.type !== 'session') return
      await promise
      order.push('recorded')
    }
    const running = playScript({ turn: [{ say: 'Hello.' }] }, { onEvent })
    setTimeout(resolve, 500)
    await running
    expect(order).toEqual(['recorded', 'prompted'])
  })

  it.each(['replay', 'lateReplay'])('is gone on with, and its past is not counted (%s)', async (when) => {
    const past = [
      { update: { ...said('Long ago.'), _meta: { usage: { inputTokens: 900, outputTokens: 9 } } } },
      { update: { sessionUpdate: 'tool_call', toolCallId: 'old', kind: 'edit', title: 'old', status: 'completed' } },
      { update: { sessionUpdate: 'usage_update', used: 5, size: 9, cost: { amount: 2, currency: 'USD' } } },
    ]
    const now = { sessionUpdate: 'usage_update', used: 6, size: 9, cost: { amount: 2.5, currency: 'USD' } }
    const script = { [when]: past, turn: [{ say: 'Now.' }, { update: now }] }
    const { result, events, heard } = await playScript(script, { session: 'session-9' })
    expect(told(heard, 'session/load')).toEqual([expect.objectContaining({ sessionId: 'session-9' })])
    expect(told(heard, 'session/new')).toEqual([])
    expect(result).toMatchObject({ status: 'finished', session: 'session-9', text: 'Now.', spent: { usd: 0.5 } })
    expect(result.spent.usage).toEqual({ inputTokens: 3, outputTokens: 2, cachedTokens: 0 })
    expect(events.filter(({ type }) => type === 'tool-started' || type === 'text')).toEqual([
      { type: 'text', text: 'Now.' },
    ])
  })

  it.each([
    { loaded: { error: { code: -32002, message: 'Resource not found' } } },
    { loaded: { error: { code: -32603, message: 'Internal error', data: { details: 'no such session' } } } },
    { capabilities: { loadSession: false } },
  ])('that is not known any more is told as that', async (script) => {
    const { result, heard } = await playScript(script, { session: 'session-9' })
    expect(result).toMatchObject({ status: 'failed', error: { kind: 'session' } })
    expect(told(heard, 'session/prompt')).toEqual([])
  })

  it('is not given up because its agent is not signed in', async () => {
    const { result } = await playScript(
      { loaded: { error: { code: -32000, message: 'Authentication required' } } },
      { session: 'session-9' },
    )
    expect(result.error).toMatchObject({ kind: 'auth', status: 401 })
  })

  it('is opened with the sign-in that an agent has, where it wants to be told so', async () => {
    const opened = [{ error: { code: -32000, message: 'Authentication required' } }, {}]
    const script = { hello: { authMethods: [{ id: 'cursor_login' }] }, opened }
    const { result, heard } = await playOptions(called('cursor', script))
    expect(told(heard, 'authenticate')).toEqual([{ methodId: 'cursor_login' }])
    expect(result.status).toBe('finished')
    expect((await playScript({ ...script, opened: opened.slice(0, 1) })).result.error?.kind).toBe('auth')
  })
})

describe('the mode', () => {
  it('is the one that never asks when everything is allowed', async () => {
    const { heard } = await playScript({ opened: { modes } }, { onPermission: () => 'allow' })
    expect(told(heard, 'session/set_mode')).toEqual([{ sessionId: 'session-1', modeId: 'yolo' }])
  })

  it('is the one that asks when not everything is allowed', async () => {
    const opened = { modes: { ...modes, currentModeId: 'yolo' } }
    const may = ({ kind }: { kind: string }) => (kind === 'execute' ? 'ask' : 'allow')
    const { heard } = await playOptions(called('qwen', { opened }), { onPermission: may })
    expect(told(heard, 'session/set_mode')).toEqual([{ sessionId: 'session-1', modeId: 'default' }])
  })

  it('is left alone where the agent has none of them, or has it already', async () => {
    const plan = { modes: { currentModeId: 'plan', availableModes: [{ id: 'plan' }] } }
    expect(told((await playScript({ opened: plan })).heard, 'session/set_mode')).toEqual([])
    const yolo = { modes: { ...modes, currentModeId: 'yolo' } }
    const { heard } = await playScript({ opened: yolo }, { onPermission: () => 'allow' })
    expect(told(heard, 'session/set_mode')).toEqual([])
  })

  it('may be an option, and it is no harm when it is refused', async () => {
    const configOptions = [
      { id: 'allow_all', type: 'select', currentValue: 'off', options: [{ value: 'on' }, { value: 'off' }] },
    ]
    const script = {
      opened: { configOptions },
      others: { 'session/set_config_option': { error: { code: -32602, message: 'no' } } },
    }
    const { heard, result } = await playScript(script, { onPermission: () => 'allow' })
    expect(told(heard, 'session/set_config_option')).toEqual([
      { sessionId: 'session-1', configId: 'allow_all', value: 'on' },
    ])
    expect(result.status).toBe('finished')
  })
})

describe('the model', () => {
  it.each([{ configOptions: options }, { configOptions: grouped }])('is chosen by an option', async (opened) => {
    const { heard, result } = await playScript({ opened }, { model: 'large' })
    expect(told(heard, 'session/set_config_option')).toEqual([
      { sessionId: 'session-1', configId: 'model', value: 'large' },
    ])
    expect(result.spent.model).toBe('large')
  })

  it('is chosen as it was before there were options', async () => {
    const { heard } = await playScript({ opened: { models } }, { model: 'large' })
    expect(told(heard, 'session/set_model')).toEqual([{ sessionId: 'session-1', modelId: 'large' }])
  })

  it('is an argument where the agent is known to take it so', async () => {
    const { heard, events } = await playOptions(called('qwen'), { model: 'large' })
    expect(heard.map(({ method }) => method)).toEqual(['initialize', 'session/new', 'session/prompt'])
    expect(events[0]).toMatchObject({ type: 'started', command: expect.arrayContaining(['--model', 'large']) })
  })

  it.each([{ configOptions: options }, { models }, {}])('that cannot be had fails the turn', async (opened) => {
    const { heard, result } = await playScript({ opened }, { model: 'huge' })
    expect(result).toMatchObject({
      status: 'failed',
      error: { kind: 'model', message: expect.stringContaining('huge') },
    })
    expect(told(heard, 'session/prompt')).toEqual([])
  })

  it('is told when nobody has chosen', async () => {
    expect((await playScript({ opened: { configOptions: options } })).result.spent.model).toBe('small')
    expect((await playScript({ opened: { models } })).result.spent.model).toBe('small')
    expect((await playOptions(byHand())).result.spent.model).toBeNull()
  })
})
