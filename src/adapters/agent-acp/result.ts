import { noUsage, type Usage } from '../../delivery/money/ledger.ts'
import { atLeast, sumOf } from '../../ports/agent/estimate.ts'
import { errorFrom, errorOf } from '../../ports/agent/failure.ts'
import { questionIn } from '../../ports/agent/question.ts'
import type { AgentError, AgentResult, AgentTurn, Spent } from '../../ports/agent-driver.ts'
import type { Exit } from '../../ports/shell.ts'
import { jsonObjectIn } from '../../std/json-file.ts'
import { never } from '../../std/never.ts'
import type { KnownAgent } from './known-agents.ts'
import type { Records } from './records.ts'
import type { Said } from './talk/converse.ts'
import { failureIn, refused, stopped } from './told/failure.ts'
import { isUsed, usageOfAnswer } from './told/usage.ts'

interface Ended {
  turn: AgentTurn
  known: KnownAgent
  said: Said
  /** What the agent's own files say of this turn. */
  records: Records | null
  exit: Exit
}

/** Finished is only what the agent called finished, and what has cost something: an error may look the same. */
export function resultOf(ended: Ended): AgentResult {
  const { turn, said, exit } = ended
  const told = usageBy(ended)
  const error = failureOf(ended, told ?? noUsage)
  const question = error === null ? questionOf(ended) : null
  return {
    status: error !== null ? 'failed' : question !== null ? 'asked' : 'finished',
    error,
    question,
    session: said.session ?? turn.session,
    text: said.text,
    spent: spentBy(ended, told, error),
    exitCode: exit.code,
    durationMs: exit.durationMs,
  }
}

function questionOf({ turn, said }: Ended): AgentResult['question'] {
  const { asked } = said
  if (asked !== null) return { text: `May it: ${asked.title}`, options: ['allow', 'deny'], permission: asked }
  const question = questionIn(jsonObjectIn(turn.resultFile))
  return question === null ? null : { ...question, permission: null }
}

function spentBy(ended: Ended, told: Usage | null, error: AgentError | null): Spent {
  const { turn, known, said, records } = ended
  const stopReason = answerIn(said)?.stopReason ?? 'cancelled'
  const hasFailed = error !== null && stopReason === 'end_turn'
  const isWhole = told !== null && stopReason !== 'cancelled' && !hasFailed
  // Refused with a status it has cost nothing.
  const isRefused = error !== null && error.status !== null && said.calls === 0
  return {
    usage:
      records !== null
        ? onRecord(ended, records, told ?? noUsage)
        : isWhole || isRefused
          ? (told ?? noUsage)
          : atLeast(told ?? noUsage, sumOf(said.usage ?? noUsage, said.untold)),
    usd: usdOf(turn, said),
    exact: known.exact && isWhole && error === null,
    model: said.model,
    totals: null,
  }
}

/** When it has answered, all of its calls are on record; when it was cut off, there may have been one more. */
function onRecord({ said, exit }: Ended, records: Records, told: Usage): Usage {
  const answer = answerIn(said)
  const isCut =
    said.ending === null || answer?.stopReason === 'cancelled' || exit.reason === 'timeout' || exit.reason === 'idle'
  const known = sumOf(atLeast(records.usage, told), times(said.call, records.unpriced))
  return isCut ? sumOf(known, said.untold) : known
}

/** Where only the last call is told, all others were at most as long: a conversation only grows. */
function usageBy({ turn, known, said }: Ended): Usage | null {
  const answer = answerIn(said)
  const told = answer === null ? null : usageOfAnswer(answer)
  if (told === null || !known.tellsLastCall) return told ?? said.usage
  return times(told, Math.max(1, said.calls) + (known.asksTitle && turn.session === null ? 1 : 0))
}

const times = ({ inputTokens, outputTokens, cachedTokens }: Usage, count: number): Usage => ({
  inputTokens: inputTokens * count,
  outputTokens: outputTokens * count,
  cachedTokens: cachedTokens * count,
})

/** What it tells is about the session: for one that is gone on with only the difference counts. Free is not known. */
function usdOf({ session }: AgentTurn, { usd: { now, before } }: Said): number | null {
  const start = session === null ? 0 : before
  return now !== null && start !== null && now > start ? now - start : null
}

const answerIn = ({ ending }: Said) => (ending !== null && 'answer' in ending ? ending.answer : null)

function failureOf(ended: Ended, told: Usage): AgentError | null {
  const { turn, said, exit } = ended
  if (turn.signal.aborted) return errorOf('aborted', { status: null, message: 'aborted', resetsAt: null })
  // What it answers to being ended is no answer to the prompt.
  if (exit.reason === 'timeout' || exit.reason === 'idle') return explained(cutOff(exit), ended)
  if (said.asked !== null) return null
  if (said.ending === null) return cutOff(exit)
  if ('error' in said.ending) return explained(said.ending.error, ended)
  const { answer } = said.ending
  const failure = failureIn(answer) ?? stopped(answer)
  if (failure !== null) return failure
  return hasWorked(ended, told) ? null : pretended(ended, told)
}

/**
 * Where it says nothing until its time is over, or only that it failed, its own files may say with what. Of what it does
 * tell they have the service's own words.
 */
function explained(error: AgentError, { records }: Ended): AgentError {
  const trouble = records?.trouble ?? null
  if (trouble === null) return error
  const isTold = !['unknown', 'timeout', 'idle'].includes(error.kind)
  if (isTold && (error.status === null || error.status !== trouble.status)) return error
  const found = errorFrom({ ...trouble, resetsAt: error.resetsAt })
  return found.kind === 'unknown' ? error : { ...found, message: `${trouble.message} (${error.message})` }
}

/**
 * Some end a turn that failed as if it had been fine, with the error as text. Then nothing was used. How full the
 * context is says nothing, it may be told after a failure too; unless that is all that is told, and something was done.
 */
function hasWorked({ known, said }: Ended, usage: Usage): boolean {
  if (known.errorMark !== null && said.lastPiece.startsWith(known.errorMark)) return false
  if (isUsed(usage) || known.tellsTokens) return isUsed(usage)
  const { now, before } = said.contextTokens
  return now !== null && now > 0 && now !== before && said.toolsDone > 0
}

/** The words mean something only when no model can have said them. */
function pretended({ known, said }: Ended, usage: Usage): AgentError {
  const message = said.text.trim().slice(-2_000) || 'it ended its turn without calling a model'
  const told = { status: null, message, resetsAt: null }
  return known.tellsTokens && !isUsed(usage) ? refused({ code: 0, message }) : errorOf('unknown', told)
}

/** It was gone before it had answered. */
function cutOff(exit: Exit): AgentError {
  const words = (exit.stderrTail.trim() || exit.stdoutTail.trim()).slice(-2_000)
  const told = (message: string) => ({ status: null, message, resetsAt: null })
  switch (exit.reason) {
    case 'exited':
    case 'lingered':
      return errorOf('crash', told(`ended without a result (exit code ${exit.code})${words && `: ${words}`}`))
    case 'signalled':
      return errorOf('crash', told(`killed by ${exit.signal}${words && `: ${words}`}`))
    case 'timeout':
      return errorOf('timeout', told(`not finished after ${Math.round(exit.durationMs / 1000)} s`))
    case 'idle':
      return errorOf('idle', told('no sign of life for too long'))
    case 'aborted':
      return errorOf('aborted', told('aborted'))
    case 'not-found':
      return errorOf('spawn', told(exit.stderrTail))
    default:
      return never(exit.reason)
  }
}
