import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorOfRefusal } from '../../../../src/adapters/agents/acp/failure.ts'
import { frameTokens } from '../../../../src/adapters/agents/usage.ts'
import { turnWith } from '../../agent.ts'
import { marked, pidIn } from '../../shell.ts'
import { byHand, heardIn, openDriver, playOptions, playScript } from './stage.ts'

describe('an agent that misbehaves', () => {
  it('may print what it likes between its messages', async () => {
    const turn = [
      { raw: 'Warning: <html>\n[1]\n"x"\nnull\n{}\n\n{"jsonrpc":"2.0"}\n{"jsonrpc":"2.0","id":77,"result":{}}\n' },
      { raw: '{"jsonrpc":"2.0","method":"session/update","params":[]}\n{"jsonrpc":"1.0","method":"session/update"}\n' },
      { update: { sessionUpdate: 'from_the_future', content: 7 } },
      { update: { sessionUpdate: 'agent_message_chunk', content: null } },
      { update: { sessionUpdate: 'tool_call', toolCallId: 5, status: [] } },
      { bytes: [0xff, 0xfe, 0x7b, 0xc3, 0x28, 0x0a] },
      { say: 'Done.' },
    ]
    const { result } = await playScript({ turn })
    expect(result).toMatchObject({ status: 'finished', text: 'Done.', error: null })
  })

  it('is told that what it asks for is not there', async () => {
    const { heard, result } = await playScript({
      turn: [{ call: { method: 'fs/read_text_file', params: { path: '/etc/passwd' } } }, { call: { method: 'x/y' } }],
    })
    expect(heard.flatMap(({ error }) => error?.code ?? [])).toEqual([-32601, -32601])
    expect(result.status).toBe('finished')
  })

  it('is told that a question is too long to be read', async () => {
    const params = { toolCall: { toolCallId: 't1', title: '3 MB' }, options: [] }
    const { heard, result } = await playScript({ turn: [{ call: { method: 'session/request_permission', params } }] })
    expect(heard.flatMap(({ error }) => error?.code ?? [])).toEqual([-32600])
    expect(result.status).toBe('finished')
  })

  it('may say more than can be kept, and still answers', async () => {
    const { result } = await playScript({ turn: [{ say: '3 MB' }, { say: 'Done.' }] })
    expect(result).toMatchObject({ status: 'finished', text: 'Done.' })
  })

  it('whose answer is too long fails', async () => {
    const { result } = await playScript({ answer: { stopReason: 'end_turn', _meta: { long: '3 MB' } } })
    expect(result).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('longer') } })
  })

  it.each([
    [{ beforeHello: [{ complain: 'no key' }, { exit: 0 }] }, 'crash', 'ended without a result (exit code 0): no key'],
    [{ beforeHello: [{ exit: 3 }] }, 'crash', 'exit code 3'],
    [{ turn: [{ raw: '{"jsonrpc":"2.0","id":2,"result":{"stopRea' }, { exit: 0 }] }, 'crash', 'without a result'],
    [{ hello: { protocolVersion: 2 } }, 'spawn', 'version 1'],
    [{ hello: { protocolVersion: null } }, 'spawn', 'version 1'],
    [{ opened: { sessionId: 7 } }, 'unknown', 'without a name'],
    [{ opened: { error: { code: -32000, message: 'Sign in' } } }, 'auth', 'Sign in'],
    [{ answer: { error: 'not an error' } }, 'unknown', ''],
  ])('ends with its own kind of failure', async (script, kind, message) => {
    const { result } = await playScript(script)
    expect(result).toMatchObject({ status: 'failed', error: { kind, message: expect.stringContaining(message) } })
  })

  it('that is no ACP agent at all fails', async () => {
    const silent = await playOptions({ command: ['sleep', '60'] }, { timeoutMs: 1_000 })
    expect(silent.result).toMatchObject({ status: 'failed', error: { kind: 'timeout' } })
    const echo = await playOptions({ command: ['cat'] })
    expect(echo.result).toMatchObject({ status: 'failed', error: { kind: 'unknown' } })
    const missing = await playOptions({ command: ['ropewalk-no-such-program'] })
    expect(missing.result).toMatchObject({ status: 'failed', error: { kind: 'spawn' } })
  })

  it('is out of time though it answers when it is ended', async () => {
    const script = { apologizes: true, turn: [{ hang: true }] }
    const { result, turn } = await playScript(script, { timeoutMs: 2_000 })
    expect(readFileSync(turn.transcript, 'utf8')).toContain('cancelled')
    expect(result).toMatchObject({ status: 'failed', error: { kind: 'timeout' } })
  })

  it('does not matter to whom the facts are written: what cannot be recorded is an error of ours', async () => {
    const turn = turnWith(byHand({ turn: [{ hang: true }] }), {
      onEvent: async (event) => {
        if (event.type === 'session') throw new Error('the log is full')
      },
    })
    await expect(openDriver().run(turn)).rejects.toThrow('the log is full')
    expect(marked(turn.mark)).toEqual([])
  })

  it('is asked to stop before it is ended', async () => {
    const abort = new AbortController()
    const turn = turnWith(byHand({ turn: [{ run: 'echo $$ > child.tmp; mv child.tmp child.pid' }, { hang: true }] }), {
      signal: abort.signal,
    })
    const running = openDriver().run(turn)
    await pidIn(join(turn.workspace, 'child.pid'))
    abort.abort()
    expect(await running).toMatchObject({
      status: 'failed',
      error: { kind: 'aborted' },
      spent: { exact: false },
    })
    expect(heardIn(turn.workspace).at(-1)).toMatchObject({ method: 'session/cancel' })
  })
})

