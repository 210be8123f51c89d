import { familyOf } from '../../agents/family.ts'
import type { Who } from '../../ids.ts'
import type { Policy } from '../../policy.ts'
import { type Chosen, choose, modelsOf, named } from '../../shared/choosing.ts'
import type { Moment } from '../../shared/moment.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import { seatInQuestion } from '../deciding/weigh.ts'
import type { Seat } from '../interpretation.ts'
import type { IntentState } from '../state.ts'

/** Who says what the requirement means, from this seat. */
export const readerOf = (state: DeliveryState, seat: Seat, { at }: Moment): Chosen<Who> | null =>
  choose(state, named(state, readersOf(state.intent, policyOf(state), seat)), at)

/** Who looks into the assumptions of this seat's reading. */
export const checkerOf = (state: DeliveryState, seat: Seat, { at }: Moment): Chosen<Who> | null =>
  choose(state, named(state, checkersOf(state.intent, policyOf(state), seat)), at)

/** Who holds the examples of others against this seat's reading. */
export const trierOf = (state: DeliveryState, seat: Seat, { at }: Moment): Chosen<Who> | null =>
  choose(state, named(state, triersOf(state.intent, policyOf(state), seat)), at)

/** All that may take this seat, the fittest first. Whoever is to doubt is rather of another model family. */
export function readersOf(intent: IntentState, policy: Policy, seat: Seat): Who[] {
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

/** Who says what this seat's reading makes of examples: who has read it, where that one can. */
export function triersOf(intent: IntentState, policy: Policy, seat: Seat): Who[] {
  const reader = takerOf(intent, seat)
  const others = readersOf(intent, policy, seat)
  return reader === null
    ? others
    : [reader, ...others.filter(({ agent, model }) => agent !== reader.agent || model !== reader.model)]
}

/** Who looks into the assumptions of this seat's reading. */
export const checkersOf = (intent: IntentState, policy: Policy, seat: Seat): Who[] =>
  apart(policy, best(policy, policy.roles.challenger), [takerOf(intent, seat)])

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
