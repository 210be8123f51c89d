import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { TerminalError } from '../../ports/errors.ts'
import type { Command } from '../../ports/shell.ts'
import { type Bubblewrap, cannotConfine } from './bubblewrap/bubblewrap.ts'
import { findProgram } from './bubblewrap/find-program.ts'
import { markVariable, wrap } from './bubblewrap/wrap.ts'

/** What is started: the program itself, or bubblewrap around it; or why there is nothing to start. */
export type LaunchPlan = { program: string; args: string[] } | { problem: string }

export function launchPlan(command: Command, bubblewrap: () => Bubblewrap): LaunchPlan {
  if (!statSync(command.cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new TerminalError(`there is no directory ${command.cwd}`, 'Check that nothing removed it, then try again.')
  const { cwd, env, confine } = command
  const { program, args } = argv(command.run)
  if (confine === null) return { program, args }
  const wrapper = bubblewrap()
  if ('problem' in wrapper) throw cannotConfine(wrapper.problem)
  const found = findProgram(program, { cwd, searchPath: env.PATH })
  if ('problem' in found) return { problem: `${program}: ${found.problem}` }
  return { program: wrapper.file, args: wrap({ cwd, env, confine, file: found.path, argv: [program, ...args] }) }
}

/** Starts it as the leader of its own session. Without a pid, `notFound` says why. */
export function launch({ cwd, env, mark, confine }: Command, program: string, args: string[]): ChildProcess {
  try {
    return spawn(program, args, {
      cwd,
      env: { ...env, [markVariable]: mark },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', ...(confine === null ? [] : ['pipe' as const])],
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

/** For a child without a pid: why its program is not usable; or the machine cannot spawn (TerminalError). */
export async function problemOf(child: ChildProcess, program: string): Promise<string> {
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve))
  const problem = unusable.get(error.code ?? '')
  if (problem === undefined) throw cannotSpawn(program, error)
  return `${program}: ${problem}`
}

function cannotSpawn(program: string, error: NodeJS.ErrnoException): TerminalError {
  const remedy =
    error.code === 'E2BIG'
      ? 'Its arguments and environment are too large: shorten them.'
      : 'Check the limits of this machine on processes, open files and memory.'
  return new TerminalError(`cannot start ${program}: ${error.message}`, remedy)
}
