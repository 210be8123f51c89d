import type { Usage } from '../delivery/money/ledger.ts'

/** What model calls cost, without asking anybody. Null: nobody knows a price for this model. */
export interface Prices {
  usd(call: { model: string; usage: Usage; at: number }): Promise<number | null>
}
