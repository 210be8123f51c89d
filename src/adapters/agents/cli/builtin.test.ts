import { describe, expect, it } from 'vitest'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import { builtinAgent, verdictOn } from './builtin.ts'
import type { CliStart } from './cli-agent.ts'

const agent = builtinAgent('/lib/agent-builtin.js')

function start(api: object, env: Record<string, string>, session: string | null = null): CliStart {
  const about = { model: 'm1', session, openAs: 'fresh', submit: null, modelTurns: null }
  const turn = { options: { api }, ...about } as unknown as AgentTurn
  return { turn, session: session ?? 'fresh', home: '/home/own', usageFile: '/none', env }
}

const toldTo = (given: CliStart) => JSON.parse(agent.args(given)[0] ?? '')

describe('the start of the built-in agent', () => {
  const keys = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', GOOGLE_GENERATIVE_AI_API_KEY: 'g', OTHER: 'x' }

  it('names the service, and opens a session or goes on with it', () => {
    const api = { type: 'compatible', url: 'http://localhost:8080', key: null }
    const told = { home: '/home/own', model: 'm1', submit: null, maxTurns: null, service: api }
    expect(toldTo(start(api, keys))).toEqual({ ...told, session: 'fresh', resume: false })
    expect(toldTo(start(api, keys, 's7'))).toEqual({ ...told, session: 's7', resume: true })
  })

  it.each([
    [{ type: 'anthropic' }, { ANTHROPIC_API_KEY: 'a' }],
    [{ type: 'openai', key: null }, { OPENAI_API_KEY: 'o' }],
    [{ type: 'google' }, { GOOGLE_GENERATIVE_AI_API_KEY: 'g' }],
    [{ type: 'openai', key: 'OTHER' }, { OTHER: 'x' }],
    [{ type: 'compatible' }, {}],
  ])('with %j it gets the one key it needs, by name', (api, given) => {
    expect(agent.environment(start(api, keys))).toEqual(given)
    expect(toldTo(start(api, keys)).service.key).toBe(Object.keys(given)[0] ?? null)
  })

  it('names the usual variable when no key is there', () => {
    expect(agent.environment(start({ type: 'google' }, {}))).toEqual({})
    expect(toldTo(start({ type: 'google' }, {})).service.key).toBe('GEMINI_API_KEY')
  })

  it('refuses settings that name no service', () => {
    expect(() => agent.args(start({ type: 'other' }, keys))).toThrow('the setting api is wrong')
  })
})

describe('what the built-in agent prints', () => {
  it('is read as it is', () => {
    const reader = agent.reader({ usageFile: '' })
    const usage = { inputTokens: 5, outputTokens: 2, cachedTokens: 1 }
    const events = [
      { type: 'session', session: 's1' },
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'well' },
      { type: 'tool-started', id: '1', name: 'shell', detail: 'ls' },
      { type: 'tool-ended', id: '1', ok: false, output: 'no' },
      { type: 'retry', attempt: 1, status: 400, delayMs: 0 },
      { type: 'limit', resetsAt: 7 },
      { type: 'usage', usage },
    ]
    expect(events.flatMap((line) => reader.read(line))).toEqual(events)
    expect(reader.told()).toMatchObject({ ending: null, session: 's1', usage })
    const error = { kind: 'rate-limit', status: 429, message: 'slow', resetsAt: 7 }
    const ended = { inputTokens: 9, outputTokens: 3, cachedTokens: 1 }
    expect(reader.read({ type: 'result', ok: false, error, text: 'x', usage: ended, model: 'm' })).toEqual([])
    expect(reader.told()).toEqual({
      ending: { ok: false, error },
      session: 's1',
      text: 'x',
      usage: ended,
      usd: null,
      model: 'm',
    })
  })

  it('may be anything', () => {
    const reader = agent.reader({ usageFile: '' })
    const lines = [{}, { type: 7 }, { type: 'text' }, { type: 'usage', usage: 'many' }, { type: 'progress' }]
    expect(() => lines.flatMap((line) => reader.read(line))).not.toThrow()
    expect(reader.told().ending).toBeNull()
    reader.read({ type: 'result', error: [] })
    expect(reader.told().ending).toMatchObject({ ok: false, error: { kind: 'unknown' } })
  })
})

it('speaks of an address only where one was set', () => {
  const remedy = (url: string | null) => {
    const found = verdictOn({ type: 'anthropic', url, key: 'KEY' }, { problem: 'ENOTFOUND' }, null)
    return found.usable ? '' : found.remedy
  }
  expect(remedy(null)).toBe('Look whether this machine is online.')
  expect(remedy('http://localhost:1')).toContain('api.url')
})
