import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import type { Append } from '../../../src/ports/event-log.ts'

export const day = Date.UTC(2026, 4, 10, 12)

export function requested(text: string, repository = 'repo-1'): DeliveryEvent {
  return {
    type: 'DeliveryRequested',
    requirement: { text, source: 'cli', submitter: 'ada' },
    repository: { id: repository, path: '/tmp/somewhere' },
    target: 'main',
    base: 'b'.repeat(40),
    review: null,
  }
}

export function concern(text: string, story: string | null = null): DeliveryEvent {
  return { type: 'ConcernRaised', story, text }
}

export function batch(delivery: string, expected: number, events: DeliveryEvent[]): Append {
  const fresh = events.map((event, index) => ({ at: day + expected + index, actor: 'ada', cause: null, event }))
  return { delivery, expected, events: fresh, fence: null, slots: [] }
}

export function spent(usd: number, story: string | null): DeliveryEvent {
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 }
  const turn = { story, role: 'coder', agent: 'mine', model: null, usage, usd, exact: true, durationMs: 1 }
  return { type: 'TurnSpent', step: 's', turn: { ...turn, price: 'told' }, totals: null }
}

export function refused(until: number | null): Extract<DeliveryEvent, { type: 'AgentRefused' }> {
  const who = { agent: 'mine', model: 'model', account: 'account' }
  const said = { kind: 'rate-limit' as const, until, message: 'not now', remedy: 'wait' }
  return { type: 'AgentRefused', step: 's', story: 's1', ...who, ...said }
}

const subjectOf = (tree: string) =>
  ({ type: 'Judged', step: 's', story: 's1', judge: 'check:test', scope: 'story', commit: 'c', tree }) as const

export function judged({ tree, reused }: { tree: string; reused: boolean }): DeliveryEvent {
  const counts = { total: 3, passed: 3, failed: 0, skipped: 0 }
  const key = { tree, check: 'test', command: 'npm test', environmentKey: 'e' }
  const proof = { ...key, reused, counts, durationMs: 12, outputDigest: 'o' }
  return { ...subjectOf(tree), verdict: { status: 'passed', proof, concerns: [] } }
}

export function red(tree: string): DeliveryEvent {
  return { ...subjectOf(tree), verdict: { status: 'findings', findings: [], failures: 1, proof: null, concerns: [] } }
}