describe('an error that an agent answers with', () => {
  it.each([
    [{ code: 429, message: 'fake: too many requests' }, 'rate-limit', 429],
    [{ code: 429, message: 'You have exhausted your daily quota on this model.' }, 'quota', 429],
    [{ code: 401, message: 'no' }, 'auth', 401],
    [{ code: -32000, message: 'Authentication required' }, 'auth', 401],
    [{ code: -32000, message: 'no', data: { errorKind: 'overloaded' } }, 'overloaded', 529],
    [{ code: -32603, message: 'Internal error', data: { errorKind: 'billing_error' } }, 'quota', 402],
    [{ code: -32603, message: 'Internal error', data: { errorKind: 'model_not_found' } }, 'model', 404],
    [{ code: -32603, message: 'Internal error', data: { statusCode: 503 } }, 'overloaded', 503],
    [{ code: -32603, message: 'Internal error', data: { error: { code: '400' } } }, 'bad-request', 400],
    [{ code: -32603, message: 'Internal error', data: { details: '400 not valid' } }, 'bad-request', 400],
    [{ code: -32603, message: 'Internal error', data: { details: '[API Error: 401 wrong key]' } }, 'auth', 401],
    [{ code: -32603, message: 'Internal error', data: 'connect ECONNREFUSED 127.0.0.1:1' }, 'network', null],
    [{ code: -32603, message: 'Internal error' }, 'unknown', null],
    [{ code: -32603, message: '', data: [null] }, 'unknown', null],
  ])('has its kind: %j', (refusal, kind, status) => {
    expect(errorOfRefusal(refusal)).toMatchObject({ kind, status })
  })

  it('tells when a limit ends, in seconds or milliseconds', () => {
    const resets = (resetsAt: number) => errorOfRefusal({ code: 429, message: 'no', data: { resetsAt } }).resetsAt
    expect(resets(1_900_000_000)).toBe(1_900_000_000_000)
    expect(resets(1_900_000_000_000)).toBe(1_900_000_000_000)
    const { resetsAt } = errorOfRefusal({ code: 429, message: 'no', data: { retryAfter: 3600 } })
    expect(resetsAt).toBeGreaterThan(Date.now() + 3_500_000)
  })
})

describe('the transcript of a turn that died', () => {
  const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
  const piece = (usage: object) =>
    line({
      method: 'session/update',
      params: { update: { sessionUpdate: 'agent_message_chunk', content: {}, _meta: { usage } } },
    })
  const salvage = (text: string) => {
    const { transcript } = turnWith(byHand(), {})
    writeFileSync(transcript, text)
    return openDriver().salvage({ transcript, totals: null, session: null, promptChars: 0 })
  }

  it('tells what was used, without the past of the session, and reckons the call that it may have died in', async () => {
    const past = piece({ inputTokens: 900, outputTokens: 90 })
    const now = piece({ inputTokens: 7, outputTokens: 1 })
    const loaded = line({ id: 1, result: { modes: {} } })
    const untold = 8 + frameTokens
    expect(await salvage(`noise\n${past}${loaded}${now}${now}{"half`)).toEqual({
      usage: { inputTokens: 2 * 7 + untold, outputTokens: 2 + 1, cachedTokens: 0 },
      usd: null,
      exact: false,
      model: null,
      totals: null,
    })
    const answer = line({ id: 2, result: { stopReason: 'end_turn', usage: { inputTokens: 20, outputTokens: 3 } } })
    expect((await salvage(loaded + now + answer))?.usage).toMatchObject({ inputTokens: 7 + untold, outputTokens: 3 })
  })

  it('tells as much as the turn itself did when its agent was killed', async () => {
    const commands = { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'x'.repeat(999) }] }
    const toolCall = { toolCallId: 't1', kind: 'execute', title: 'x'.repeat(300) }
    const call = { method: 'session/request_permission', params: { toolCall, options: [] } }
    const beforeHello = [{ update: commands }]
    const { result, turn } = await playScript({ beforeHello, turn: [{ update: commands }, { call }, { kill: true }] })
    expect(result).toMatchObject({ status: 'failed', error: { kind: 'crash' }, spent: { exact: false } })
    const { transcript, prompt } = turn
    const lost = { transcript, totals: null, session: result.session, promptChars: prompt.length }
    expect((await openDriver().salvage(lost))?.usage).toEqual(result.spent.usage)
  })

  it('counts a call from when it may have been prompted, whatever it told', async () => {
    expect(await salvage(line({ id: 1, result: {} }))).toMatchObject({ exact: false, usage: { inputTokens: 20_000 } })
  })

  it('may tell nothing', async () => {
    expect(await salvage('')).toBeNull()
    expect(
      await openDriver().salvage({ transcript: '/no/such/file', totals: null, session: null, promptChars: 0 }),
    ).toBeNull()
  })
})
