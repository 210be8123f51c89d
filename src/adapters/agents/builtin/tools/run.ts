import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { keepEnds } from './output.ts'
import type { Place } from './place.ts'

interface Ran {
  code: number | null
  /** Standard output and error as they came, cut in the middle. */
  output: string
  timedOut: boolean
}

/** Runs a program in a process group of its own, of which nothing is left when this returns. */
export async function run(place: Place, command: [string, ...string[]], timeoutMs: number): Promise<Ran> {
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: place.workspace,
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const kept = keepEnds(place.maxOutputBytes)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => kept.add(bytes))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const limit = AbortSignal.any([place.signal, AbortSignal.timeout(timeoutMs)])
  const end = () => killGroup(child.pid)
  limit.addEventListener('abort', end, { once: true })
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    killGroup(child.pid)
    // Whoever has left the group may still hold the pipes.
    await Promise.race([closed, pause(1000, undefined, { ref: false })])
    return { code, output: kept.text(), timedOut: limit.aborted && !place.signal.aborted }
  } finally {
    limit.removeEventListener('abort', end)
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}
