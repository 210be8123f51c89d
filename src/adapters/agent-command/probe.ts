import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { AgentProbe } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import { parseOptions } from './options.ts'

/** Is the program there and executable? It is not started: nothing is known about what it would do. */
export function probeProgram(options: Record<string, unknown>, cwd: string, path: string): AgentProbe {
  const program = programOf(options)
  if (typeof program !== 'string') return program
  const candidates = program.includes('/')
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((folder) => resolve(cwd, join(folder, program)))
  if (candidates.some(isExecutable)) return { usable: true, version: null, signedIn: null, notes: [] }
  const there = candidates.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
  if (there === undefined) return unusable(`there is no program ${program}`, 'Install it, or correct the command.')
  return unusable(`${there} is not executable`, `Run: chmod +x ${there}`)
}

function programOf(options: Record<string, unknown>): string | AgentProbe {
  try {
    return parseOptions(options).command[0]
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return unusable(error.message, error.remedy)
  }
}

const unusable = (problem: string, remedy: string): AgentProbe => ({ usable: false, version: null, problem, remedy })

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
