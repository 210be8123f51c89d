import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentTurn } from '../../ports/agent-driver.ts'
import type { Command, Confinement } from '../../ports/shell.ts'
import { turnEnvironment } from '../../ports/turn-environment.ts'
import { hashOf } from '../../std/hash.ts'
import type { CliAgent, Start } from './cli-agent.ts'
import { type CliDeps, passedOn } from './deps.ts'
import { furnish, type Home, openHome } from './home.ts'
import { parseOptions } from './options.ts'

export interface Ready {
  start: Start
  /** How its program is called, without a word of ours. */
  program: [string, ...string[]]
  command: [string, ...string[]]
  /** What all commands of the turn have in common. */
  base: Pick<Command, 'cwd' | 'env' | 'mark' | 'signal' | 'confine'>
}

/** All that a turn is started with: its home is furnished, nothing has run yet. */
export function makeReady(turn: AgentTurn, agent: CliAgent, deps: CliDeps): Ready {
  const options = parseOptions(agent.name, turn.options)
  const home = openHome(agent, options, deps)
  const session = turn.session ?? (agent.choosesSession ? turn.openAs : null)
  const usageFile = usageFileOf(turn.transcript, deps)
  const start: Start = { turn, session, home: home.folder, usageFile, env: deps.env }
  if (options.home === 'own') furnish(agent, start)
  const env = deps.environment({
    ...passedOn(agent, options, deps),
    ...home.environment,
    ...agent.environment(start),
    ...turnEnvironment(turn),
  })
  const program = options.command ?? [agent.program]
  const last = agent.lastArgs?.(options.args) ?? []
  return {
    start,
    program,
    command: [...program, ...agent.args(start), ...options.args, ...last],
    base: {
      ...{ cwd: turn.workspace, env, mark: turn.mark, signal: turn.signal },
      confine: confinementOf(start, agent, home),
    },
  }
}

/** Known from the transcript alone, so that it is found when the turn has died with our process. */
export const usageFileOf = (transcript: string, { homes }: CliDeps): string =>
  join(homes, 'turns', hashOf(transcript), 'usage.json')

/** It may also write its home with its sign-in, what it unpacks, and the answers of this turn. */
function confinementOf({ turn, usageFile, env }: Start, agent: CliAgent, home: Home): Confinement | null {
  if (turn.confine === null) return null
  const caches = agent.home.caches(env)
  for (const folder of [...caches, home.folder]) mkdirSync(folder, { recursive: true })
  const own = [home.folder, ...home.linked, ...caches, dirname(turn.resultFile), dirname(usageFile)]
  const hide = turn.confine.hide.filter((path) => !home.seen.includes(path))
  const show = turn.submit === null ? [] : [turn.submit.program, turn.submit.args[0]]
  const kept = [...turn.confine.kept, ...home.seen]
  return { ...turn.confine, hide, show, kept, write: [...turn.confine.write, ...own] }
}
