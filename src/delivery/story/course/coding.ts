import { hashOf } from '../../../std/hash.ts'
import type { Outcome } from '../../events.ts'
import type { CommitId } from '../../ids.ts'
import type { Finding } from '../../judging/finding.ts'
import { type DeliveryState, policyOf, raiseConcern, storyOf } from '../../state.ts'
import type { CodeStory } from '../../step.ts'
import type { Deviation, Handoff } from '../handoff.ts'
import { answerWords, isOfKind, type StoryControl, type StoryState, told } from '../story.ts'
import { moveStory } from '../transitions.ts'
import {
  beginRespec,
  codeAgain,
  endAttempt,
  exhaust,
  settleWithout,
  spendRound,
  turnsSpent,
  whyNotAmended,
} from './attempts.ts'
import { enterJudging } from './judging.ts'
import { rungOf } from './ladder.ts'

/** From here on the turn's base is fixed, however far the line moves meanwhile. */
export function codingStarted(state: DeliveryState, step: CodeStory): void {
  const story = storyOf(state, step.story)
  const isNow = step.attempt === story.attempt && step.turn === story.turn
  if (!isNow) return
  story.coder = step.agent
  story.thisAttempt.taken = false
  story.last = { base: step.base, from: step.from }
  story.author = { agent: step.agent, model: step.model }
  // Another agent leaves the workspace otherwise than the session knows it.
  if (story.thisAttempt.session !== null && story.thisAttempt.session.agent !== step.agent) closeSession(story)
  if (story.control.status === 'waiting') moveStory(story, 'turnBegan', { base: step.base, from: step.from })
}

export function storyCoded(state: DeliveryState, event: Extract<Outcome, { type: 'StoryCoded' }>): void {
  const story = storyOf(state, event.story)
  if (!isWorkedOn(story.control)) return
  const { base } = story.control
  const { commit, tree } = event
  story.turn += 1
  story.last = { base, from: commit }
  handedOff(state, story, event.handoff)
  story.summary = event.summary
  story.told = []
  rememberSession(story, event.session)
  closeSession(story)
  if (isMissed(state, story, event.handoff))
    return exhaust(state, story, `its coder left no whole handoff (${event.handoff.quality}; partialHandoff: escalate)`)
  moveStory(story, 'coded', { base, commit, tree })
  if (!policyOf(state).checks.some((check) => check.fix !== null)) enterJudging(state, story, { base, commit, tree })
}

/** Proven work waits for no words about it, unless the settings want that. Tests need none. */
const isMissed = (state: DeliveryState, { phase, thisAttempt }: StoryState, { quality }: Handoff): boolean =>
  policyOf(state).partialHandoff === 'escalate' && phase === 'code' && !thisAttempt.taken && quality !== 'full'

export function codingFailed(state: DeliveryState, event: Extract<Outcome, { type: 'CodingFailed' }>): void {
  const story = storyOf(state, event.story)
  if (!isWorkedOn(story.control)) return
  story.turn += 1
  if (story.control.status === 'taken-over')
    return exhaust(state, story, `nothing could be taken from the workspace: ${event.message}`)
  const { base, from } = story.control
  rememberSession(story, event.session)
  closeSession(story)
  story.findings = [...story.findings.filter((finding) => finding.source !== 'coder'), failureFinding(event)]
  if (event.kind === 'crash') return afterCrash(state, story, event.message)
  if (event.kind === 'bad-spec') return badlySpecified(state, story, event.message)
  if (event.kind === 'intent-gap') return unclear(state, story, event.message)
  if (event.kind !== 'stuck' || story.thisAttempt.stuck)
    return endAttempt(state, story, `${event.kind}: ${event.message}`)
  // A hint may do: the same session goes on with it, once.
  story.thisAttempt.stuck = true
  spendRound(state, story, { base, from })
}

/** By a coder, or by a human who is done. */
const isWorkedOn = (control: StoryControl): control is Extract<StoryControl, { base: CommitId; from: CommitId }> =>
  control.status === 'coding' || (control.status === 'taken-over' && control.stage === 'harvesting')

/** No round will help: the story itself has to become another. */
function badlySpecified(state: DeliveryState, story: StoryState, message: string): void {
  const reason = `it cannot be done as it is specified: ${message}`
  const { attempt, round } = story
  const signature = hashOf(['bad-spec', message])
  story.past.push({ attempt, round, agent: story.coder ?? '', ended: reason, signature })
  const not = state.plan.given ? 'a human planned it' : whyNotAmended(state, story)
  if (not === null) beginRespec(story, { as: 'amended', reason })
  else exhaust(state, story, `${reason} (${not})`)
}

/** Only a human knows what is wanted. */
function unclear(state: DeliveryState, story: StoryState, message: string): void {
  const reason = `what is wanted cannot be told: ${message}`
  const { attempt, round } = story
  story.past.push({
    attempt,
    round,
    agent: story.coder ?? '',
    ended: reason,
    signature: hashOf(['intent-gap', message]),
  })
  if (policyOf(state).unattended) return settleWithout(state, story, { status: 'failed', reason })
  story.escalations += 1
  story.thisAttempt.session = null
  moveStory(story, 'gapFound', { reason })
}

function afterCrash(state: DeliveryState, story: StoryState, message: string): void {
  const { crashesPerStory, turnsPerStory } = policyOf(state).limits
  const agent = story.coder ?? ''
  story.tally.crashes[agent] = (story.tally.crashes[agent] ?? 0) + 1
  const total = Object.values(story.tally.crashes).reduce((sum, n) => sum + n, 0)
  if (total >= crashesPerStory) return exhaust(state, story, `the agent crashed ${total} times: ${message}`)
  if (rungOf(policyOf(state), story) === null) return exhaust(state, story, `every agent crashed too often: ${message}`)
  if (story.turn - story.tally.turnsBefore >= turnsPerStory) exhaust(state, story, turnsSpent(story))
}

