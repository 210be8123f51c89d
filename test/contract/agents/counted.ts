// After every end of a turn: the ledger says what the model API counted, or it is marked, and never less.
import { expect } from 'vitest'
import { sumOf } from '../../../src/adapters/agents/usage.ts'
import { noUsage } from '../../../src/delivery/money/ledger.ts'
import type { Spent } from '../../../src/ports/agent-driver.ts'
import type { FakeModel } from './fake-model/server.ts'
import type { Tokens } from './fake-model/wire.ts'

/** Also of its hidden calls, and of answers that broke off. */
export const countedBy = (fake: FakeModel, sinceCall: number): Tokens =>
  fake
    .calls()
    .slice(sinceCall)
    .map(({ billed }) => billed)
    .reduce(sumOf, noUsage)

export function expectNoLess({ usage, exact }: Spent, counted: Tokens): void {
  if (exact) expect(usage).toEqual(counted)
  expect(usage.inputTokens).toBeGreaterThanOrEqual(counted.inputTokens)
  expect(usage.outputTokens).toBeGreaterThanOrEqual(counted.outputTokens)
}
