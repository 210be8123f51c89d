import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { AgentResult, AgentTurn } from '../../../ports/agent-driver.ts'
import type { Command, Exit } from '../../../ports/shell.ts'
import { hashOf } from '../../../std/hash.ts'
import { failed } from '../failure.ts'
import { confinedFor, type DriverDeps, quickly, turnEnvironment } from '../turn.ts'

export type ScriptedDeps = Omit<DriverDeps, 'env'> & { redact: (text: string) => string }

/** How a turn ended. */
export type PlayEnding = Pick<AgentResult, 'error' | 'question'> & { code: number | null }

/** What came of one action: `red` when a command failed, which ends nothing; null when all went well. */
export type ActOutcome = PlayEnding | 'red' | null

/** The script itself is at fault. */
export const wrong = (problem: string): PlayEnding => ({
  ...{ error: failed('bad-request', problem), question: null, code: null },
})

export type Stage = ReturnType<typeof openStage>
type Cut = 'timeout' | 'idle' | 'aborted'

const longestTimerMs = 2 ** 31 - 1
const after = (ms: number, act: () => void) => setTimeout(act, Math.min(ms, longestTimerMs))

/** What a turn is played on: its limits, its transcript, and what it has said and spent so far. */
export function openStage(turn: AgentTurn, { shell, environment, redact }: ScriptedDeps) {
  const cutter = new AbortController()
  const cut = (by: Cut) => cutter.abort(by)
  const onAbort = () => cut('aborted')
  const transcript = openTranscript(turn.transcript, redact)
  const timeout = after(turn.timeoutMs, () => cut('timeout'))
  let idle = after(turn.idleTimeoutMs, () => cut('idle'))
  turn.signal.addEventListener('abort', onAbort, { once: true })
  if (turn.signal.aborted) onAbort()

  const stage = {
    turn,
    shell,
    env: environment(turnEnvironment(turn)),
    session: sessionOf(turn),
    since: performance.now(),
    spent: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, usd: 0 },
    lastSaid: '',
    toolCalls: 0,
    /** Aborts when the turn must end; `cutShort` says why. */
    signal: cutter.signal,
    cut,
    cutShort(): PlayEnding | null {
      if (!cutter.signal.aborted) return null
      const by: Cut = cutter.signal.reason
      return { error: failed(by, by === 'idle' ? 'said nothing for too long' : by), question: null, code: null }
    },
    record: transcript.add,
    say(text: string): void {
      idle.refresh()
      stage.lastSaid = text
      transcript.add(text)
      void turn.onEvent({ type: 'text', text })
    },
    /** While a command runs, the shell watches for silence. */
    async unwatched<T>(act: () => Promise<T>): Promise<T> {
      clearTimeout(idle)
      return act().finally(() => {
        idle = after(turn.idleTimeoutMs, () => cut('idle'))
      })
    },
    close(): void {
      clearTimeout(timeout)
      clearTimeout(idle)
      turn.signal.removeEventListener('abort', onAbort)
      transcript.close()
    },
  }
  return stage
}

/** Runs a command in the workspace, under the turn's mark and limits. */
export function runOn(stage: Stage, run: Command['run'], input: string): Promise<Exit> {
  const { turn, env, signal, shell } = stage
  return stage.unwatched(async () => {
    const exit = await shell.run({
      ...{ ...quickly, run, cwd: turn.workspace, env, input, mark: turn.mark, signal },
      ...{ timeoutMs: turn.timeoutMs, idleTimeoutMs: turn.idleTimeoutMs, onLine: stage.record },
      confine: confinedFor(turn, { write: [], seen: [] }),
    })
    if (exit.reason === 'idle' || exit.reason === 'timeout') stage.cut(exit.reason)
    return exit
  })
}

/** One session for each attempt of a role, so that it is known before anything happens. */
function sessionOf({ session, delivery, story, role, attempt }: AgentTurn): string {
  return session ?? `scripted-${hashOf({ delivery, story, role, attempt })}`
}

const bufferLength = 64 * 1024

function openTranscript(path: string, redact: ScriptedDeps['redact']) {
  rmSync(path, { force: true })
  const fd = openSync(path, 'wx', 0o600)
  let buffer = ''
  const flush = () => {
    writeSync(fd, redact(buffer))
    buffer = ''
  }
  return {
    add(line: string): void {
      buffer += `${line}\n`
      if (buffer.length > bufferLength) flush()
    },
    close(): void {
      flush()
      closeSync(fd)
    },
  }
}