export function coderAsked(state: DeliveryState, event: Extract<Outcome, { type: 'CoderAsked' }>): void {
  const story = storyOf(state, event.story)
  if (story.control.status !== 'coding') return
  const { base, from } = story.control
  story.turn += 1
  rememberSession(story, event.session)
  const { text, options, permission } = event
  moveStory(story, 'coderAsked', { base, from, text, options, permission })
  if (policyOf(state).unattended || isDenied(story, permission)) nobodyAnswers(state, story)
}

/** A no holds for the whole story: nobody is asked a second time. */
const isDenied = ({ denials }: StoryState, permission: string | null): boolean =>
  permission !== null && denials.some((denied) => isOfKind(denied, permission))

/** It goes on without an answer. */
export function nobodyAnswers(state: DeliveryState, story: StoryState): void {
  if (story.control.status !== 'asking') return
  const { base, from, text, permission } = story.control
  if (permission !== null) return permitted(state, story, { ...story.control, permission, allow: false })
  story.findings = [
    ...story.findings,
    told(`You asked: ${text}\nNobody is there to answer. Use your best judgement and say what you assumed.`),
  ]
  spendRound(state, story, { base, from })
}

/** It goes on where it asked, and knows what it may do. A yes costs no round; a no ends the one in which it asked. */
export function permitted(state: DeliveryState, story: StoryState, { base, from, permission, allow }: Permitted): void {
  const finding = told(answerWords(permission, allow))
  story.findings = [finding, ...story.findings.filter(({ fingerprint }) => fingerprint !== finding.fingerprint)]
  if (allow) story.grants = [...new Set([...story.grants, permission])]
  else story.denials = [...new Set([...story.denials, permission])]
  const goOn = allow ? codeAgain : spendRound
  goOn(state, story, { base, from })
}

interface Permitted {
  base: CommitId
  from: CommitId
  permission: string
  allow: boolean
}

export function storyTidied(state: DeliveryState, event: Extract<Outcome, { type: 'StoryTidied' }>): void {
  const story = storyOf(state, event.story)
  if (story.control.status !== 'tidying') return
  enterJudging(state, story, { base: story.control.base, commit: event.commit, tree: event.tree })
}

/** Its workspace is as it left it: so it is when a turn was cut off, or ended with a question. */
export function rememberSession(story: StoryState, session: string | null): void {
  if (session === null || story.coder === null) return
  const known = story.thisAttempt.session?.id === session ? story.thisAttempt.session : { totals: null }
  story.thisAttempt.session = { ...known, agent: story.coder, id: session, open: true }
}

/** What its last turn left is a commit now, or given up. What is known from it is in the handoff, if it is crowded. */
function closeSession(story: StoryState): void {
  if (story.thisAttempt.session !== null)
    story.thisAttempt.session = story.thisAttempt.session.crowded ? null : { ...story.thisAttempt.session, open: false }
}

function failureFinding(event: Extract<Outcome, { type: 'CodingFailed' }>): Finding {
  const { kind, message, evidence } = event
  return {
    source: 'coder',
    rule: kind,
    severity: 'blocking',
    file: null,
    line: null,
    message: `The previous turn ended without a result (${kind}): ${message}`,
    evidence,
    fingerprint: hashOf(['coder', kind, message]),
    fixTarget: 'code',
  }
}

const most = 100
const mostDepartures = 40

/** The last one that is whole holds, with what came after it. What it corrects and where it leaves the plan is for all who come after. */
export function handedOff(state: DeliveryState, story: StoryState, handoff: Handoff): void {
  const { id } = story.spec
  if (handoff.quality === 'fallback') return
  const isOnTop = handoff.quality === 'partial' && story.handoff.quality === 'full'
  story.handoff = isOnTop ? withMore(story.handoff, handoff) : handoff
  for (const correction of handoff.corrections) {
    const known = state.corrections.some(
      ({ assumption, fact }) => assumption === correction.assumption && fact === correction.fact,
    )
    if (!known && state.corrections.length < most)
      state.corrections = [...state.corrections, { story: id, ...correction }]
  }
  const material = handoff.deviations.filter((one) => one.material)
  story.thisAttempt.departures = [
    ...story.thisAttempt.departures,
    ...material.filter((one) => !isKnown(story, one)),
  ].slice(0, mostDepartures)
  for (const { from, why } of material) raiseConcern(state, `${id} departs from the plan (${from}): ${why}`)
}

/** Half of a handoff takes nothing from one that was whole, of the same work: what it has besides is added. */
function withMore(whole: Handoff, { quality: _, notes, ...half }: Handoff): Handoff {
  const lists = Object.entries(half).map(([key, told]) => [key, added(whole[key as keyof typeof half] ?? [], told)])
  return { ...whole, ...Object.fromEntries(lists), notes: notes || whole.notes }
}

function added(had: readonly unknown[], told: readonly unknown[]): unknown[] {
  const known = new Set(had.map((one) => JSON.stringify(one)))
  return [...had, ...told.filter((one) => !known.has(JSON.stringify(one)))].slice(0, Math.max(most, had.length))
}

/** A later round need not say again what an earlier one has said of the same work. */
const isKnown = ({ thisAttempt }: StoryState, { from, why }: Deviation): boolean =>
  thisAttempt.departures.some((one) => one.from === from && one.why === why)

/** What a story leaves: as its last turn has it, with all that departs from the plan in what is there of it now. */
export const leftBy = ({ handoff, thisAttempt }: StoryState): Handoff => ({
  ...handoff,
  deviations: [...thisAttempt.departures, ...handoff.deviations.filter(({ material }) => !material)],
})
