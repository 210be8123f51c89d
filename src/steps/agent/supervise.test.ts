import { describe, expect, it } from 'vitest'
import { noUsage } from '../../delivery/money/ledger.ts'
import type { AgentEvent, AgentResult } from '../../ports/agent-driver.ts'
import type { Pulse } from '../../ports/pulses.ts'
import { turnCounter } from '../../proof/model-turns.ts'
import { type Used, watch } from './supervise.ts'

const finished: AgentResult = {
  status: 'finished',
  error: null,
  question: null,
  session: null,
  text: '',
  spent: { usage: noUsage, usd: null, exact: true, model: null, totals: null },
  exitCode: 0,
  durationMs: 1,
}

function open(ceiling = Number.POSITIVE_INFINITY, modelTurns: number | null = null) {
  const beats: Pulse[] = []
  const stopped: string[] = []
  let now = 0
  let tick = (): void => {}
  const world = {
    clock: {
      now: () => now,
      until: (_: number, signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          tick = resolve
          signal.addEventListener('abort', () => resolve())
        }),
    },
    pulses: {
      beat: (_: string, pulse: Pulse) => void beats.push(pulse),
      stop: (_: string, step: string) => void stopped.push(step),
      of: () => beats,
    },
    redact: (text: string) => text.replaceAll('hunter2', '[redacted]'),
  }
  const abort = new AbortController()
  const subject = { step: 's1', story: 'one', agent: 'a', model: null }
  const overrun = async ({ usage }: Used, ms: number) =>
    usage.outputTokens >= ceiling ? `${ceiling} tokens` : ms >= 3_600_000 ? '60 minutes' : null
  const given = { delivery: 'd', signal: abort.signal, idleTimeoutMs: 100_000, modelTurns, overrun }
  const watched = watch(world, subject, given)
  const pass = async (ms: number): Promise<Pulse> => {
    now += ms
    tick()
    await Promise.resolve()
    await Promise.resolve()
    return beats.at(-1)!
  }
  return { watched, abort, pass, stopped }
}

const call = (id: string, detail: string, output: string | null): AgentEvent[] => [
  { type: 'tool-started', id, name: 'shell', detail },
  { type: 'tool-ended', id, ok: true, output },
]

