// Turns of an agent that does what a test says, over ACP.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { acpDriver } from '../../../../src/adapters/agents/acp/driver.ts'
import { allowedEnvironment } from '../../../../src/adapters/shell/environment.ts'
import { openShell } from '../../../../src/adapters/shell/shell.ts'
import type { AgentDriver, AgentTurn } from '../../../../src/ports/agent-driver.ts'
import { type Played, play, temporaryFolder } from '../../agent.ts'

export type Script = Record<string, unknown>

const program = join(import.meta.dirname, 'agent.mjs')

export const openDriver = (env: Record<string, string | undefined> = process.env): AgentDriver =>
  acpDriver({ shell: openShell({ graceMs: 200 }), environment: (extra) => allowedEnvironment(env, extra), env })

export const byHand = (script: Script = {}): { command: string[] } => ({
  command: [process.execPath, program, JSON.stringify(script)],
})

/** The same under the name of an agent of which more is known. */
export function called(name: string, script: Script = {}): { command: string[] } {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 })
  return { command: [file, JSON.stringify(script)] }
}

export interface Heard extends Played {
  /** What the agent was told, in order. */
  heard: {
    id?: number
    method?: string
    params?: Record<string, unknown>
    result?: unknown
    error?: { code: number }
  }[]
}

export async function playScript(script: Script, over: Partial<AgentTurn> = {}): Promise<Heard> {
  return playOptions(byHand(script), over)
}

export async function playOptions(options: Record<string, unknown>, over: Partial<AgentTurn> = {}): Promise<Heard> {
  const played = await play(openDriver(), options, over)
  return { ...played, heard: heardIn(played.turn.workspace) }
}

export function heardIn(workspace: string): Heard['heard'] {
  const file = join(workspace, 'heard.jsonl')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

export const said = (text: string): Script => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
})
