// What each action of a script does.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { failed } from '../failure.ts'
import type { Action } from './script.ts'
import { type ActOutcome, runOn, type Stage, wrong } from './stage.ts'

export type ActionPerformer<Value> = (value: Value, stage: Stage) => Promise<ActOutcome>

export const acts: { [Key in keyof Action]-?: ActionPerformer<NonNullable<Action[Key]>> } = {
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
