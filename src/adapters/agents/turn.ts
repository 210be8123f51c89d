// What the drivers of agents have in common.
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import type { AgentError, AgentProbe, AgentResult, AgentTurn, Spent } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Confinement, Exit, Shell } from '../../ports/shell.ts'
import { jsonObjectIn } from '../../std/files.ts'
import { never } from '../../std/never.ts'
import { failed } from './failure.ts'

export type Variables = Record<string, string | undefined>

export interface DriverDeps {
  shell: Shell
  /** The environment of an agent: what is allowed of ours, and these. */
  environment: (extra: Record<string, string>) => Record<string, string>
  /** The user's environment, of which an agent gets what it is declared to need. */
  env: Variables
}

/** Those variables that are set. */
export const chosenVariables = (names: string[], env: Variables): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))

/** The files that a program's name may mean, as they are looked for. */
export function filesNamed(program: string, cwd: string, path = ''): string[] {
  const names = program.includes('/') ? [program] : path.split(delimiter).map((folder) => join(folder, program))
  return names
    .map((name) => resolve(cwd, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
}

/** For a command that answers a question and goes. */
export const quickly = {
  ...{ input: '', idleTimeoutMs: null, isWaiting: null, done: null, confine: null, spool: null },
  ...{ onLine: null, onStart: null },
}

/** The driver's part of an agent's settings. */
export function optionsBy<Shape extends z.ZodType>(
  shape: Shape,
  options: unknown,
  { wrong, remedy }: { wrong: string; remedy: string },
): z.infer<Shape> {
  const parsed = shape.safeParse(options)
  if (parsed.success) return parsed.data
  throw new TerminalError(`${wrong}: ${z.prettifyError(parsed.error)}`, remedy)
}

export const unusable = (version: string | null, problem: string, remedy: string) => ({
  ...{ usable: false as const, version, problem, remedy },
})

/** What settings that are wrong, or a machine that cannot do it, make of a probe. */
export async function probed(probe: () => Promise<AgentProbe> | AgentProbe): Promise<AgentProbe> {
  try {
    return await probe()
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return unusable(null, error.message, error.remedy)
  }
}

const question = z.object({ text: z.string().min(1), options: z.array(z.string()).default([]) })

/** What an agent asks with `{"question": {"text": …, "options": […]}}` in its result; null: it asks nothing. */
export function questionIn({ resultFile }: Pick<AgentTurn, 'resultFile'>): AgentResult['question'] {
  const asked = question.safeParse(jsonObjectIn(resultFile).question).data
  return asked === undefined ? null : { ...asked, permission: null }
}

interface Ended extends Pick<AgentResult, 'error' | 'question' | 'session' | 'text'> {
  exit: Pick<Exit, 'code' | 'durationMs'>
  spent: Spent
}

export const resultBy = ({ error, question: asked, exit, ...rest }: Ended): AgentResult => ({
  status: error !== null ? 'failed' : asked !== null ? 'asked' : 'finished',
  error,
  question: error === null ? asked : null,
  ...rest,
  exitCode: exit.code,
  durationMs: exit.durationMs,
})

const lastWordsLength = 2_000

export function lastWords({ stderrTail, stdoutTail }: Exit): string {
  const words = (stderrTail.trim() || stdoutTail.trim()).slice(-lastWordsLength)
  return words && `: ${words}`
}

/** It was gone before its last word. */
export function cutOff(exit: Exit): AgentError {
  switch (exit.reason) {
    case 'exited':
    case 'lingered':
      return failed('crash', `ended without a result (exit code ${exit.code})${lastWords(exit)}`)
    case 'signalled':
      return failed('crash', `killed by ${exit.signal}${lastWords(exit)}`)
    case 'timeout':
      return failed('timeout', `not finished after ${Math.round(exit.durationMs / 1000)} s`)
    case 'idle':
      return failed('idle', 'no sign of life for too long')
    case 'aborted':
      return failed('aborted', 'aborted')
    case 'not-found':
      return failed('spawn', exit.stderrTail)
    default:
      return never(exit.reason)
  }
}

/** What a turn may touch: it may also write its answer and these, and see these where they are hidden from others. */
export function confinedFor(
  { confine, resultFile, submit }: AgentTurn,
  { write, seen }: { write: string[]; seen: string[] },
): Confinement | null {
  if (confine === null) return null
  return {
    ...confine,
    show: submit === null ? [] : [submit.program, submit.args[0]],
    hide: confine.hide.filter((path) => !seen.includes(path)),
    kept: [...confine.kept, ...seen],
    write: [...confine.write, dirname(resultFile), ...write],
  }
}

const xdgVariables: Record<string, string> = {
  '.config': 'XDG_CONFIG_HOME',
  '.local/share': 'XDG_DATA_HOME',
  '.local/state': 'XDG_STATE_HOME',
  '.cache': 'XDG_CACHE_HOME',
}

/** Folders in the user's home in which programs keep what is theirs. */
export const usual = Object.keys(xdgVariables)

/** Where a path of the user's home is, when some of it may have been moved. */
export function placeInHome(path: string, env: Variables): string {
  const folder = usual.find((one) => path.startsWith(`${one}/`))
  const moved = folder === undefined ? undefined : env[xdgVariables[folder] ?? '']
  if (folder !== undefined && moved) return join(moved, path.slice(folder.length))
  return join(env.HOME ?? homedir(), path)
}

/** What an agent finds in its environment about the turn it was started for. */
export function turnEnvironment(turn: AgentTurn): Record<string, string> {
  return {
    ...turn.environment,
    ROPEWALK_ROLE: turn.role,
    ROPEWALK_DELIVERY: turn.delivery,
    ROPEWALK_STORY: turn.story ?? '',
    ROPEWALK_ATTEMPT: String(turn.attempt),
    ROPEWALK_ROUND: String(turn.round),
    ROPEWALK_BASE: turn.base,
    ROPEWALK_RESULT: turn.resultFile,
    ...(turn.model === null ? {} : { ROPEWALK_MODEL: turn.model }),
    ...(turn.session === null ? {} : { ROPEWALK_SESSION: turn.session }),
  }
}
