import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import type { AgentError, AgentTurn, Spent } from '../../../ports/agent-driver.ts'
import { atLeast, frameTokens, sumOf, times, tokensIn } from '../usage.ts'
import type { Said } from './conversation.ts'
import type { FiledTurn } from './filed.ts'
import type { KnownAgent } from './known-agents.ts'
import { usageOfAnswer } from './usage.ts'

export interface HeardTalk {
  turn: AgentTurn
  known: KnownAgent
  said: Said
  /** What its own files tell; null: nothing. */
  filed: FiledTurn | null
}

export function spentInTalk(heard: HeardTalk, error: AgentError | null): Spent {
  const { turn, said } = heard
  const known = { usd: usdOf(turn, said), model: said.model, totals: null }
  return { ...known, ...(heard.filed === null ? asTold(heard, error) : asFiled(heard, heard.filed, error)) }
}

type Counted = Pick<Spent, 'usage' | 'exact'>

function asTold(heard: HeardTalk, error: AgentError | null): Counted {
  const { known, said } = heard
  const told = usageTold(heard)
  const stopReason = answerOfTalk(said)?.stopReason ?? 'cancelled'
  const hasFailed = error !== null && stopReason === 'end_turn'
  const isWhole = told !== null && stopReason !== 'cancelled' && !hasFailed
  // Refused with a status it has cost nothing.
  const isRefused = error !== null && error.status !== null && said.calls === 0
  return {
    usage:
      isWhole || isRefused ? (told ?? noUsage) : atLeast(told ?? noUsage, sumOf(said.usage ?? noUsage, said.untold)),
    exact: known.exact && isWhole && error === null,
  }
}

/** What its files know of each call, which is more than it tells; and what not even they know is reckoned. */
function asFiled(heard: HeardTalk, filed: FiledTurn, error: AgentError | null): Counted {
  const { said, known, turn } = heard
  const hasEnded = said.ending !== null && answerOfTalk(said)?.stopReason !== 'cancelled'
  const isCut = !hasEnded || error?.kind === 'timeout' || error?.kind === 'idle'
  const told = (known.tellsLastCall ? toldOnce(heard) : usageTold(heard)) ?? said.usage ?? noUsage
  return {
    usage: reckonedBy(filed, { said, told, isCut, promptChars: turn.prompt.length }),
    exact: !isCut && filed.whole && filed.broken === 0 && filed.hidden === 0,
  }
}

/** What an agent has told to a model of its own for a title, where nobody tells how much: the prompt and some words. */
const hiddenTokens = 2_000

interface Reckoned {
  said: Pick<Said, 'call' | 'untold'>
  /** What the agent has told itself. */
  told: Usage
  isCut: boolean
  promptChars: number
}

/** All that its files know, with what they only know to have happened, and what may have been under way. */
export function reckonedBy(filed: FiledTurn, { said, told, isCut, promptChars }: Reckoned): Usage {
  const { usage, broken, hidden, context } = filed
  const asLarge = { inputTokens: broken * (context + frameTokens), outputTokens: broken * frameTokens, cachedTokens: 0 }
  const own = {
    inputTokens: hidden * (hiddenTokens + tokensIn(promptChars)),
    outputTokens: hidden * frameTokens,
    cachedTokens: 0,
  }
  const besides = isCut && !filed.whole ? said.untold : noUsage
  return [atLeast(usage, told), atLeast(times(said.call, broken), asLarge), own, besides].reduce(sumOf)
}

function toldOnce({ said }: HeardTalk): Usage | null {
  const answer = answerOfTalk(said)
  return answer === null ? null : usageOfAnswer(answer)
}

/** Where only the last call is told, all others were at most as long: a conversation only grows. */
export function usageTold(heard: HeardTalk): Usage | null {
  const { turn, known, said } = heard
  const told = toldOnce(heard)
  if (told === null || !known.tellsLastCall) return told ?? said.usage
  return times(told, Math.max(1, said.calls) + (known.asksTitle && turn.session === null ? 1 : 0))
}

/** What it tells is about the session: for one that is gone on with only the difference counts. Free is not known. */
function usdOf({ session }: AgentTurn, { usd: { now, before } }: Said): number | null {
  const start = session === null ? 0 : before
  return now !== null && start !== null && now > start ? now - start : null
}

export const answerOfTalk = ({ ending }: Said) => (ending !== null && 'answer' in ending ? ending.answer : null)
