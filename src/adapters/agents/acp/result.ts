// What comes of a turn over the protocol: how it ended, and what it has spent.
import { statSync } from 'node:fs'
import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import type { AgentError, AgentResult, AgentTurn, LostTurn, Spent } from '../../../ports/agent-driver.ts'
import type { Exit } from '../../../ports/shell.ts'
import { errorFrom, failed } from '../failure.ts'
import { type AskedOfFiles, type FiledTurn, fileLines } from '../filed.ts'
import { asObject, type Json, objectOn } from '../json.ts'
import { cutOff, questionIn, resultBy, type Variables } from '../turn.ts'
import { atLeast, frameTokens, isUsed, sumOf, times, tokensIn } from '../usage.ts'
import type { Said } from './conversation.ts'
import { errorOfRefusal, failureIn, stopped } from './failure.ts'
import { filers, type KnownAgent } from './known-agents.ts'
import { askedFor, Updates, usageOfAnswer } from './updates.ts'

interface EndedTalk {
  turn: AgentTurn
  known: KnownAgent
  said: Said
  /** What its own files tell; null: nothing. */
  filed: FiledTurn | null
  exit: Exit
}

/** Finished is only what the agent called finished, and what has cost something: an error may look the same. */
export function resultOfTalk(ended: EndedTalk): AgentResult {
  const { turn, said, exit, filed } = ended
  const error = failureOf(ended)
  const counted = filed === null ? asTold(ended, error) : asFiled(ended, filed, error)
  return resultBy({
    ...{ error, question: questionOf(ended), session: said.session ?? turn.session, text: said.text, exit },
    spent: { ...counted, usd: usdOf(turn, said), model: said.model, totals: null },
  })
}

function questionOf({ turn, said: { asked } }: EndedTalk): AgentResult['question'] {
  if (asked === null) return questionIn(turn)
  return { text: `May it: ${asked.title}`, options: ['allow', 'deny'], permission: asked }
}

function failureOf(ended: EndedTalk): AgentError | null {
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
  const told = usageTold(ended) ?? noUsage
  return hasWorked(ended, told) ? null : inTrouble(ended, pretended(ended, told))
}

/**
 * What its files tell of the last refusal is more than an error without a status, or than that its time was over. Of a
 * refusal that it does tell they have the service's own words.
 */
function inTrouble({ filed, said }: EndedTalk, error: AgentError): AgentError {
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
function hasWorked({ known, said }: EndedTalk, usage: Usage): boolean {
  if (known.errorMark !== undefined && said.lastPiece.startsWith(known.errorMark)) return false
  if (isUsed(usage) || known.tellsTokens) return isUsed(usage)
  const { now, before } = said.contextTokens
  return now !== null && now > 0 && now !== before && said.toolsDone > 0
}

/** The words mean something only when no model can have said them. */
function pretended({ known, said }: EndedTalk, usage: Usage): AgentError {
  const message = said.text.trim().slice(-2_000) || 'it ended its turn without calling a model'
  return known.tellsTokens && !isUsed(usage) ? errorOfRefusal({ code: 0, message }) : failed('unknown', message)
}

type Counted = Pick<Spent, 'usage' | 'exact'>

function asTold(ended: EndedTalk, error: AgentError | null): Counted {
  const { known, said } = ended
  const told = usageTold(ended)
  const stopReason = answerIn(said)?.stopReason ?? 'cancelled'
  const hasFailed = error !== null && stopReason === 'end_turn'
  const isWhole = told !== null && stopReason !== 'cancelled' && !hasFailed
  const exact = known.exact === true && isWhole && error === null
  // Refused with a status it has cost nothing.
  const isRefused = error !== null && error.status !== null && said.calls === 0
  if (isWhole || isRefused) return { usage: told ?? noUsage, exact }
  return { usage: atLeast(told ?? noUsage, sumOf(said.usage ?? noUsage, said.untold)), exact }
}

/** What its files know of each call, which is more than it tells; and what not even they know is reckoned. */
function asFiled(ended: EndedTalk, filed: FiledTurn, error: AgentError | null): Counted {
  const { said, known, turn } = ended
  const hasEnded = said.ending !== null && answerIn(said)?.stopReason !== 'cancelled'
  const isCut = !hasEnded || error?.kind === 'timeout' || error?.kind === 'idle'
  const told = (known.tellsLastCall ? toldOnce(said) : usageTold(ended)) ?? said.usage ?? noUsage
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
function reckonedBy(filed: FiledTurn, { said, told, isCut, promptChars }: Reckoned): Usage {
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

const answerIn = ({ ending }: Said) => (ending !== null && 'answer' in ending ? ending.answer : null)

function toldOnce(said: Said): Usage | null {
  const answer = answerIn(said)
  return answer === null ? null : usageOfAnswer(answer)
}

/** Where only the last call is told, all others were at most as long: a conversation only grows. */
function usageTold({ turn, known, said }: EndedTalk): Usage | null {
  const told = toldOnce(said)
  if (told === null || !known.tellsLastCall) return told ?? said.usage
  return times(told, Math.max(1, said.calls) + (known.asksTitle && turn.session === null ? 1 : 0))
}

/** What it tells is about the session: for one that is gone on with only the difference counts. Free is not known. */
function usdOf({ session }: AgentTurn, { usd: { now, before } }: Said): number | null {
  const start = session === null ? 0 : before
  return now !== null && start !== null && now > start ? now - start : null
}

/** What a turn has used that nobody could see to its end: by the agent's own files, else as far as it had told. */
export async function salvageTalk(lost: LostTurn, env: Variables): Promise<Spent | null> {
  const { transcript, promptChars, session } = lost
  const updates = new Updates(promptChars, () => {})
  let answered: ReturnType<typeof usageOfAnswer> = null
  try {
    for await (const line of fileLines(transcript)) {
      const message = objectOn(line)
      const result = asObject(message?.result)
      updates.hear(updateIn(message) ?? {})
      if (result !== null && 'stopReason' in result) answered = usageOfAnswer(result)
      // What was told before an answer to anything else was the session's past.
      else if (result !== null) updates.begin()
    }
  } catch {
    return null
  }
  const said = updates.told()
  const filed = session === null ? null : await filedIn({ env, session, since: statSync(transcript).birthtimeMs })
  const told = said.usage ?? noUsage
  const known = filed === null ? sumOf(told, said.untold) : reckonedBy(filed, { said, told, isCut: true, promptChars })
  // What is answered may be about the last call alone.
  const usage = atLeast(answered ?? noUsage, known)
  return isUsed(usage) ? { usage, usd: null, exact: false, model: null, totals: null } : null
}

/** As the turn itself heard it. */
function updateIn(message: Json | null): Json | null {
  const params = asObject(message?.params) ?? {}
  if (message?.method === 'session/request_permission') return askedFor(params)
  return message?.method === 'session/update' ? asObject(params.update) : null
}

async function filedIn(asked: AskedOfFiles): Promise<FiledTurn | null> {
  for (const read of filers) {
    const filed = await read(asked)
    if (filed !== null) return filed
  }
  return null
}
