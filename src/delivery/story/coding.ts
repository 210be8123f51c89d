import { hashOf } from '../../std/hash.ts'
import type { Outcome } from '../events.ts'
import type { Finding } from '../judging/finding.ts'
import { enterJudging } from '../judging/judging.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf, storyOf } from '../state.ts'
import type { CodeStory } from '../step.ts'
import { endAttempt, exhaust, rungOf, turnsSpent } from './ladder.ts'
import type { StoryState } from './story.ts'
import { spendRound, told } from './turning.ts'

/** From here on the turn's base is fixed, however far the line moves meanwhile. */
export function codingStarted(state: DeliveryState, step: CodeStory): void {
  const story = storyOf(state, step.story)
  const isNow = step.attempt === story.attempt && step.turn === story.turn
  if (story.control.status === 'waiting' && isNow)
    story.control = { status: 'coding', base: step.base, from: step.from }
}

export function storyCoded(state: DeliveryState, event: Extract<Outcome, { type: 'StoryCoded' }>): void {
  const story = storyOf(state, event.story)
  if (story.control.status !== 'coding') return
  const { base } = story.control
  const { commit, tree } = event
  story.turn += 1
  story.summary = event.summary
  rememberSession(state, story, event.session)
  story.control = { status: 'tidying', base, commit, tree }
  if (!policyOf(state).checks.some((check) => check.fix !== null)) enterJudging(state, story, { base, commit, tree })
}

export function codingFailed(state: DeliveryState, event: Extract<Outcome, { type: 'CodingFailed' }>): void {
  const story = storyOf(state, event.story)
  if (story.control.status !== 'coding') return
  story.turn += 1
  rememberSession(state, story, event.session)
  story.findings = [...story.findings.filter((finding) => finding.source !== 'coder'), failureFinding(event)]
  if (event.kind === 'crash') afterCrash(state, story, event.message)
  else endAttempt(state, story, `${event.kind}: ${event.message}`)
}

function afterCrash(state: DeliveryState, story: StoryState, message: string): void {
  const { crashesPerStory, turnsPerStory } = policyOf(state).limits
  const agent = rungOf(policyOf(state), story)?.agent ?? ''
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
  rememberSession(state, story, event.session)
  if (policyOf(state).unattended) {
    story.findings = [
      ...story.findings,
      told(`You asked: ${event.text}\nNobody is there to answer. Use your best judgement and say what you assumed.`),
    ]
    spendRound(state, story, { base, from })
  } else {
    story.control = {
      status: 'asking',
      base,
      from,
      text: event.text,
      options: event.options,
      permission: event.permission,
    }
  }
}

export function storyTidied(state: DeliveryState, event: Extract<Outcome, { type: 'StoryTidied' }>): void {
  const story = storyOf(state, event.story)
  if (story.control.status !== 'tidying') return
  enterJudging(state, story, { base: story.control.base, commit: event.commit, tree: event.tree })
}

function rememberSession(state: DeliveryState, story: StoryState, session: string | null): void {
  const agent = rungOf(policyOf(state), story)?.agent
  if (session === null || agent === undefined) return
  const totals = story.session?.id === session ? story.session.totals : null
  story.session = { agent, id: session, open: false, totals }
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
