import { noUsage, type Usage } from '../../delivery/money/ledger.ts'
import type { AgentError, AgentResult } from '../../ports/agent-driver.ts'
import type { Exit } from '../../ports/shell.ts'
import { errorFrom, errorOf } from '../../proof/agents/failure.ts'
import { questionIn } from '../../proof/agents/question.ts'
import { jsonObjectIn } from '../../std/json-file.ts'
import { never } from '../../std/never.ts'
import { type Heard, spentBy, usageTold } from './spent.ts'
import { failureIn, refused, stopped } from './told/failure.ts'
import { isUsed } from './told/usage.ts'

interface Ended extends Heard {
  exit: Exit
}

/** Finished is only what the agent called finished, and what has cost something: an error may look the same. */
export function resultOf(ended: Ended): AgentResult {
  const { turn, said, exit } = ended
  const error = failureOf(ended, usageTold(ended) ?? noUsage)
  const question = error === null ? questionOf(ended) : null
  return {
    status: error !== null ? 'failed' : question !== null ? 'asked' : 'finished',
    error,
    question,
    session: said.session ?? turn.session,
    text: said.text,
    spent: spentBy(ended, error),
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

function failureOf(ended: Ended, told: Usage): AgentError | null {
  const { turn, said, exit } = ended
  if (turn.signal.aborted) return errorOf('aborted', { status: null, message: 'aborted', resetsAt: null })
  // What it answers to being ended is no answer to the prompt.
  if (exit.reason === 'timeout' || exit.reason === 'idle') return inTrouble(ended, cutOff(exit))
  if (said.asked !== null) return null
  if (said.ending === null) return exit.reason === 'signalled' ? cutOff(exit) : inTrouble(ended, cutOff(exit))
  if ('error' in said.ending) return inTrouble(ended, said.ending.error)
  const { answer } = said.ending
  const failure = failureIn(answer) ?? stopped(answer)
  if (failure !== null) return failure
  return hasWorked(ended, told) ? null : inTrouble(ended, pretended(ended, told))
}

/**
 * What its files tell of the last refusal is more than an error without a status, or than that its time was over. Of a
 * refusal that it does tell they have the service's own words.
 */
function inTrouble({ filed, said }: Ended, error: AgentError): AgentError {
  if (filed === null || filed.trouble === null) return error
  const { status, message } = filed.trouble
  if (error.status !== null && error.status !== status) return error
  const both = `${message} (${error.message})`
  // Where nobody knows whose words its own are, they say nothing.
  const isOwn = said.ending === null || error.kind === 'unknown' || error.status !== null
  const told = { ...errorFrom({ status, message: isOwn ? message : both, resetsAt: error.resetsAt }), message: both }
  if (told.kind !== 'unknown') return told
  // What it still tried again it took for passing.
  return said.ending === null ? { ...told, kind: 'overloaded', retryable: true } : error
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
