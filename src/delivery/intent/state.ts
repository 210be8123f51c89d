import type { Harvest } from './context.ts'

export interface IntentState {
  context: Harvest | null
}

export const noIntent = (): IntentState => ({ context: null })
