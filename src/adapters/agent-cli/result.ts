import type { AgentError, AgentErrorKind, AgentResult, Spent } from '../../ports/agent-driver.ts'
import type { Exit } from '../../ports/shell.ts'
import { errorFrom, errorOf } from '../../proof/agents/failure.ts'
import { questionIn } from '../../proof/agents/question.ts'
import { jsonObjectIn } from '../../std/json-file.ts'
import { never } from '../../std/never.ts'
import { type CliAgent, type Filed, kindIn, meant, type Start } from './cli-agent.ts'
import type { Heard } from './ear.ts'

interface Ended {
  exit: Exit
  heard: Heard
  filed: Filed | null
  spent: Spent
  agent: CliAgent
  start: Start
}

/** Finished is only what the agent itself called finished; each other way to end has its own name. */
export function resultOf(ended: Ended): AgentResult {
  const { exit, heard, spent, start } = ended
  const error = failureOf(ended)
  const question = error === null ? questionIn(jsonObjectIn(start.turn.resultFile)) : null
  return {
    status: error !== null ? 'failed' : question !== null ? 'asked' : 'finished',
    error,
    question: question === null ? null : { ...question, permission: null },
    session: heard.session ?? start.session,
    text: heard.text,
    spent,
    exitCode: exit.code,
    durationMs: exit.durationMs,
  }
}

function failureOf(ended: Ended): AgentError | null {
  const { exit, heard, agent } = ended
  const { ending, resetsAt } = heard
  // What it says to being ended is no answer to the prompt: had it been finished before, no limit would have been reached.
  const outOfTime = exit.reason === 'timeout' || exit.reason === 'idle'
  if (ending?.ok === true && !outOfTime) return null
  if (ending?.ok === false) {
    const { kind, status, message } = ending.error
    return errorOf(kindIn(agent, ending) ?? kind, {
      status,
      message,
      resetsAt: ending.error.resetsAt ?? resetsAt,
    })
  }
  if (exit.reason === 'exited' && exit.code === 0 && hasAnswered(ended)) return null
  const trouble = exit.reason === 'aborted' ? null : troubleOf(ended)
  const message = messageOf(exit)
  if (trouble === null) return errorOf(kindOf(ended), { status: null, message, resetsAt })
  return { ...errorFrom({ ...trouble, resetsAt }), message: `${trouble.message} (${message})` }
}

/**
 * It exits although its last lines are not written yet: a slow reader never gets them. An answer that its files had
 * before, from an earlier turn of the session, is none.
 */
const hasAnswered = ({ filed, spent }: Ended): boolean => filed?.answered === true && spent.usage.outputTokens > 0

/** What it was still trying to get over when it was ended. */
function troubleOf({ heard, filed }: Ended): Filed['trouble'] {
  if (heard.trouble?.status !== undefined && heard.trouble.status !== null)
    return { status: heard.trouble.status, message: 'the model API refused, and it was trying again' }
  return filed?.trouble ?? null
}

/** Of a turn without a last word. What is on standard error counts only when the model has not come to do anything. */
function kindOf({ exit, heard, agent }: Ended): AgentErrorKind {
  switch (exit.reason) {
    case 'exited':
    case 'lingered':
      return agent.exits?.[exit.code ?? 0] ?? (heard.worked ? null : meant(agent, exit.stderrTail)) ?? 'crash'
    case 'signalled':
      return 'crash'
    case 'not-found':
      return 'spawn'
    case 'timeout':
    case 'idle':
    case 'aborted':
      return exit.reason
    default:
      return never(exit.reason)
  }
}

function messageOf(exit: Exit): string {
  const words = lastWords(exit)
  const said = words === '' ? '' : `: ${words}`
  switch (exit.reason) {
    case 'exited':
    case 'lingered':
      return `ended without a result (exit code ${exit.code})${said}`
    case 'signalled':
      return `killed by ${exit.signal}${said}`
    case 'timeout':
      return `not finished after ${Math.round(exit.durationMs / 1000)} s`
    case 'idle':
      return 'no sign of life for too long'
    case 'aborted':
      return 'aborted'
    case 'not-found':
      return exit.stderrTail
    default:
      return never(exit.reason)
  }
}

const lastWordsLength = 2_000

const lastWords = (exit: Exit): string => (exit.stderrTail.trim() || exit.stdoutTail.trim()).slice(-lastWordsLength)
