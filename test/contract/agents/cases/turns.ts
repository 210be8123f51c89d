// Who may ask its model only so often is ended when it goes on, works alone, and can still be asked in its session.
import { expect } from 'vitest'
import type { AgentResult } from '../../../../src/ports/agent-driver.ts'
import { watch } from '../../../../src/steps/agent/supervise.ts'
import type { Case } from '../case.ts'
import type { Open } from '../stage.ts'

export const turns: Case[] = [
  { title: 'asks its model so often and no more, alone, then for its last word', run: bounded },
]

const most = 2
const children = /^(?:task|agent|spawn_agent|invoke_agent)$/i
const pulses = { beat: () => {}, stop: () => {}, of: () => [] }
const clock = { now: () => Date.now(), until: (_: number, over: AbortSignal) => aborted(over) }

async function bounded(open: Open): Promise<AgentResult> {
  const stage = await open()
  const act = { do: 'shell', command: 'date +%N' } as const
  stage.fake.script({ on: 'Look around.', scenario: { steps: [{ say: 'I look.', act }], isEndless: true } })
  const { result, events } = await watched(stage, 'Look around.')
  expect(result).toMatchObject({ status: 'failed', error: { kind: 'turns' }, session: expect.any(String) })
  const calls = stage.fake.calls().filter(({ isHidden }) => !isHidden)
  expect(calls.length).toBeGreaterThanOrEqual(most)
  // An agent that cannot be told how often may have begun once more before it is ended.
  expect(calls.length).toBeLessThanOrEqual(most + 1)
  expect(events.filter(({ type }) => type === 'tool-ended').length).toBeGreaterThanOrEqual(most)
  if (!stage.rig.hasChildren)
    expect(calls.flatMap(({ tools }) => tools).filter((name) => children.test(name))).toEqual([])
  const { session, spent } = result
  const { result: last } = await watched(stage, 'SCENARIO:hello Answer now.', { session, totals: spent.totals })
  expect(last).toMatchObject({ status: 'finished', error: null, text: expect.stringContaining('Hello.') })
  const said = stage.fake
    .calls()
    .at(-1)!
    .said.map(({ text }) => text)
  expect(said.join('\n')).toContain('Look around.')
  return result
}

async function watched(stage: Awaited<ReturnType<Open>>, prompt: string, over = {}) {
  const given = { delivery: 'd', idleTimeoutMs: 30_000, modelTurns: most, overrun: async () => null }
  const signal = new AbortController().signal
  const subject = { step: 's', story: null, agent: 'tried', model: null }
  const watching = watch({ clock, pulses, redact: (text) => text }, subject, { ...given, signal })
  const onEvent = async (event: Parameters<typeof watching.hear>[0]) => watching.hear(event)
  const turn = stage.turn(prompt, { ...over, modelTurns: most, signal: watching.signal, onEvent })
  const played = await stage.play(turn).finally(watching.close)
  return { ...played, result: watching.judged(played.result) }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
