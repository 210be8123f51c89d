import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Ending } from './ending.ts'
import { runIn } from './run-line.ts'
import type { Stage } from './stage.ts'

export function writeFiles(files: Record<string, string>, { turn }: Stage): null {
  for (const [path, content] of Object.entries(files)) writeFile(join(turn.workspace, path), content)
  return null
}

export function deleteFiles(paths: string[], { turn }: Stage): null {
  for (const path of paths) rmSync(join(turn.workspace, path), { recursive: true, force: true })
  return null
}

/** Done already is done: a turn that was killed is played again from its start. */
export function replaceText(edit: { path: string; find: string; with: string }, { turn }: Stage): Ending | null {
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
export async function patchFiles(patch: string, stage: Stage): Promise<Ending | null> {
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
