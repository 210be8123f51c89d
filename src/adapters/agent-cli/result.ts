import type { AgentError, AgentErrorKind, AgentResult, Spent } from '../../ports/agent-driver.ts'
import { errorFrom, errorOf } from '../../ports/agent-failure.ts'
import { questionIn } from '../../ports/agent-question.ts'
import type { Exit } from '../../ports/shell.ts'
import { jsonObjectIn } from '../../std/json-file.ts'
import { never } from '../../std/never.ts'
import type { CliAgent, Start } from './cli-agent.ts'
import type { Heard } from './ear.ts'

interface Ended {
  exit: Exit
  heard: Heard
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

function failureOf({ exit, heard, agent }: Ended): AgentError | null {
  const { ending, resetsAt } = heard
  if (ending?.ok === true) return null
  if (ending?.ok === false) {
    const { error } = ending
    return errorOf(meant(agent, error.message) ?? error.kind, {
      status: error.status,
      message: error.message,
      resetsAt: error.resetsAt ?? resetsAt,
    })
  }
  const message = messageOf(exit)
  if (exit.reason !== 'aborted' && heard.trouble !== null) {
    const { status } = heard.trouble
    return errorFrom({ status, message: `it was still trying again: ${message}`, resetsAt })
  }
  return errorOf(kindOf({ exit, heard, agent }), { status: null, message, resetsAt })
}

const meant = (agent: CliAgent, words: string): AgentErrorKind | null =>
  agent.meanings.find(({ says }) => says.test(words))?.kind ?? null

/** Of a turn without a last word. What is on standard error counts only when the model has not come to do anything. */
function kindOf({ exit, heard, agent }: Pick<Ended, 'exit' | 'heard' | 'agent'>): AgentErrorKind {
  switch (exit.reason) {
    case 'exited':
    case 'lingered':
      return (heard.worked ? null : meant(agent, lastWords(exit))) ?? 'crash'
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
