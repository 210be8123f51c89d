// Every way in which a command-line agent may end a turn has a result of its own.
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/adapters/agents/cli/products/claude.ts'
import { bad, type Deed, good, openPupil, play, said, turnOf } from './pupil.ts'

const pupil = openPupil()
const failed = (kind: string, more: object = {}) => ({ status: 'failed', error: { kind, ...more } })
const tool: Deed = {
  print: { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] } },
}
const retry = (status: number): Deed => ({ print: { type: 'system', subtype: 'api_retry', error_status: status } })

describe('a turn is finished', () => {
  it('when the agent says so, and only then', async () => {
    const { result } = await play(pupil, [said('hello'), good])
    expect(result).toMatchObject({ status: 'finished', error: null, text: 'done', exitCode: 0 })
  })

  it('also when it exits badly afterwards', async () => {
    expect((await play(pupil, [good, { exit: 1 }])).result).toMatchObject({ status: 'finished', exitCode: 1 })
  })

  it('also when it does not exit by itself', async () => {
    expect((await play(pupil, [good, { wait: 60_000 }])).result).toMatchObject({ status: 'finished', error: null })
  })

  it('whatever else is printed: no JSON, no object, no UTF-8, half a line', async () => {
    const noise = 'hello\n{"type":"resu\n[1]\nnull\n"result"\n{"type":7}\n\xff\xfe{"x":\n{}\n'
    const { result, turn } = await play(pupil, [{ raw: noise }, good, { raw: '{"type":"result","is_err' }])
    expect(result).toMatchObject({ status: 'finished', text: 'done' })
    expect(readFileSync(turn.transcript, 'latin1')).toContain('[1]\nnull')
  })

  it('although a line of 50 MB went before', async () => {
    const { result } = await play(pupil, [{ repeat: 'x'.repeat(1 << 20), times: 50 }, { raw: '\n' }, good])
    expect(result.status).toBe('finished')
  })

  it('and asks, when its result holds a question', async () => {
    const turn = turnOf(pupil.options)
    mkdirSync(dirname(turn.resultFile))
    const text = JSON.stringify({ question: { text: 'Which port?', options: ['80'] } })
    const { result } = await play(pupil, [{ write: turn.resultFile, text }, good], { resultFile: turn.resultFile })
    expect(result).toMatchObject({ status: 'asked', question: { text: 'Which port?', permission: null } })
    expect((await play(pupil, [good], { resultFile: turn.resultFile })).result.status).toBe('finished')
  })
})

describe('a turn has failed', () => {
  it.each([0, 7])('without a last word, with exit code %i', async (code) => {
    const { result } = await play(pupil, [said('all is well'), { warn: 'oh no' }, { exit: code }])
    expect(result).toMatchObject({ ...failed('crash'), exitCode: code })
    expect(result.error?.message).toContain('oh no')
  })

  it('although its files tell of an answer, when that is from an earlier turn', async () => {
    const usage = { inputTokens: 9, outputTokens: 9, cachedTokens: 0 }
    const filed = { usage, counted: usage, model: null, trouble: null, answered: true }
    const filing = openPupil({ agent: { ...claude, filed: async () => filed } })
    expect((await play(filing, [{ exit: 0 }], { session: 'before' })).result).toMatchObject(failed('crash'))
    expect((await play(filing, [{ exit: 0 }])).result.status).toBe('finished')
  })

  it('when the last word is cut', async () => {
    expect((await play(pupil, [{ raw: '{"type":"result","subtype":"success","is_er' }])).result).toMatchObject(
      failed('crash'),
    )
  })

  it('when its time is up, though it says that it is done when it is ended', async () => {
    const { result, turn } = await play(pupil, [{ atTerm: (good as { print: unknown }).print }, { wait: 60_000 }], {
      timeoutMs: 5_000,
    })
    expect(readFileSync(turn.transcript, 'utf8')).toContain('success')
    expect(result).toMatchObject(failed('timeout'))
  })

  it('when its program is killed', async () => {
    const { result } = await play(pupil, [said('hello'), { die: 'SIGKILL' }, { wait: 60_000 }])
    expect(result).toMatchObject({ ...failed('crash'), exitCode: null })
    expect(result.error?.message).toContain('SIGKILL')
  })

  it('when it says so with exit code 0', async () => {
    expect((await play(pupil, [bad(401), { exit: 0 }])).result).toMatchObject(failed('auth', { status: 401 }))
  })

  it.each([
    ['first', [bad(529), good]],
    ['last', [good, bad(529)]],
  ])('when one of two last words says so, the %s', async (_, deeds) => {
    expect((await play(pupil, deeds)).result).toMatchObject(failed('overloaded', { retryable: true }))
  })

  it('when there is no such program', async () => {
    const { result } = await play(pupil, [], { options: { command: ['/nowhere/agent'] } })
    expect(result).toMatchObject(failed('spawn'))
  })

  it('at its time limit, when it is silent, when it is aborted', async () => {
    const hang: Deed[] = [said('hello'), { wait: 60_000 }]
    expect((await play(pupil, hang, { timeoutMs: 2_500 })).result).toMatchObject(failed('timeout'))
    expect((await play(pupil, hang, { idleTimeoutMs: 500 })).result).toMatchObject(failed('idle'))
    const signal = AbortSignal.timeout(500)
    expect((await play(pupil, hang, { signal })).result).toMatchObject(failed('aborted'))
  })

  it('but is not idle while a tool runs', async () => {
    const deeds = [tool, { wait: 1_500 }, good]
    expect((await play(pupil, deeds, { idleTimeoutMs: 500 })).result.status).toBe('finished')
    const lost = [tool, said('next'), { wait: 60_000 }]
    expect((await play(pupil, lost, { idleTimeoutMs: 500 })).result).toMatchObject(failed('idle'))
  })

  it.each([
    [429, 'rate-limit'],
    [529, 'overloaded'],
    [401, 'auth'],
  ])('with what it was trying to get over when it was ended: %i', async (status, kind) => {
    const deeds = [retry(status), { wait: 60_000 }]
    expect((await play(pupil, deeds, { timeoutMs: 2_500 })).result).toMatchObject(failed(kind, { status }))
  })

  it('at its time limit, when it had got over it', async () => {
    const deeds = [retry(429), said('there we are'), { wait: 60_000 }]
    expect((await play(pupil, deeds, { timeoutMs: 2_500 })).result).toMatchObject(failed('timeout'))
  })

  it('with the time when a limit ends', async () => {
    const limit = { print: { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1893553445 } } }
    const { result, events } = await play(pupil, [limit, bad(429)])
    expect(result).toMatchObject(failed('rate-limit', { resetsAt: 1893553445000 }))
    expect(events).toContainEqual({ type: 'limit', resetsAt: 1893553445000 })
  })

  it('because the session is not known, as it says on standard error', async () => {
    const deeds = [{ warn: 'No conversation found with session ID: x' }, { exit: 1 }]
    expect((await play(pupil, deeds, { session: 'x' })).result).toMatchObject(failed('session'))
    expect((await play(pupil, [said('hello'), ...deeds], { session: 'x' })).result).toMatchObject(failed('crash'))
  })
})

it('believes no words of the model about errors', async () => {
  const words = 'API Error: 429 rate_limit_error, insufficient_quota, 401, No conversation found with session ID: x'
  expect((await play(pupil, [said(words), good])).result).toMatchObject({ status: 'finished', error: null })
  expect((await play(pupil, [said(words), { exit: 1 }])).result).toMatchObject(failed('crash', { status: null }))
})
