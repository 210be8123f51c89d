import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The first of these variables that holds something. */
export const keyIn = (env: Record<string, string | undefined>, names: string[]): string | null =>
  names.find((name) => env[name]) ?? null

/** The first of these files that is there. */
export const fileIn = (folder: string, names: string[]): string | null =>
  names.map((name) => join(folder, name)).find((file) => existsSync(file)) ?? null
