import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import { copilotFiled, quietly, qwenFiled, untitled } from './products.ts'

describe('what copilot keeps of a turn', () => {
  const begin = Date.parse('2026-11-18T19:37:00Z')
  const stamp = (seconds: number): string => new Date(begin + seconds * 1_000).toISOString()

  const asks = (seconds: number) => ({ type: 'assistant.turn_start', data: { turnId: '0' }, timestamp: stamp(seconds) })
  const answered = (seconds: number) => ({
    type: 'session.usage_record',
    data: { usage: { model: 'fake-model', inputTokens: 1201, outputTokens: 21, cacheReadTokens: 300 } },
    timestamp: stamp(seconds),
  })
  const fails = (seconds: number, more: object): string =>
    `${stamp(seconds)} [WARNING] [rust:model_events::producer] Model provider request failed ${JSON.stringify({ stage: 'inference', ...more })}`
  const refused = { http_status: 429, failure_kind: 'http_error' }
  const lost = { failure_kind: 'transport' }

  /** As copilot 1.0.102 keeps it. */
  function filed(events: object[], log: string[] = [], others: string[] = []) {
    const home = mkdtempSync(join(tmpdir(), 'ropewalk-copilot-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const state = join(home, '.copilot/session-state/s-1')
    for (const folder of [state, join(home, '.copilot/logs')]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(state, 'events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    writeFileSync(join(home, '.copilot/logs/process-1-2.log'), ['Opened session s-1', ...log].join('\n'))
    writeFileSync(join(home, '.copilot/logs/process-3-4.log'), ['Opened session s-2', ...others].join('\n'))
    return copilotFiled({ env: { HOME: home }, session: 's-1', since: begin })
  }

  const one = { inputTokens: 1201, outputTokens: 21, cachedTokens: 300 }

  it('sums up the calls of a turn, and no others', async () => {
    const events = [asks(-9), answered(-8), asks(1), answered(2)]
    expect(await filed(events)).toEqual({
      usage: one,
      broken: 0,
      hidden: 0,
      context: 1222,
      whole: true,
      trouble: null,
      model: 'fake-model',
    })
  })

  it('tells the status of what it tries again, which has cost nothing', async () => {
    const log = [fails(2, refused), fails(5, refused)]
    expect(await filed([asks(1)], log)).toMatchObject({ broken: 0, trouble: { status: 429 } })
    expect(await filed([asks(1), answered(6)], log)).toMatchObject({ usage: one, broken: 0, trouble: null })
  })

  it('counts a call that broke off or is still open as one that may have been paid for', async () => {
    expect(await filed([asks(1), answered(6)], [fails(2, lost), fails(4, lost)])).toMatchObject({ broken: 2 })
    expect(await filed([asks(1)], [fails(2, lost)])).toMatchObject({ broken: 1, trouble: { status: null } })
    expect(await filed([asks(1), answered(2), asks(3)])).toMatchObject({ broken: 1, trouble: null })
  })

  it('knows nothing of other processes and of other sessions', async () => {
    expect(await filed([asks(1), answered(2)], [], [fails(3, refused)])).toMatchObject({ trouble: null })
    expect(await filed([])).toBeNull()
  })
})

describe('qwen, for a turn', () => {
  function temporaryFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'ropewalk-qwen-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  const turnWith = (submit: AgentTurn['submit']) => ({
    resultFile: join(temporaryFolder(), 'turn/answer.json'),
    submit,
  })

  const settingsBy = ({ QWEN_CODE_SYSTEM_DEFAULTS_PATH: file = '' }: Record<string, string>) =>
    JSON.parse(readFileSync(file, 'utf8'))

  it('asks for no calls that nobody sees, beside what the administrator says', () => {
    const theirs = join(temporaryFolder(), 'theirs.json')
    writeFileSync(theirs, '{"ui":{"theme":"Ayu","enableFollowupSuggestions":true},"proxy":"http://proxy"}')
    const env = quietly(turnWith(null), { QWEN_CODE_SYSTEM_DEFAULTS_PATH: theirs })
    expect(env.QWEN_DISABLE_AUTO_TITLE).toBe('1')
    expect(settingsBy(env)).toMatchObject({
      ui: { theme: 'Ayu', enableFollowupSuggestions: false },
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      proxy: 'http://proxy',
    })
  })

  it('looks for those beside the settings of the system', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'system-defaults.json'), '{"proxy":"http://proxy"}')
    const env = quietly(turnWith(null), { QWEN_CODE_SYSTEM_SETTINGS_PATH: join(folder, 'settings.json') })
    expect(settingsBy(env)).toMatchObject({ proxy: 'http://proxy', ui: { enableFollowupSuggestions: false } })
  })

  it('leaves in its place what it cannot read', () => {
    const theirs = join(temporaryFolder(), 'theirs.json')
    writeFileSync(theirs, '// with words\n{}')
    expect(quietly(turnWith(null), { QWEN_CODE_SYSTEM_DEFAULTS_PATH: theirs })).toEqual({
      QWEN_DISABLE_AUTO_TITLE: '1',
    })
  })

  it('has the tool for its answer at hand where one is wanted', () => {
    const tools = { toolSearch: { threshold: 10 } }
    const env = quietly(turnWith({ program: 'node', args: ['a', 'b'] }), {})
    expect(env.QWEN_CODE_LEGACY_MCP_BLOCKING).toBe('1')
    expect(settingsBy(env)).toMatchObject({ tools })
    expect(settingsBy(quietly(turnWith(null), {}))).not.toHaveProperty('tools')
  })
})

describe('opencode, for a turn', () => {
  const settingsIn = (given: string | null) => {
    const { OPENCODE_CONFIG_CONTENT: text } = untitled(given === null ? {} : { OPENCODE_CONFIG_CONTENT: given })
    return text === undefined ? null : JSON.parse(text)
  }

  it('turns off the title and nothing else', () => {
    const title = { disable: true }
    expect(settingsIn(null)).toEqual({ agent: { title } })
    expect(settingsIn('{"model":"a/b","agent":{"title":{"model":"a/c"},"build":{"model":"a/d"}}}')).toEqual({
      model: 'a/b',
      agent: { title, build: { model: 'a/d' } },
    })
  })

  it('leaves alone what it cannot read', () => {
    expect(settingsIn('{ // mine\n }')).toBeNull()
  })
})

describe('what qwen keeps of a session', () => {
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

  it('tells what each call has used, those of its own agents as well', async () => {
    const own = { subagent_name: 'managed-auto-memory-extractor' }
    expect(await read(prompt, answered(1201), { type: 'assistant' }, answered(1804, own))).toEqual({
      usage: { inputTokens: 3005, outputTokens: 40, cachedTokens: 600 },
      broken: 0,
      hidden: 0,
      context: 1824,
      trouble: null,
      whole: false,
      model: 'qwen3-coder-plus',
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
