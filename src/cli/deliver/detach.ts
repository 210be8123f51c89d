import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Cli } from '../verb.ts'

/** A driver of its own session, which outlives the shell it was started from. */
export async function detach({ home, screen }: Cli, delivery: string, folder: string): Promise<number> {
  const output = join(home, 'spools', delivery, 'driver.log')
  mkdirSync(dirname(output), { recursive: true, mode: 0o700 })
  const file = openSync(output, 'a', 0o600)
  const args = [process.argv[1] ?? '', 'resume', delivery, '--stay']
  const child = spawn(process.execPath, args, { detached: true, cwd: folder, stdio: ['ignore', file, file] })
  const problem = await new Promise<Error | null>((resolve) => {
    child.once('spawn', () => resolve(null))
    child.once('error', resolve)
  })
  closeSync(file)
  child.unref()
  if (problem !== null)
    throw new TerminalError(
      `cannot start a driver: ${problem.message}`,
      `continue it here: ropewalk resume ${delivery}`,
    )
  if (screen.json) screen.emit({ delivery, pid: child.pid, output })
  else
    screen.print(
      `${delivery} continues in the background (process ${child.pid}).`,
      `  ropewalk watch --delivery ${delivery}`,
      `  output: ${output}`,
    )
  return 0
}
