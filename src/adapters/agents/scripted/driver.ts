import { rmSync } from 'node:fs'
import type { AgentDriver, AgentResult, AgentTurn } from '../../../ports/agent-driver.ts'
import { resultBy, unusable } from '../turn.ts'
import { type ActionPerformer, acts } from './acts.ts'
import { type Action, bestEntry, loadScript, type ScriptEntry } from './script.ts'
import { openStage, type PlayEnding, type ScriptedDeps, type Stage, wrong } from './stage.ts'

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
  const { code, ...ending } = await playTurn(stage).finally(stage.close)
  const { usd, ...usage } = stage.spent
  return resultBy({
    ...{ ...ending, session: stage.session, text: stage.lastSaid },
    spent: { usage, usd, exact: true, model: turn.model, totals: null },
    exit: { code, durationMs: Math.round(performance.now() - stage.since) },
  })
}

async function playTurn(stage: Stage): Promise<PlayEnding> {
  const { turn } = stage
  const script = loadScript(turn.options, turn.workspace)
  if ('problem' in script) return wrong(script.problem)
  const entry = bestEntry(script.entries, turn)
  const place = `role ${turn.role}, story ${turn.story ?? 'none'}, attempt ${turn.attempt}, round ${turn.round}`
  if (entry === null) return wrong(`${script.name} has no entry for ${place}`)
  return play(entry, stage, `${script.name}: entry ${script.entries.indexOf(entry) + 1}`)
}

/** Plays an entry's actions in order until one of them ends the turn, or a limit does. */
async function play(entry: ScriptEntry, stage: Stage, name: string): Promise<PlayEnding> {
  for (const [index, action] of entry.do.entries()) {
    const [key] = Object.keys(action) as [keyof Action]
    const ending = stage.cutShort() ?? (await act(key, action, stage)) ?? stage.cutShort()
    if (ending?.error?.kind === 'bad-request') return wrong(`${name}, do ${index + 1}, ${key}: ${ending.error.message}`)
    if (ending !== null) return ending
  }
  return { error: null, question: null, code: 0 }
}

const tools = new Set<keyof Action>(['write', 'replace', 'patch', 'delete', 'shell'])
const longestDetail = 200

/** What changes files or runs something is shown as the use of a tool. */
async function act(key: keyof Action, action: Action, stage: Stage): Promise<PlayEnding | null> {
  const { onEvent } = stage.turn
  const perform = acts[key] as ActionPerformer<unknown>
  const id = `scripted-${tools.has(key) ? ++stage.toolCalls : 0}`
  const detail = JSON.stringify(action[key]).slice(0, longestDetail)
  if (tools.has(key)) void onEvent({ type: 'tool-started', id, name: key, detail })
  const outcome = await perform(action[key], stage)
  if (tools.has(key)) void onEvent({ type: 'tool-ended', id, ok: outcome === null, output: null })
  return outcome === 'red' ? null : outcome
}
