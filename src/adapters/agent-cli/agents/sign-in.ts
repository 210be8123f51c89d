import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The first of these variables that holds something. */
export const keyIn = (env: Record<string, string | undefined>, names: string[]): string | null =>
  names.find((name) => env[name]) ?? null

/** The first of these files that holds something: who signs out may leave an empty one. */
export const fileIn = (folder: string, names: string[]): string | null =>
  names.map((name) => join(folder, name)).find((file) => !isHollow(file)) ?? null

/** One that we may not read holds something, as far as we can tell. */
function isHollow(file: string): boolean {
  if (!existsSync(file)) return true
  try {
    return /^(?:|\{\}|null)$/.test(readFileSync(file, 'utf8').replace(/\s/g, ''))
  } catch {
    return false
  }
}
