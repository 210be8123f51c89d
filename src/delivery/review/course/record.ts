import type { DeliveryEvent } from '../../events.ts'
import type { StepId, StoryId, Who } from '../../ids.ts'
import type { Vantage } from '../review.ts'

/** What became of a reviewer's findings, from later facts. */
export interface Precision extends Who {
  vantage: Vantage
  reviews: number
  raised: number
  accepted: number
  deferred: number
  rejected: number
  /** A test failed because of it, or passed in spite of it. */
  confirmed: number
  refuted: number
  /** A human said that it does not matter. */
  waived: number
}

/** Per reviewer (agent, model, vantage point), over the log of one delivery. */
export function precisionOf(events: DeliveryEvent[]): Precision[] {
  const turns = new Map<string, Who & { vantage: Vantage }>()
  const all = new Map<string, Precision>()
  /** Who raised it, by story and fingerprint. */
  const raisers = new Map<string, Set<Precision>>()
  const counted = new Set<string>()
  const count = (story: string, print: string, what: Counted) => {
    const key = `${story} ${print}`
    // It may come back in a later round: it is one finding all the same.
    if (counted.has(`${key} ${what}`)) return
    counted.add(`${key} ${what}`)
    for (const one of raisers.get(key) ?? []) one[what] += 1
  }
  for (const event of events) {
    switch (event.type) {
      case 'StepStarted':
        if (event.step.verb === 'ReviewStory' && event.step.rebuts.length === 0) turns.set(event.step.id, event.step)
        break
      case 'StoryReviewed': {
        const turn = turns.get(event.step)
        if (turn === undefined || event.word.status === 'absent') break
        const one = entryOf(all, turn)
        one.reviews += 1
        for (const { fingerprint } of event.word.findings) {
          const key = `${event.story} ${fingerprint}`
          const known = raisers.get(key) ?? new Set()
          if (!known.has(one)) one.raised += 1
          raisers.set(key, known.add(one))
        }
        break
      }
      case 'FindingsTriaged':
        for (const { fingerprint, fate } of event.sorted) count(event.story, fingerprint, fate)
        break
      case 'FindingsReproduced':
        for (const { fingerprint, result } of event.reproductions)
          if (result !== 'inconclusive') count(event.story, fingerprint, result)
        break
      case 'FindingWaived':
        count(event.story, event.fingerprint, 'waived')
        break
      default:
        break
    }
  }
  return [...all.values()]
}

type Counted = 'accepted' | 'deferred' | 'rejected' | 'confirmed' | 'refuted' | 'waived'

function entryOf(all: Map<string, Precision>, { agent, model, vantage }: Who & { vantage: Vantage }): Precision {
  const key = JSON.stringify([agent, model, vantage])
  const known = all.get(key)
  if (known !== undefined) return known
  const tried = { confirmed: 0, refuted: 0, waived: 0 }
  const fresh = { agent, model, vantage, reviews: 0, raised: 0, accepted: 0, deferred: 0, rejected: 0, ...tried }
  all.set(key, fresh)
  return fresh
}

/** Agents that have looked at a story as it is now, and found nothing: an earlier word was on something else. */
export function agentsThatLooked(events: DeliveryEvent[], story: StoryId): string[] {
  const turns = new Set([...verdictOn(events, story), ...approvalsOf(events, story)])
  const agents = events.flatMap((event) =>
    event.type === 'StepStarted' && 'agent' in event.step && turns.has(event.step.id) ? [event.step.agent] : [],
  )
  return [...new Set(agents)]
}

function verdictOn(events: DeliveryEvent[], story: StoryId): StepId[] {
  const last = events.findLast(
    (event) => event.type === 'Judged' && event.story === story && event.judge === 'verifier',
  )
  return last?.type === 'Judged' && last.verdict.status === 'passed' ? [last.step] : []
}

/** Of those who were asked about the last commit. */
function approvalsOf(events: DeliveryEvent[], story: StoryId): StepId[] {
  const words = events.flatMap((event) => (event.type === 'StoryReviewed' && event.story === story ? [event] : []))
  const commit = words.at(-1)?.commit
  return words.flatMap(({ step, word, ...about }) =>
    about.commit === commit && word.status === 'returned' && word.verdict === 'approve' ? [step] : [],
  )
}
