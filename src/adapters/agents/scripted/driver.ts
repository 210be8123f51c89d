import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentDriver, AgentResult, AgentTurn } from '../../../ports/agent-driver.ts'
import { failed } from '../failure.ts'
import { resultBy, unusable } from '../turn.ts'
import { type Action, bestEntry, loadScript, type ScriptEntry } from './script.ts'
import { type ActOutcome, openStage, type PlayEnding, runOn, type ScriptedDeps, type Stage, wrong } from './stage.ts'

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

type ActionPerformer<Value> = (value: Value, stage: Stage) => Promise<ActOutcome>

/** What each action does. */
const acts: { [Key in keyof Action]-?: ActionPerformer<NonNullable<Action[Key]>> } = {
  write: editing((files, { turn }) => {
    for (const [path, content] of Object.entries(files)) writeFile(join(turn.workspace, path), content)
  }),
  /** Done already is done: a turn that was killed is played again from its start. */
  replace: editing(({ path, find, with: instead }, { turn }) => {
    const file = join(turn.workspace, path)
    if (!existsSync(file)) throw new Error(`there is no file ${path}`)
    const text = readFileSync(file, 'utf8')
    const changed = text.replace(find, () => instead)
    if (text.includes(find)) writeFile(file, changed)
    else if (!text.includes(instead)) throw new Error(`${path} does not contain ${find}`)
  }),
  /** A unified diff, by git. Done already is done, here too. */
  async patch(patch, stage) {
    const apply = (...flags: string[]) =>
      runOn(stage, { program: 'git', args: ['apply', '--whitespace=nowarn', ...flags, '-'] }, patch)
    const exit = await apply()
    if (exit.code === 0 || stage.cutShort() !== null) return null
    if ((await apply('--reverse', '--check')).code === 0) return null
    return wrong(`the patch does not apply: ${exit.stderrTail.trim()}`)
  },
  delete: editing((paths, { turn }) => {
    for (const path of paths) rmSync(join(turn.workspace, path), { recursive: true, force: true })
  }),
  /** A command line, as an agent's tool would run it: that it fails is noted, and the agent goes on. */
  async shell(line, stage) {
    const exit = await runOn(stage, { line }, '')
    if (exit.stderrTail !== '') stage.record(exit.stderrTail)
    if (exit.code !== 0) stage.record(`exit code ${exit.code ?? exit.signal}`)
    return exit.code === 0 ? null : 'red'
  },
  async say(text, stage) {
    stage.say(text)
    return null
  },
  async sleep(ms, { signal }) {
    await sleep(ms, null, { signal }).catch(() => {})
    return null
  },
  async usage({ usd, ...usage }, { turn, spent }) {
    spent.inputTokens += usage.inputTokens
    spent.outputTokens += usage.outputTokens
    spent.cachedTokens += usage.cachedTokens
    spent.usd += usd
    void turn.onEvent({ type: 'usage', usage })
    return null
  },
  /** What can only be known in the turn is named by its variable. */
  result: editing((value, { turn, env }) => {
    const filled = (_: string, one: unknown): unknown =>
      typeof one === 'string' ? one.replace(/\$(ROPEWALK_[A-Z]+)/g, (name, key) => env[key] ?? name) : one
    writeFile(turn.resultFile, `${JSON.stringify(value, filled, 2)}\n`)
  }),
  ask: async (question) => ({ error: null, question: { ...question, permission: null }, code: null }),
  async limit({ resetsAt: time, resetsInMs, kind }, { turn }) {
    const resetsAt = time !== undefined ? Date.parse(time) : resetsInMs !== undefined ? Date.now() + resetsInMs : null
    void turn.onEvent({ type: 'limit', resetsAt })
    const error = { ...failed(kind, 'the script reports a limit'), retryable: true, resetsAt }
    return { error, question: null, code: null }
  },
  exit: async (code) => ({ error: code === 0 ? null : failed('crash', `exit code ${code}`), question: null, code }),
  crash: async (signal) => ({ error: failed('crash', `killed by ${signal}`), question: null, code: null }),
  async hang(_, { signal }) {
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return null
  },
}

/** A path that cannot be written is the script's mistake. */
function editing<Value>(edit: (value: Value, stage: Stage) => void): ActionPerformer<Value> {
  return async (value, stage) => {
    try {
      edit(value, stage)
      return null
    } catch (error) {
      return wrong((error as Error).message)
    }
  }
}

function writeFile(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
