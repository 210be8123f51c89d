import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** The file that a shell would run under this name, or what is wrong with it. */
export function findProgram(
  program: string,
  { cwd, searchPath }: { cwd: string; searchPath: string | undefined },
): { path: string } | { problem: string } {
  const folders = (searchPath ?? '/usr/bin:/bin').split(delimiter)
  const candidates = program.includes('/') ? [program] : folders.map((folder) => join(folder, program))
  const files = candidates.map((path) => resolve(cwd, path)).filter(isFile)
  const path = files.find(isExecutable)
  if (path !== undefined) return { path }
  return { problem: files.length === 0 ? 'no such program' : 'not executable' }
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
