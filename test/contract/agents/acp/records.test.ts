// An agent whose own files say more of a session than it does.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { frameTokens } from '../../../../src/adapters/agents/usage.ts'
import type { AgentTurn } from '../../../../src/ports/agent-driver.ts'
import { type Played, play, temporaryFolder } from '../../agent.ts'
import { called, openDriver, type Script, said } from './stage.ts'

const event = (uiEvent: object) => ({ type: 'system', subtype: 'ui_telemetry', systemPayload: { uiEvent } })
const answered = (tokens: number) =>
  event({ 'event.name': 'qwen-code.api_response', input_token_count: tokens, output_token_count: 9 })
const failed = (error_message: string, status_code?: number) =>
  event({ 'event.name': 'qwen-code.api_error', error_message, status_code })
const cut = failed('terminated (cause: UND_ERR_SOCKET: other side closed)')
const limit = failed('429 fake: too many requests', 429)
const told = (tokens: number): Script => ({
  update: { ...said(''), _meta: { usage: { inputTokens: tokens, outputTokens: 9 } } },
})
const refused = { error: { code: -32603, message: 'Internal error', data: { details: 'terminated' } } }

interface Given {
  /** What was on record before the turn, and what is at its end. */
  kept?: object[]
  keeps: object[]
  script?: Script
}

async function playQwen({ kept = [], keeps, script = {} }: Given, over: Partial<AgentTurn> = {}): Promise<Played> {
  const home = temporaryFolder()
  const path = join(home, '.qwen/projects/-repo/chats/session-1.jsonl')
  const textOf = (entries: object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  mkdirSync(dirname(path), { recursive: true })
  const past = kept.map((entry) => ({ ...entry, timestamp: '2026-01-01T00:00:00.000Z' }))
  if (past.length > 0) writeFileSync(path, textOf(past))
  const own = Array.isArray(script.turn) ? script.turn : []
  const turn = [{ write: { path, text: textOf([...past, { type: 'user' }, ...keeps]) } }, ...own]
  const driver = openDriver({ ...process.env, HOME: home })
  return await play(driver, called('qwen', { answer: { stopReason: 'end_turn' }, ...script, turn }), over)
}

describe('an agent that keeps a record', () => {
  it('has used what is on record, where it tells less', async () => {
    const { result } = await playQwen({ keeps: [answered(1200), answered(800)], script: { turn: [told(1200)] } })
    expect(result).toMatchObject({ status: 'finished', error: null })
    expect(result.spent).toMatchObject({ exact: false, usage: { inputTokens: 2000, outputTokens: 18 } })
  })

  it('has not used again what was there before', async () => {
    const given = { kept: [answered(9000), cut], keeps: [answered(1200)], script: { turn: [told(1200)] } }
    const { result } = await playQwen(given, { session: 'session-1' })
    expect(result.spent.usage).toMatchObject({ inputTokens: 1200, outputTokens: 9 })
  })

  it('has used something for a call that broke off, too', async () => {
    const { result } = await playQwen({ keeps: [cut, answered(1200)], script: { turn: [told(1200)] } })
    expect(result.status).toBe('finished')
    expect(result.spent.exact).toBe(false)
    expect(result.spent.usage.inputTokens).toBe(1200 + 1209 + frameTokens)
  })

  it('is asked there why it failed when it does not say', async () => {
    const { result } = await playQwen({ keeps: [cut, cut, cut], script: { answer: refused } })
    expect(result.error).toMatchObject({ kind: 'network', retryable: true })
    expect(result.spent.usage.inputTokens).toBeGreaterThan(60_000)
    const known = await playQwen({ keeps: [cut], script: { answer: { error: { code: 401, message: 'no' } } } })
    expect(known.result.error).toMatchObject({ kind: 'auth', status: 401 })
  })

  it('has used nothing for what was refused', async () => {
    const { result } = await playQwen({ keeps: [limit, limit], script: { answer: refused } })
    expect(result.error).toMatchObject({ kind: 'rate-limit' })
    expect(result.spent.usage).toEqual({ inputTokens: 0, outputTokens: 0, cachedTokens: 0 })
  })

  it('is told to make no calls that nobody sees', async () => {
    const run = { run: 'cp "$QWEN_CODE_SYSTEM_DEFAULTS_PATH" defaults.json' }
    const { turn } = await playQwen({ keeps: [answered(1)], script: { turn: [told(1), run] } })
    const settings = JSON.parse(readFileSync(join(turn.workspace, 'defaults.json'), 'utf8'))
    expect(settings).toMatchObject({ ui: { enableFollowupSuggestions: false } })
  })
})

it('what a person could type is no part of what is reckoned', async () => {
  const update = { sessionUpdate: 'available_commands_update', availableCommands: [{ name: '3 MB' }] }
  const { result } = await play(openDriver(), called('some-agent', { turn: [{ update }, { kill: null }] }))
  expect(result.spent.usage.outputTokens).toBeLessThan(1000)
})
