import { rmSync } from 'node:fs'
import type { AgentDriver, AgentError, AgentResult, AgentTurn } from '../../../ports/agent-driver.ts'
import { never } from '../../../std/never.ts'
import { failed } from '../failure.ts'
import { resultBy, unusable } from '../turn.ts'
import { play } from './play.ts'
import { bestEntry, loadScript, type ScriptEntry } from './script.ts'
import { openStage, type PlayEnding, type ScriptedDeps, type Stage } from './stage.ts'

/** An agent without a model: it does what a YAML script says. */
export function scriptedDriver(deps: ScriptedDeps): AgentDriver {
  return {
    run: (turn) => run(turn, deps),
    // Nobody is paid for it.
    salvage: async () => null,
    async probe(options, cwd) {
      const script = loadScript(options, cwd)
      if (!('problem' in script)) return { usable: true, version: null, signedIn: null, notes: [] }
      return unusable(null, script.problem, 'Correct the script; see docs/guides/scripted-agent.md.')
    },
  }
}

async function run(turn: AgentTurn, deps: ScriptedDeps): Promise<AgentResult> {
  const stage = openStage(turn, deps)
  rmSync(turn.resultFile, { force: true })
  const command = ['scripted', String(turn.options.script ?? 'steps')]
  await turn.onEvent({ type: 'started', command, environment: Object.keys(stage.env).sort(), version: null })
  await turn.onEvent({ type: 'session', session: stage.session })
  const ending = await playTurn(stage).finally(stage.close)
  return resultOf(stage, ending)
}

async function playTurn(stage: Stage): Promise<PlayEnding> {
  const { turn } = stage
  const script = loadScript(turn.options, turn.workspace)
  if ('problem' in script) return { type: 'wrong', problem: script.problem }
  const entry = bestEntry(script.entries, turn)
  const place = `role ${turn.role}, story ${turn.story ?? 'none'}, attempt ${turn.attempt}, round ${turn.round}`
  if (entry === null) return { type: 'wrong', problem: `${script.name} has no entry for ${place}` }
  return play(entry, stage, nameOf(script, entry))
}

function nameOf(script: { name: string; entries: ScriptEntry[] }, entry: ScriptEntry): string {
  return `${script.name}: entry ${script.entries.indexOf(entry) + 1}`
}

function resultOf(stage: Stage, ending: PlayEnding): AgentResult {
  const { usd, ...usage } = stage.spent
  const code = ending.type === 'exited' ? ending.code : null
  return resultBy({
    error: errorOf(ending),
    question: ending.type === 'asked' ? ending.question : null,
    ...{ session: stage.session, text: stage.lastSaid },
    spent: { usage, usd, exact: true, model: stage.turn.model, totals: null },
    exit: { code, durationMs: Math.round(performance.now() - stage.since) },
  })
}

function errorOf(ending: PlayEnding): AgentError | null {
  switch (ending.type) {
    case 'asked':
      return null
    case 'exited':
      return ending.code === 0 ? null : failed('crash', `exit code ${ending.code}`)
    case 'killed':
      return failed('crash', `killed by ${ending.signal}`)
    case 'limited':
      return { ...failed(ending.kind, 'the script reports a limit'), retryable: true, resetsAt: ending.resetsAt }
    case 'cut':
      return failed(ending.by, ending.by === 'idle' ? 'said nothing for too long' : ending.by)
    case 'wrong':
      return failed('bad-request', ending.problem)
    default:
      return never(ending)
  }
}
