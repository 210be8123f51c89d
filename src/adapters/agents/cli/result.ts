// What comes of a turn: how it ended, and what it has spent.
import { noUsage, tokensOf, type Usage } from '../../../delivery/money/ledger.ts'
import type { AgentError, AgentErrorKind, AgentResult, LostTurn, Spent } from '../../../ports/agent-driver.ts'
import type { Exit } from '../../../ports/shell.ts'
import { errorFrom, errorOf } from '../failure.ts'
import { type Filed, fileLines } from '../filed.ts'
import { cutOff, questionIn, resultBy } from '../turn.ts'
import { atLeast, difference, sumOf } from '../usage.ts'
import { type CliAgent, type CliStart, kindIn, meant } from './cli-agent.ts'
import { type HeardRun, openEar } from './reader.ts'

interface EndedRun {
  agent: CliAgent
  start: CliStart
  heard: HeardRun
  exit: Exit
  filed: Filed | null
  /** From where the agent has gone on counting. */
  totals: Usage
}

/** Finished is only what the agent itself called finished; each other way to end has its own name. */
export function resultOfRun(ended: EndedRun): AgentResult {
  const { agent, start, heard, exit } = ended
  const { turn } = start
  const spent = spentBy(agent, { ...ended, isCut: isCut(heard, exit) || brokeOff(agent, heard) })
  return resultBy({
    ...{ error: failureOf(ended, spent), question: questionIn(turn), session: heard.session ?? start.session },
    ...{ text: heard.text, spent: { ...spent, model: spent.model ?? turn.model }, exit },
  })
}

function failureOf(ended: EndedRun, spent: Spent): AgentError | null {
  const { exit, heard, agent, filed } = ended
  const { ending, resetsAt } = heard
  // What it says to being ended is no answer to the prompt: had it been finished before, no limit would have been reached.
  const outOfTime = exit.reason === 'timeout' || exit.reason === 'idle'
  if (ending?.ok === true && !outOfTime) return null
  if (ending?.ok === false) {
    const { kind, status, message } = ending.error
    const told = { status, message, resetsAt: ending.error.resetsAt ?? resetsAt }
    return errorOf(kindIn(agent, ending) ?? kind, told)
  }
  // It exits although its last lines are not written yet: a slow reader never gets them. An answer that its files had
  // before, from an earlier turn of the session, is none.
  const hasAnswered = filed?.answered === true && spent.usage.outputTokens > 0
  if (exit.reason === 'exited' && exit.code === 0 && hasAnswered) return null
  const trouble = exit.reason === 'aborted' ? null : troubleOf(ended)
  const cut = cutOff(exit)
  if (trouble === null) return errorOf(kindOf(ended) ?? cut.kind, { status: null, message: cut.message, resetsAt })
  return { ...errorFrom({ ...trouble, resetsAt }), message: `${trouble.message} (${cut.message})` }
}

/** What it was still trying to get over when it was ended. */
function troubleOf({ heard, filed }: EndedRun): Filed['trouble'] {
  const status = heard.trouble?.status ?? null
  if (status === null) return filed?.trouble ?? null
  return { status, message: 'the model API refused, and it was trying again' }
}

/** Of a turn without a last word. What is on standard error counts only when the model has not come to do anything. */
function kindOf({ exit, heard, agent }: EndedRun): AgentErrorKind | null {
  if (exit.reason !== 'exited' && exit.reason !== 'lingered') return null
  return agent.exits?.[exit.code ?? 0] ?? (heard.worked ? null : meant(agent, exit.stderrTail))
}

/** From where the agent goes on counting. Its own files know better than we do: a turn may have been killed. */
export async function startingTotals(agent: CliAgent, { turn, home }: CliStart): Promise<Usage> {
  if (turn.session === null) return noUsage
  return countedIn((await agent.filed?.({ home, session: turn.session })) ?? null) ?? turn.totals ?? noUsage
}

const countedIn = (filed: Filed | null): Usage | null => filed?.counted ?? filed?.usage ?? null

interface Counted extends Pick<EndedRun, 'heard' | 'filed' | 'totals'> {
  isCut: boolean
}

/** The spending of this turn alone. Only what the agent summed up itself, at its end, is exact. */
function spentBy(agent: CliAgent, counted: Counted): Spent {
  const { heard, filed, totals } = counted
  const told = heard.usage ?? filed?.usage ?? null
  const { usage, isWhole } = usageOf(agent, counted)
  return {
    usage,
    usd: heard.usd,
    exact: isWhole && told !== null && heard.ending !== null,
    model: heard.model ?? filed?.model ?? null,
    totals: countedIn(filed) ?? (agent.totals === 'session' ? atLeast(totals, told ?? noUsage) : null),
  }
}

/** What is known, and on top of it what can only be reckoned; `isWhole`: nothing had to be. */
function usageOf(agent: CliAgent, { heard, filed, totals, isCut }: Counted): { usage: Usage; isWhole: boolean } {
  const summed = heard.ending === null && filed !== null ? filed.usage : (heard.usage ?? filed?.usage ?? null)
  const alone = agent.totals === 'turn' && summed === heard.usage ? heard.usage : null
  const told = alone ?? (summed === null ? noUsage : difference(summed, totals))
  const known = heard.ending === null ? atLeast(told, heard.sofar ?? noUsage) : told
  const toldNothing = heard.worked && summed === null && heard.sofar === null
  const reckoned = isCut || toldNothing ? heard.untold : heard.broken
  return { usage: sumOf(known, reckoned), isWhole: heard.inexact !== true && tokensOf(reckoned) === 0 }
}

/** It had begun, and did not come to its last word. Who leaves by itself before its model said anything has asked none. */
const isCut = ({ ending, worked, heardAny }: HeardRun, { reason }: Exit): boolean =>
  ending === null && heardAny && reason !== 'not-found' && (worked || reason !== 'exited')

const brokenKinds: (AgentErrorKind | null)[] = ['network', 'overloaded', 'unknown']

/** Its last call was not refused with a status: it had begun to be answered, and what that used is in nothing it tells. */
const brokeOff = (agent: CliAgent, { ending }: HeardRun): boolean =>
  agent.losesBroken === true &&
  ending?.ok === false &&
  ending.error.status === null &&
  brokenKinds.includes(kindIn(agent, ending))

interface DeadRun extends LostTurn {
  usageFile: string
  /** Where its session may be. */
  homes: string[]
}

/** What a turn had spent that nobody saw the end of: from its session's own files, else from its transcript. */
export async function salvageRun(agent: CliAgent, dead: DeadRun): Promise<Spent | null> {
  const heard = await heardIn(agent, dead)
  if (heard === null) return null
  const filed = await filedIn(agent, heard.session ?? dead.session, dead.homes)
  const isCut = heard.ending === null && heard.heardAny
  const spent = spentBy(agent, { heard, filed, totals: dead.totals ?? noUsage, isCut })
  return tokensOf(spent.usage) === 0 ? null : { ...spent, exact: false }
}

async function filedIn(agent: CliAgent, session: string | null, homes: string[]): Promise<Filed | null> {
  if (agent.filed === null || session === null) return null
  for (const home of homes) {
    const filed = await agent.filed({ home, session })
    if (filed !== null) return filed
  }
  return null
}

/** Null when there is no transcript. */
async function heardIn(agent: CliAgent, { transcript, usageFile, promptChars }: DeadRun): Promise<HeardRun | null> {
  const ear = openEar(agent.reader({ usageFile }), promptChars, async () => {})
  try {
    for await (const line of fileLines(transcript)) ear.hear(line)
  } catch {
    return null
  }
  return ear.heard()
}
