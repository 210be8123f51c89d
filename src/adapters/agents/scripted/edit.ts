import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command, Exit } from '../../../ports/shell.ts'
import { quickly } from '../turn.ts'
import type { ActOutcome, PlayEnding, Stage } from './stage.ts'

export function writeFiles(files: Record<string, string>, { turn }: Stage): null {
  for (const [path, content] of Object.entries(files)) writeFile(join(turn.workspace, path), content)
  return null
}

export function deleteFiles(paths: string[], { turn }: Stage): null {
  for (const path of paths) rmSync(join(turn.workspace, path), { recursive: true, force: true })
  return null
}

/** Done already is done: a turn that was killed is played again from its start. */
export function replaceText(edit: { path: string; find: string; with: string }, { turn }: Stage): PlayEnding | null {
  const file = join(turn.workspace, edit.path)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : null
  if (text === null) return { type: 'wrong', problem: `there is no file ${edit.path}` }
  if (text.includes(edit.find))
    writeFile(
      file,
      text.replace(edit.find, () => edit.with),
    )
  else if (!text.includes(edit.with)) return { type: 'wrong', problem: `${edit.path} does not contain ${edit.find}` }
  return null
}

/** A unified diff, by git. Done already is done, here too. */
export async function patchFiles(patch: string, stage: Stage): Promise<PlayEnding | null> {
  const apply = (...flags: string[]) =>
    runIn(stage, { program: 'git', args: ['apply', '--whitespace=nowarn', ...flags, '-'] }, patch)
  const exit = await apply()
  if (exit.code === 0 || stage.cutBy() !== null) return null
  if ((await apply('--reverse', '--check')).code === 0) return null
  return { type: 'wrong', problem: `the patch does not apply: ${exit.stderrTail.trim()}` }
}

/** What can only be known in the turn is named by its variable. */
export function writeResult(value: unknown, { turn, env }: Stage): null {
  const filled = (_: string, one: unknown): unknown =>
    typeof one === 'string' ? one.replace(/\$(ROPEWALK_[A-Z]+)/g, (name, key) => env[key] ?? name) : one
  writeFile(turn.resultFile, `${JSON.stringify(value, filled, 2)}\n`)
  return null
}

function writeFile(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** A command line, as an agent's tool would run it: that it fails is noted, and the agent goes on. */
export async function runScriptLine(line: string, stage: Stage): Promise<ActOutcome> {
  const exit = await runIn(stage, { line }, '')
  if (exit.stderrTail !== '') stage.record(exit.stderrTail)
  if (exit.code !== 0) stage.record(`exit code ${exit.code ?? exit.signal}`)
  return exit.code === 0 ? null : 'red'
}

/** In the workspace, under the turn's mark and limits. */
function runIn(stage: Stage, run: Command['run'], input: string): Promise<Exit> {
  const { turn } = stage
  const { confine, resultFile } = turn
  return stage.unwatched(async () => {
    const exit = await stage.shell.run({
      ...{ ...quickly, run, cwd: turn.workspace, env: stage.env, input, mark: turn.mark, signal: stage.signal },
      ...{ timeoutMs: turn.timeoutMs, idleTimeoutMs: turn.idleTimeoutMs, onLine: stage.record },
      confine: confine === null ? null : { ...confine, write: [...confine.write, dirname(resultFile)] },
    })
    if (exit.reason === 'idle' || exit.reason === 'timeout') stage.cut(exit.reason)
    return exit
  })
}
