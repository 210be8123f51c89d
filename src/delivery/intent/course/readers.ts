import type { Who } from '../../ids.ts'
import type { Policy } from '../../policy.ts'
import { familyOf } from '../../shared/agents.ts'
import { type Chosen, modelsOf, named } from '../../shared/choosing.ts'
import { type DeliveryState, policyOf } from '../../state.ts'
import { seatInQuestion } from '../deciding/weigh.ts'
import type { Seat } from '../interpretation.ts'
import type { IntentState } from '../state.ts'

/** All that may say what the requirement means, from this seat. */
export const readersOf = (state: DeliveryState, seat: Seat): Chosen<Who>[] =>
  named(state, fittest(state.intent, policyOf(state), seat))

/** All that may say what this seat's reading makes of examples: who has read it comes first, where that one can. */
export function triersOf(state: DeliveryState, seat: Seat): Chosen<Who>[] {
  const reader = takerOf(state.intent, seat)
  const all = fittest(state.intent, policyOf(state), seat)
  const others = all.filter(({ agent, model }) => agent !== reader?.agent || model !== reader.model)
  return named(state, [...(reader === null ? [] : [reader]), ...others])
}

/** All that may look into the assumptions of this seat's reading. */
export function checkersOf(state: DeliveryState, seat: Seat): Chosen<Who>[] {
  const policy = policyOf(state)
  return named(state, apart(policy, best(policy, policy.roles.challenger), [takerOf(state.intent, seat)]))
}

/** The fittest first. Whoever is to doubt is rather of another model family. */
function fittest(intent: IntentState, policy: Policy, seat: Seat): Who[] {
  const { interpreter } = policy.roles
  switch (seat) {
    case 'first':
    case 'again':
      return turned(best(policy, interpreter), intent.faults[seat] === undefined ? 0 : 1)
    case 'second':
      return apart(policy, allOf(policy, interpreter), [takerOf(intent, seatInQuestion(intent))])
    case 'challenger-1':
    case 'challenger-2':
      return challengersOf(intent, policy, seat)
  }
}

function challengersOf(intent: IntentState, policy: Policy, seat: Seat): Who[] {
  const reader = takerOf(intent, seatInQuestion(intent))
  const all = allOf(policy, policy.roles.challenger)
  const firsts = apart(policy, all, [reader])
  if (seat === 'challenger-1') return firsts
  return apart(policy, all, [reader, takerOf(intent, 'challenger-1') ?? firsts[0] ?? null])
}

const takerOf = ({ words }: IntentState, seat: Seat): Who | null => {
  const word = words[seat]
  return word?.status === 'read' ? { agent: word.agent, model: word.model } : null
}

const best = (policy: Policy, chain: string[]): Who[] => chain.map((agent) => allOf(policy, [agent])[0]!)

const allOf = (policy: Policy, chain: string[]): Who[] =>
  chain.flatMap((agent): Who[] => {
    const models = modelsOf(policy, agent).map(({ model }) => ({ agent, model }))
    return models.length > 0 ? models : [{ agent, model: null }]
  })

/** Other families first, then other models; who comes first among those to keep away from counts most. */
function apart(policy: Policy, all: Who[], from: (Who | null)[]): Who[] {
  const near = (who: Who): number =>
    from.reduce((sum, one, place) => {
      if (one === null) return sum
      const weight = 4 ** (from.length - place)
      const isSame = one.agent === who.agent && one.model === who.model
      return sum + (familyOf(policy, one) === familyOf(policy, who) ? weight : 0) + (isSame ? weight / 2 : 0)
    }, 0)
  return all.toSorted((one, other) => near(one) - near(other))
}

const turned = <T>(all: T[], by: number): T[] => [...all.slice(by), ...all.slice(0, by)]
