import type { AgentError, AgentErrorKind, AgentResult, Spent } from '../../../ports/agent-driver.ts'
import type { Exit } from '../../../ports/shell.ts'
import { errorFrom, errorOf } from '../failure.ts'
import { cutOff, questionIn, resultBy } from '../turn.ts'
import { type CliAgent, type CliStart, type FiledSession, kindIn, meant } from './cli-agent.ts'
import type { HeardRun } from './ear.ts'

interface Ended {
  exit: Exit
  heard: HeardRun
  filed: FiledSession | null
  spent: Spent
  agent: CliAgent
  start: CliStart
}

/** Finished is only what the agent itself called finished; each other way to end has its own name. */
export function resultOfRun(ended: Ended): AgentResult {
  const { exit, heard, spent, start } = ended
  const session = heard.session ?? start.session
  return resultBy({ error: failureOf(ended), question: questionIn(start.turn), session, text: heard.text, spent, exit })
}

function failureOf(ended: Ended): AgentError | null {
  const { exit, heard, agent } = ended
  const { ending, resetsAt } = heard
  // What it says to being ended is no answer to the prompt: had it been finished before, no limit would have been reached.
  const outOfTime = exit.reason === 'timeout' || exit.reason === 'idle'
  if (ending?.ok === true && !outOfTime) return null
  if (ending?.ok === false) {
    const { kind, status, message } = ending.error
    const told = { status, message, resetsAt: ending.error.resetsAt ?? resetsAt }
    return errorOf(kindIn(agent, ending) ?? kind, told)
  }
  if (exit.reason === 'exited' && exit.code === 0 && hasAnswered(ended)) return null
  const trouble = exit.reason === 'aborted' ? null : troubleOf(ended)
  const cut = cutOff(exit)
  if (trouble === null) return errorOf(kindOf(ended) ?? cut.kind, { status: null, message: cut.message, resetsAt })
  return { ...errorFrom({ ...trouble, resetsAt }), message: `${trouble.message} (${cut.message})` }
}

/**
 * It exits although its last lines are not written yet: a slow reader never gets them. An answer that its files had
 * before, from an earlier turn of the session, is none.
 */
const hasAnswered = ({ filed, spent }: Ended): boolean => filed?.answered === true && spent.usage.outputTokens > 0

/** What it was still trying to get over when it was ended. */
function troubleOf({ heard, filed }: Ended): FiledSession['trouble'] {
  const status = heard.trouble?.status ?? null
  if (status === null) return filed?.trouble ?? null
  return { status, message: 'the model API refused, and it was trying again' }
}

/** Of a turn without a last word. What is on standard error counts only when the model has not come to do anything. */
function kindOf({ exit, heard, agent }: Ended): AgentErrorKind | null {
  if (exit.reason !== 'exited' && exit.reason !== 'lingered') return null
  return agent.exits?.[exit.code ?? 0] ?? (heard.worked ? null : meant(agent, exit.stderrTail))
}
