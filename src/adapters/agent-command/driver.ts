import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { noUsage } from '../../delivery/money/ledger.ts'
import type { AgentDriver, AgentError, AgentResult, AgentTurn } from '../../ports/agent-driver.ts'
import type { Confinement, Exit, Shell } from '../../ports/shell.ts'
import { turnEnvironment } from '../../ports/turn-environment.ts'
import { never } from '../../std/never.ts'
import { type Answer, readAnswer } from './answer.ts'
import { parseOptions } from './options.ts'
import { probeProgram } from './probe.ts'

interface Deps {
  shell: Shell
  /** The environment of an agent: what is allowed of ours, and these. */
  environment: (extra: Record<string, string>) => Record<string, string>
}

/** Any executable as an agent: the prompt on standard input, the transcript on standard output, 0 is "finished". */
export function commandDriver(deps: Deps): AgentDriver {
  return {
    run: (turn) => run(turn, deps),
    // It tells what it spent in its result file, at the end.
    salvage: async () => null,
    probe: async (options, cwd) => probeProgram(options, cwd, deps.environment({}).PATH ?? ''),
  }
}

async function run(turn: AgentTurn, deps: Deps): Promise<AgentResult> {
  const { command, environment: passed, write } = parseOptions(turn.options)
  const [program, ...args] = command
  const env = deps.environment({ ...passedOn(passed), ...turnEnvironment(turn) })
  rmSync(turn.resultFile, { force: true })
  await turn.onEvent({ type: 'started', command, environment: Object.keys(env).sort(), version: null })
  const exit = await deps.shell.run({
    run: { program, args },
    cwd: turn.workspace,
    env,
    input: turn.prompt,
    mark: turn.mark,
    timeoutMs: turn.timeoutMs,
    idleTimeoutMs: turn.idleTimeoutMs,
    signal: turn.signal,
    spool: turn.transcript,
    onLine: (text) => void turn.onEvent({ type: 'text', text }),
    onStart: null,
    isWaiting: null,
    done: null,
    confine: confinementOf(turn, write),
  })
  const answer = readAnswer(turn.resultFile)
  await tell(turn, answer)
  return resultOf(exit, answer, turn)
}

/** It may also write its answer, and where its settings allow it. */
function confinementOf({ confine, resultFile }: AgentTurn, write: string[]): Confinement | null {
  return confine === null ? null : { ...confine, write: [...confine.write, dirname(resultFile), ...write] }
}

function passedOn(names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

async function tell(turn: AgentTurn, answer: Answer): Promise<void> {
  if (answer.session !== null) await turn.onEvent({ type: 'session', session: answer.session })
  if (answer.usage !== null) await turn.onEvent({ type: 'usage', usage: answer.usage })
  if (answer.limit !== null) await turn.onEvent({ type: 'limit', resetsAt: answer.limit.resetsAt })
}

function resultOf(exit: Exit, answer: Answer, turn: AgentTurn): AgentResult {
  const error = errorOf(exit, answer)
  const asked = error === null && answer.question !== null
  return {
    status: error !== null ? 'failed' : asked ? 'asked' : 'finished',
    error,
    question: asked && answer.question !== null ? { ...answer.question, permission: null } : null,
    session: answer.session ?? turn.session,
    text: exit.stdoutTail,
    spent: {
      usage: answer.usage ?? noUsage,
      usd: answer.usd,
      exact: answer.usage !== null || answer.usd !== null,
      model: turn.model,
      totals: null,
    },
    exitCode: exit.code,
    durationMs: exit.durationMs,
  }
}

function errorOf(exit: Exit, answer: Answer): AgentError | null {
  const failure = (kind: AgentError['kind'], message: string): AgentError => ({
    kind,
    message,
    status: null,
    retryable: false,
    resetsAt: null,
  })
  switch (exit.reason) {
    case 'exited':
    case 'lingered':
      if (answer.limit !== null)
        return {
          ...failure(answer.limit.kind, 'the agent reports a limit'),
          retryable: true,
          resetsAt: answer.limit.resetsAt,
        }
      return exit.code === 0 ? null : failure('crash', `exit code ${exit.code}${lastWords(exit)}`)
    case 'signalled':
      return failure('crash', `killed by ${exit.signal}${lastWords(exit)}`)
    case 'timeout':
      return failure('timeout', `not finished after ${Math.round(exit.durationMs / 1000)} s`)
    case 'idle':
      return failure('idle', 'printed nothing for too long')
    case 'aborted':
      return failure('aborted', 'aborted')
    case 'not-found':
      return failure('spawn', exit.stderrTail)
    default:
      return never(exit.reason)
  }
}

const lastWordsBytes = 2_000

function lastWords(exit: Exit): string {
  const words = (exit.stderrTail.trim() || exit.stdoutTail.trim()).slice(-lastWordsBytes)
  return words === '' ? '' : `: ${words}`
}
