import { accessSync, constants, rmSync } from 'node:fs'
import * as z from 'zod'
import { noUsage } from '../../delivery/money/ledger.ts'
import type { AgentDriver, AgentError, AgentProbe, AgentResult, AgentTurn } from '../../ports/agent-driver.ts'
import type { Exit } from '../../ports/shell.ts'
import { jsonObjectIn } from '../../std/files.ts'
import { failed } from './failure.ts'
import {
  chosenVariables,
  confinedFor,
  cutOff,
  type DriverDeps,
  filesNamed,
  lastWords,
  optionsBy,
  probed,
  questionIn,
  resultBy,
  turnEnvironment,
  unusable,
} from './turn.ts'

/** Any executable as an agent: the prompt on standard input, the transcript on standard output, 0 is "finished". */
export function commandDriver(deps: DriverDeps): AgentDriver {
  return {
    run: (turn) => run(turn, deps),
    // It tells what it spent in its result file, at the end.
    salvage: async () => null,
    probe: (options, cwd) => probed(() => probe(options, cwd, deps.environment({}).PATH ?? '')),
  }
}

const shape = z.object({
  command: z.tuple([z.string().min(1)], z.string()),
  /** Folders besides its workspace that it may write to: where it keeps sessions or caches. */
  write: z.array(z.string().startsWith('/')).default([]),
  environment: z.array(z.string().min(1)).default([]),
})

const optionsOf = (options: Record<string, unknown>) =>
  optionsBy(shape, options, {
    wrong: "the command agent's settings are wrong",
    remedy: 'Give it a program with its arguments, such as command: ["./my-agent", "--flag"].',
  })

async function run(turn: AgentTurn, deps: DriverDeps): Promise<AgentResult> {
  const { command, environment, write } = optionsOf(turn.options)
  const [program, ...args] = command
  const { resultFile } = turn
  const env = deps.environment({ ...chosenVariables(environment, deps.env), ...turnEnvironment(turn) })
  rmSync(resultFile, { force: true })
  await turn.onEvent({ type: 'started', command, environment: Object.keys(env).sort(), version: null })
  const exit = await deps.shell.run({
    ...{ run: { program, args }, cwd: turn.workspace, env, input: turn.prompt, mark: turn.mark, signal: turn.signal },
    ...{ timeoutMs: turn.timeoutMs, idleTimeoutMs: turn.idleTimeoutMs, spool: turn.transcript },
    onLine: (text) => void turn.onEvent({ type: 'text', text }),
    ...{ onStart: null, isWaiting: null, done: null },
    confine: confinedFor(turn, { write, seen: [] }),
  })
  const answer = told.parse({ ...jsonObjectIn(resultFile) })
  await tell(turn, answer)
  const { usage, usd } = answer
  return resultBy({
    ...{ error: failureOf(exit, answer), question: questionIn(turn), session: answer.session ?? turn.session },
    ...{ text: exit.stdoutTail, exit },
    spent: { usage: usage ?? noUsage, usd, exact: usage !== null || usd !== null, model: turn.model, totals: null },
  })
}

const instant = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))])
const count = z.number().nonnegative()

/** What the result file says to the driver itself. The role's own answer is in the same file and not our concern. */
const told = z.object({
  usage: z
    .object({ inputTokens: count.default(0), outputTokens: count.default(0), cachedTokens: count.default(0) })
    .nullable()
    .catch(null),
  usd: count.nullable().catch(null),
  limit: z
    .object({
      resetsAt: instant.nullable().default(null),
      kind: z.enum(['rate-limit', 'quota', 'overloaded']).default('rate-limit'),
    })
    .nullable()
    .catch(null),
  session: z.string().min(1).nullable().catch(null),
})

type Answer = z.infer<typeof told>

async function tell(turn: AgentTurn, { session, usage, limit }: Answer): Promise<void> {
  if (session !== null) await turn.onEvent({ type: 'session', session })
  if (usage !== null) await turn.onEvent({ type: 'usage', usage })
  if (limit !== null) await turn.onEvent({ type: 'limit', resetsAt: limit.resetsAt })
}

function failureOf(exit: Exit, { limit }: Answer): AgentError | null {
  if (exit.reason === 'idle') return failed('idle', 'printed nothing for too long')
  if (exit.reason !== 'exited' && exit.reason !== 'lingered') return cutOff(exit)
  if (limit !== null)
    return { ...failed(limit.kind, 'the agent reports a limit'), retryable: true, resetsAt: limit.resetsAt }
  return exit.code === 0 ? null : failed('crash', `exit code ${exit.code}${lastWords(exit)}`)
}

/** Is the program there and executable? It is not started: nothing is known about what it would do. */
function probe(options: Record<string, unknown>, cwd: string, path: string): AgentProbe {
  const [program] = optionsOf(options).command
  const files = filesNamed(program, cwd, path)
  if (files.some(isExecutable)) return { usable: true, version: null, signedIn: null, notes: [] }
  const [there] = files
  if (there === undefined)
    return unusable(null, `there is no program ${program}`, 'Install it, or correct the command.')
  return unusable(null, `${there} is not executable`, `Run: chmod +x ${there}`)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
