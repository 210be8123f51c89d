import { existsSync, mkdirSync } from 'node:fs'
import { z } from 'zod'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import { TerminalError } from '../../../ports/errors.ts'
import type { Confinement } from '../../../ports/shell.ts'
import {
  chosenVariables,
  confinedFor,
  type DriverDeps,
  optionsBy,
  placeInHome,
  usual,
  type Variables,
} from '../turn.ts'
import { type KnownAgent, knownAgent } from './known-agents.ts'

export interface AcpStart {
  known: KnownAgent
  program: string
  args: string[]
  /** What is known to do it good, and what of ours the settings let it have. */
  passed: Record<string, string>
}

const shape = z.object({
  command: z.tuple([z.string().min(1)], z.string()),
  /** After all others. */
  args: z.array(z.string()).default([]),
  environment: z.array(z.string().min(1)).default([]),
  permissions: z.enum(['bypass', 'ask']).default('bypass'),
})

/** What exactly is started. */
export function acpStart(options: Record<string, unknown>, model: string | null, { env }: DriverDeps): AcpStart {
  const { command, args, environment, permissions } = optionsBy(shape, options, {
    wrong: "the ACP agent's settings are wrong",
    remedy: 'Give it the program that speaks ACP, such as command: ["goose"] or command: ["./my-agent", "--acp"].',
  })
  const known = knownAgent(command)
  const [program, ...own] = known.command
  if (permissions === 'ask' && known.agent.unasked !== undefined)
    throw new TerminalError(
      `${program} cannot be used with permissions: ask: ${known.agent.unasked}`,
      'Set permissions: bypass, with which it is confined like any other agent, or name an agent that asks.',
    )
  const { modelFlag, asking, environment: quiet } = known.agent
  const flags = model === null || modelFlag === undefined ? [] : [modelFlag, model]
  const named = chosenVariables(environment, env)
  return {
    known: known.agent,
    program,
    args: [...own, ...flags, ...args],
    passed: { ...(permissions === 'ask' ? asking : {}), ...named, ...quiet?.(named) },
  }
}

/** It may also write the files that it keeps. */
export function acpConfinement(turn: AgentTurn, known: KnownAgent, env: Variables): Confinement | null {
  if (turn.confine === null) return null
  const needed = (known.needs ?? []).map((path) => placeInHome(path, env))
  for (const folder of needed) mkdirSync(folder, { recursive: true })
  const usually = (known.keeps ?? []).flatMap((name) => [`.${name}`, ...usual.map((folder) => `${folder}/${name}`)])
  const found = usually.map((path) => placeInHome(path, env)).filter((path) => existsSync(path))
  // A folder that its settings name in a variable is its own, wherever it is.
  const named = Object.values(env)
  const seen = turn.confine.hide.filter((path) => named.includes(path))
  return confinedFor(turn, { write: [...needed, ...found], seen })
}
