import { dirname } from 'node:path'
import type { Command, Exit } from '../../../ports/shell.ts'
import type { Outcome } from './ending.ts'
import type { Stage } from './stage.ts'

/** A command line, as an agent's tool would run it: that it fails is noted, and the agent goes on. */
export async function runLine(line: string, stage: Stage): Promise<Outcome> {
  const exit = await runIn(stage, { line }, '')
  if (exit.stderrTail !== '') stage.record(exit.stderrTail)
  if (exit.code !== 0) stage.record(`exit code ${exit.code ?? exit.signal}`)
  return exit.code === 0 ? null : 'red'
}

/** In the workspace, under the turn's mark and limits. */
export function runIn(stage: Stage, run: Command['run'], input: string): Promise<Exit> {
  const { turn } = stage
  const { confine, resultFile } = turn
  return stage.unwatched(async () => {
    const exit = await stage.shell.run({
      run,
      cwd: turn.workspace,
      env: stage.env,
      input,
      mark: turn.mark,
      timeoutMs: turn.timeoutMs,
      idleTimeoutMs: turn.idleTimeoutMs,
      signal: stage.signal,
      spool: null,
      onLine: stage.record,
      onStart: null,
      isWaiting: null,
      done: null,
      confine: confine === null ? null : { ...confine, write: [...confine.write, dirname(resultFile)] },
    })
    if (exit.reason === 'idle' || exit.reason === 'timeout') stage.cut(exit.reason)
    return exit
  })
}
