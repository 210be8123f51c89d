import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import type { AgentError, AgentResult } from '../../../ports/agent-driver.ts'
import type { Exit } from '../../../ports/shell.ts'
import { errorFrom, failed } from '../failure.ts'
import { cutOff, questionIn, resultBy } from '../turn.ts'
import { isUsed } from '../usage.ts'
import { errorOfRefusal, failureIn, stopped } from './failure.ts'
import { type HeardTalk, spentInTalk, usageTold } from './spent.ts'

interface Ended extends HeardTalk {
  exit: Exit
}

/** Finished is only what the agent called finished, and what has cost something: an error may look the same. */
export function resultOfTalk(ended: Ended): AgentResult {
  const { turn, said, exit } = ended
  const error = failureOf(ended, usageTold(ended) ?? noUsage)
  return resultBy({
    ...{ error, question: questionOf(ended), session: said.session ?? turn.session, text: said.text, exit },
    spent: spentInTalk(ended, error),
  })
}

function questionOf({ turn, said }: Ended): AgentResult['question'] {
  const { asked } = said
  if (asked !== null) return { text: `May it: ${asked.title}`, options: ['allow', 'deny'], permission: asked }
  return questionIn(turn)
}

function failureOf(ended: Ended, told: Usage): AgentError | null {
  const { turn, said, exit } = ended
  if (turn.signal.aborted) return failed('aborted', 'aborted')
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
  return known.tellsTokens && !isUsed(usage) ? errorOfRefusal({ code: 0, message }) : failed('unknown', message)
}
