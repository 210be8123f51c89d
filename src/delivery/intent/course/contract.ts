import { hashOf } from '../../../std/hash.ts'
import type { DeliveryState } from '../../state.ts'
import type { IntentContract } from '../state.ts'

type HumanAnswer = IntentContract['answers'][number]

/** Fixed when it is settled what is meant. Every role can read it, and none can change it. */
export function drawUp(state: DeliveryState, criteria: string[], answers: HumanAnswer[]): void {
  const text = state.request?.requirement.text ?? ''
  state.intent.contract = { hash: hashOf({ text, answers, criteria }), criteria, answers }
}

/** What a human says later about what is meant becomes part of it. */
export function addToContract(state: DeliveryState, answer: HumanAnswer): void {
  const { criteria, answers } = state.intent.contract ?? { criteria: [], answers: [] }
  drawUp(state, criteria, [...answers, answer])
}
