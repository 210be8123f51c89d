import { statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** What a program calls itself, asked once for each state of its files. */
export function openVersions() {
  const known = new Map<string, string>()
  return async (of: Asked, ask: () => Promise<string | null>): Promise<string | null> => {
    const key = keyOf(of)
    if (key === null) return null
    const version = known.get(key) ?? (await ask())
    if (version !== null) known.set(key, version)
    return version
  }
}

export type Versions = ReturnType<typeof openVersions>

interface Asked {
  command: string[]
  cwd: string
  path: string
}

/** Null when the program is not there. A command may be an interpreter with a file: the file counts as well. */
function keyOf({ command, cwd, path }: Asked): string | null {
  const [program = '', ...rest] = command
  const candidates = program.includes('/')
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((folder) => resolve(cwd, join(folder, program)))
  const found = candidates.map(stateOf).find((state) => state !== null)
  return found === undefined
    ? null
    : JSON.stringify([found, ...rest.map((word) => stateOf(resolve(cwd, word)) ?? word)])
}

function stateOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() ? `${file} ${found.mtimeMs} ${found.size}` : null
}

/** `2.1.325 (Claude Code)`, `codex-cli 0.166.0`: the number in it. */
export function versionIn(text: string): string | null {
  return /\d+\.\d+\.\d+(?:[-+][\w.+-]+)?/.exec(text)?.[0] ?? null
}
