import { describe, expect, it } from 'vitest'
import type { Briefing } from '../../delivery/inputs/briefing.ts'
import type { CodeStory } from '../../delivery/step.ts'
import type { AgentErrorKind, AgentResult } from '../../ports/agent-driver.ts'
import type { StepWorld } from '../world.ts'
import { fateOf } from './failure.ts'

const world = { clock: { now: () => 1_000 }, redact: (text: string) => text.replace('key', '***') } as StepWorld
const input = { policy: { agents: { mine: { driver: 'claude', options: {} } } } } as unknown as Briefing
const step = { id: 's', story: 'a', agent: 'mine', model: 'm' } as CodeStory

interface Turned {
  tokens?: number
  resetsAt?: number | null
  session?: string | null
}

function fate(kind: AgentErrorKind, { tokens = 0, resetsAt = null, session = null }: Turned = {}) {
  const usage = { inputTokens: tokens, outputTokens: 0, cachedTokens: 0 }
  const error = { kind, message: 'no key', status: null, retryable: false, resetsAt }
  const result = { error, text: '', spent: { usage } } as unknown as AgentResult
  return fateOf({ world, input, step }, result, session)
}

describe('what an error of an agent means', () => {
  it.each(['rate-limit', 'quota', 'auth', 'model', 'spawn'] as const)(
    '%s: it was refused, by whom, and what to do',
    (kind) => {
      const refused = fate(kind)
      expect(refused).toMatchObject({
        type: 'AgentRefused',
        agent: 'mine',
        model: 'm',
        kind,
        until: null,
        message: 'no ***',
      })
      expect(refused).toHaveProperty('account', (fate('quota') as { account: string }).account)
    },
  )
  it('a reset time in the past or far away is brought near', () => {
    expect(fate('rate-limit', { resetsAt: 5 })).toMatchObject({ until: 2_000 })
    expect(fate('rate-limit', { resetsAt: 9e15 })).toMatchObject({ until: 1_000 + 24 * 60 * 60_000 })
  })
  it('a bad request ends the conversation that it was in, or bars the agent when it was the first', () => {
    expect(fate('bad-request', { session: 's' })).toMatchObject({ type: 'AgentRefused', kind: 'session' })
    expect(fate('bad-request')).toMatchObject({ type: 'AgentRefused', kind: 'bad-request' })
  })
  it('a bad request in the middle of a turn that began afresh counts, for it was paid', () => {
    expect(fate('bad-request', { tokens: 9 })).toMatchObject({ type: 'failed', kind: 'crash' })
    expect(fate('bad-request', { tokens: 9, session: 's' })).toMatchObject({ type: 'AgentRefused', kind: 'session' })
  })
  it('a ceiling parks the step at once: the next start is held by it', () => {
    expect(fate('budget')).toMatchObject({ type: 'StepParked', until: 1_000, reason: 'no ***' })
  })
  it.each(['timeout', 'idle', 'stuck', 'crash'] as const)('%s counts', (kind) => {
    expect(fate(kind)).toMatchObject({ type: 'failed', kind })
  })
})