describe('a turn that is watched', () => {
  it('tells what the last call held, where the agent tells its calls one by one', () => {
    const { watched } = open()
    const tell = (inputTokens: number) =>
      watched.hear({ type: 'usage', usage: { inputTokens, outputTokens: 0, cachedTokens: 0 } })
    expect(watched.context()).toBeUndefined()
    tell(50)
    expect(watched.context()).toBeUndefined()
    tell(130)
    tell(230)
    expect(watched.context()).toBe(100)
    watched.close()
  })

  it('tells what a call held that is told when it begins and again when it ends', () => {
    const { watched } = open()
    const tell = (inputTokens: number, outputTokens: number) =>
      watched.hear({ type: 'usage', usage: { inputTokens, outputTokens, cachedTokens: 0 } })
    watched.hear({ type: 'model-asked' })
    tell(9_000, 1)
    tell(9_000, 50)
    expect(watched.context()).toBe(9_050)
    watched.hear({ type: 'model-asked' })
    tell(18_200, 51)
    tell(18_200, 51)
    expect(watched.context()).toBe(9_201)
    watched.close()
  })

  it('is working, silent, then hung, and working again', async () => {
    const { watched, pass, stopped } = open()
    watched.hear({ type: 'tool-started', id: '1', name: 'shell', detail: 'npm test' })
    expect(await pass(5_000)).toMatchObject({ state: 'working', doing: 'shell npm test' })
    expect(await pass(20_000)).toMatchObject({ state: 'silent' })
    expect(await pass(80_000)).toMatchObject({ state: 'hung' })
    watched.hear({ type: 'text', text: 'back' })
    expect(await pass(1)).toMatchObject({ state: 'working', doing: 'back' })
    watched.hear({ type: 'limit', resetsAt: 900_000 })
    expect(await pass(1)).toMatchObject({ state: 'limit', until: 900_000 })
    watched.hear({ type: 'permission', request: { kind: 'execute', title: 'rm' }, answer: 'ask' })
    expect(await pass(1)).toMatchObject({ state: 'permission' })
    expect(watched.judged(finished)).toEqual(finished)
    watched.close()
    expect(stopped).toEqual(['s1'])
  })

  it('shows no secret, also where it is cut', async () => {
    const { watched, pass } = open()
    watched.hear({ type: 'tool-started', id: '1', name: 'shell', detail: `login hunter2 ${'x'.repeat(178)} hunter2` })
    const { doing } = await pass(5_000)
    expect(doing).toMatch(/^shell login \[redacted\] x+/)
    expect(doing).not.toContain('hun')
    watched.close()
  })

  it('is ended when what was refused is asked for again and again, in other words too', () => {
    const { watched } = open()
    const ask = (title: string) =>
      watched.hear({ type: 'permission', request: { kind: 'execute', title }, answer: 'deny' })
    ask('git push origin')
    for (const title of ['npm publish', 'npm publish --tag hunter2', 'sudo npm publish']) ask(title)
    expect(watched.signal.aborted).toBe(false)
    expect(watched.judged(finished)).toEqual(finished)
    ask('/usr/bin/npm publish --tag hunter2')
    expect(watched.signal.aborted).toBe(true)
    const message =
      'the turn was ended: the agent was refused something and asked for it 3 times more: execute: /usr/bin/npm publish --tag [redacted]'
    expect(watched.judged(finished)).toMatchObject({ status: 'failed', error: { kind: 'stuck', message } })
    watched.close()
  })

  it('is stuck after the same call with the same answer three times', () => {
    const { watched } = open()
    for (const id of ['1', '2']) for (const event of call(id, 'ls', 'a.txt')) watched.hear(event)
    expect(watched.signal.aborted).toBe(false)
    for (const event of call('3', 'ls', 'a.txt')) watched.hear(event)
    expect(watched.signal.aborted).toBe(true)
    expect(watched.judged(finished)).toMatchObject({ status: 'failed', error: { kind: 'stuck' } })
  })

  it.each([
    ['another answer', [call('1', 'ls', 'a'), call('2', 'ls', 'b'), call('3', 'ls', 'a')]],
    [
      'another call between',
      [call('1', 'ls', 'a'), call('2', 'ls', 'a'), call('3', 'cat a', ''), call('4', 'ls', 'a')],
    ],
    ['answers that are not told', [call('1', 'ls', null), call('2', 'ls', null), call('3', 'ls', null)]],
  ])('is not stuck with %s', (_name, calls) => {
    const { watched } = open()
    for (const event of calls.flat()) watched.hear(event)
    expect(watched.signal.aborted).toBe(false)
  })

  it('is ended when what it has spent reaches a ceiling, unless it is finished by then', async () => {
    const { watched, pass } = open(10)
    const killed: AgentResult = { ...finished, status: 'failed' }
    watched.hear({ type: 'usage', usage: { ...noUsage, outputTokens: 9 } })
    await pass(1)
    expect(watched.signal.aborted).toBe(false)
    watched.hear({ type: 'usage', usage: { ...noUsage, outputTokens: 10 } })
    await pass(1)
    expect(watched.signal.aborted).toBe(true)
    expect(watched.judged(killed)).toMatchObject({ status: 'failed', error: { kind: 'budget' } })
    expect(watched.judged(finished)).toEqual(finished)
  })

  it('is ended when its time reaches a ceiling, also when it says nothing', async () => {
    const { watched, pass } = open()
    await pass(3_599_999)
    expect(watched.signal.aborted).toBe(false)
    await pass(1)
    expect(watched.signal.aborted).toBe(true)
    expect(watched.judged({ ...finished, status: 'failed' })).toMatchObject({
      error: { kind: 'budget', message: expect.stringContaining('60 minutes') },
    })
  })

  it('is ended when it goes on beyond the turns that it has, unless it is finished by then', () => {
    const { watched } = open(Number.POSITIVE_INFINITY, 2)
    const killed: AgentResult = { ...finished, status: 'failed' }
    for (const [id, detail] of [
      ['1', 'ls'],
      ['2', 'cat a'],
    ] as const)
      for (const event of call(id, detail, 'x')) watched.hear(event)
    expect(watched.signal.aborted).toBe(false)
    watched.hear({ type: 'thinking', text: 'once more' })
    expect(watched.signal.aborted).toBe(true)
    expect(watched.judged(killed)).toMatchObject({ status: 'failed', error: { kind: 'turns' } })
    expect(watched.judged(killed).error?.message).toContain('more than 2 times (limits.challengerTurns)')
    expect(watched.judged(finished)).toEqual(finished)
  })

  it('that was aborted by others is not called stuck', () => {
    const { watched, abort } = open()
    abort.abort()
    for (const id of ['1', '2', '3']) for (const event of call(id, 'ls', 'a')) watched.hear(event)
    expect(watched.judged(finished)).toEqual(finished)
  })
})

describe('how often a model was asked', () => {
  const say: AgentEvent = { type: 'text', text: 'so' }
  const [begin, end] = [(id: string) => call(id, 'ls', null)[0]!, (id: string) => call(id, 'ls', null)[1]!]
  it.each<[string, number, AgentEvent[]]>([
    ['nothing yet', 0, [{ type: 'session', session: 's' }]],
    ['words alone', 1, [{ type: 'thinking', text: 'well' }, say, say]],
    ['words and tools beside each other', 1, [say, begin('1'), begin('2'), end('1'), end('2')]],
    ['what follows from tools', 3, [begin('1'), end('1'), say, begin('2'), end('2'), say]],
    [
      'as it tells, whatever it looks like',
      2,
      [{ type: 'model-asked' }, begin('1'), end('1'), begin('2'), end('2'), { type: 'model-asked' }, say],
    ],
  ])('is seen: %s', (_name, times, events) => {
    const after = turnCounter()
    expect(events.map(after).at(-1)).toBe(times)
  })
})
