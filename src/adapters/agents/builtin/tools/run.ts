import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { jsonObjectIn } from '../../../../std/json-file.ts'
import { plainText } from '../../../../std/text/plain-text.ts'
import type { FunctionTool } from '../model/api.ts'
import { fencedOutput, keepEnds } from './output.ts'
import type { ToolPlace } from './place.ts'
import { type ModelTool, tool } from './tool.ts'

interface Ran {
  code: number | null
  /** Standard output and error as they came, cut in the middle. */
  output: string
  timedOut: boolean
}

/** Runs a program in a process group of its own, of which nothing is left when this returns. */
export async function run(place: ToolPlace, command: [string, ...string[]], timeoutMs: number): Promise<Ran> {
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

export const shellTool = tool({
  name: 'shell',
  description:
    'Runs one command line with sh in the workspace. No input; whatever it leaves running in the background is ended.',
  input: z.object({
    command: z.string().min(1),
    timeoutSeconds: z.number().positive().max(1800).default(120).describe('Then it is ended'),
  }),
  async run({ command, timeoutSeconds }, place) {
    const { code, output, timedOut } = await run(place, ['sh', '-c', command], timeoutSeconds * 1000)
    const ended = timedOut ? `ended after ${timeoutSeconds} seconds` : code === null ? 'killed' : `exit code ${code}`
    return { ok: code === 0, text: `${ended}\n${fencedOutput(plainText(output), '')}` }
  },
})

const submitMs = 60_000

/** The tool that takes the answer, as the program says that is there for it; null: no answer is wanted. */
export function submitTool(program: string, resultFile: string): ModelTool | null {
  const { tool } = jsonObjectIn(`${resultFile}.contract`) as { tool?: Omit<FunctionTool, 'type'> }
  if (tool === undefined) return null
  const draft = `${resultFile}.draft`
  return {
    name: tool.name,
    declared: { type: 'function', ...tool },
    async run(input, place) {
      writeFileSync(draft, JSON.stringify(input), { mode: 0o600 })
      const command: [string, ...string[]] = [process.execPath, program, '--once', draft, resultFile]
      const { code, output } = await run(place, command, submitMs)
      return { ok: code === 0, text: output.trim() }
    },
  }
}
