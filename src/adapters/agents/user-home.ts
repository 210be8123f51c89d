import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Variables } from './turn.ts'

const variables: Record<string, string> = {
  '.config': 'XDG_CONFIG_HOME',
  '.local/share': 'XDG_DATA_HOME',
  '.local/state': 'XDG_STATE_HOME',
  '.cache': 'XDG_CACHE_HOME',
}

/** Folders in the user's home in which programs keep what is theirs. */
export const usual = Object.keys(variables)

/** Where a path of the user's home is, when some of it may have been moved. */
export function placeInHome(path: string, env: Variables): string {
  const folder = usual.find((one) => path.startsWith(`${one}/`))
  const moved = folder === undefined ? undefined : env[variables[folder] ?? '']
  if (folder !== undefined && moved) return join(moved, path.slice(folder.length))
  return join(env.HOME ?? homedir(), path)
}
