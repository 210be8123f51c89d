import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { TerminalError } from '../../ports/errors.ts'
import type { Command } from '../../ports/shell.ts'

/** The variable by which every process of a tree is known, whatever session it moved to. */
export const markVariable = 'ROPEWALK_MARK'

/** Starts the command as the leader of its own session. Without a pid, `notFound` says why. */
export function launch(command: Command): ChildProcess {
  if (!statSync(command.cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new TerminalError(`there is no directory ${command.cwd}`, 'Check that nothing removed it, then try again.')
  const { program, args } = argv(command.run)
  try {
    return spawn(program, args, {
      cwd: command.cwd,
      env: { ...command.env, [markVariable]: command.mark },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw cannotSpawn(program, error as NodeJS.ErrnoException)
  }
}

function argv(run: Command['run']): { program: string; args: string[] } {
  return 'line' in run ? { program: '/bin/sh', args: ['-c', run.line] } : run
}

const unusable = new Map([
  ['ENOENT', 'no such program'],
  ['EACCES', 'not executable'],
  ['ENOTDIR', 'no such program'],
  ['ENOEXEC', 'not a program: its first line must name an interpreter'],
])

/** For a child without a pid: the program is not usable, or the machine cannot spawn (TerminalError). */
export async function notFound(child: ChildProcess, command: Command) {
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve))
  const { program } = argv(command.run)
  const problem = unusable.get(error.code ?? '')
  if (problem === undefined) throw cannotSpawn(program, error)
  return { reason: 'not-found' as const, code: null, signal: null, problem: `${program}: ${problem}` }
}

function cannotSpawn(program: string, error: NodeJS.ErrnoException): TerminalError {
  const remedy =
    error.code === 'E2BIG'
      ? 'Its arguments and environment are too large: shorten them.'
      : 'Check the limits of this machine on processes, open files and memory.'
  return new TerminalError(`cannot start ${program}: ${error.message}`, remedy)
}
