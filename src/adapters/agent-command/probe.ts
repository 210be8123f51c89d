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
  if (candidates.some(isExecutable)) return { usable: true, version: null }
  const there = candidates.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
  if (there === undefined)
    return { usable: false, problem: `there is no program ${program}`, remedy: 'Install it, or correct the command.' }
  return { usable: false, problem: `${there} is not executable`, remedy: `Run: chmod +x ${there}` }
}

function programOf(options: Record<string, unknown>): string | AgentProbe {
  try {
    return parseOptions(options).command[0]
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return { usable: false, problem: error.message, remedy: error.remedy }
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
