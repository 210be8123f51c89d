import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../ports/agent-driver.ts'
import { openEstimate } from './usage.ts'

const usage = (inputTokens: number): AgentEvent => ({
  type: 'usage',
  usage: { inputTokens, outputTokens: 0, cachedTokens: 0 },
})
const asked: AgentEvent = { type: 'model-asked' }
const begun: AgentEvent = { type: 'tool-started', id: 't', name: 'shell', detail: '' }
const ended: AgentEvent = { type: 'tool-ended', id: 't', ok: true, output: '' }

const untold = (...events: [number, ...AgentEvent[]][]) => {
  const estimate = openEstimate(300)
  for (const [chars, ...told] of events) estimate.hear(chars, told)
  return estimate.untold()
}

describe('what nobody has told of a turn that is cut off', () => {
  it('is the call of the model that it waits for, with all that went before and what stands around it', () => {
    expect(untold()).toMatchObject({ inputTokens: 20_100, outputTokens: 1 })
    expect(untold([30, asked, usage(900)], [9, begun], [600, ended])).toEqual({
      inputTokens: 900 + 500 + 203,
      outputTokens: 203,
      cachedTokens: 0,
    })
  })

  it('is nothing while a tool runs, unless its call is told only after its tools', () => {
    expect(untold([30, asked, usage(900)], [9, begun])).toMatchObject({ inputTokens: 0, outputTokens: 0 })
    expect(untold([30, asked], [9, begun])).toMatchObject({ inputTokens: 20_113, outputTokens: 13 })
  })

  it('is each call of an agent that tells none', () => {
    expect(untold([30, begun], [30, ended], [30, begun]).inputTokens).toBe(2 * 20_130)
  })
})

describe('a call that broke off and was made again', () => {
  it('counts, unless the service refused it with a status', () => {
    const estimate = openEstimate(0)
    estimate.hear(0, [{ type: 'retry', attempt: 1, status: 529, delayMs: 1 }])
    expect(estimate.broken().inputTokens).toBe(0)
    estimate.hear(0, [{ type: 'retry', attempt: 1, status: null, delayMs: 1 }])
    expect(estimate.broken().inputTokens).toBe(20_000)
  })

  it('is reckoned to have said as much as any, if nobody knows when', () => {
    const estimate = openEstimate(0)
    estimate.hear(0, [asked])
    expect(estimate.call()).toEqual({ inputTokens: 20_000, outputTokens: 500, cachedTokens: 0 })
    estimate.hear(3000, [usage(900)])
    estimate.hear(6, [asked])
    expect(estimate.call()).toMatchObject({ inputTokens: 900 + 500 + 2, outputTokens: 1000 })
  })
})
