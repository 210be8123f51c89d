// What the declarations of products say in the same words.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SubmitProgram } from '../../../ports/agent-driver.ts'
import { textIn } from '../json.ts'
import type { Variables } from '../turn.ts'
import { placeInHome } from '../turn.ts'
import type { CliHome, CliStart } from './cli-agent.ts'

/** The server that takes answers, as most agents want to be told of it on their command line. */
export const serverOf = ({ program, args }: SubmitProgram, more: object = {}): string =>
  JSON.stringify({ mcpServers: { ropewalk: { command: program, args, ...more } } })

/** The same in settings that all turns share: there the program finds the place of the answer in its environment. */
export function serversIn({ turn: { submit } }: CliStart, more: object = {}): object {
  if (submit === null) return {}
  const env = { ROPEWALK_RESULT: '$ROPEWALK_RESULT' }
  return { mcpServers: { ropewalk: { command: submit.program, args: [submit.args[0]], env, trust: true, ...more } } }
}

/** The first of these variables that holds something. */
export const keyIn = (env: Variables, names: string[]): string | null => names.find((name) => env[name]) ?? null

/** The first of these files that holds something: who signs out may leave an empty one. */
export const fileIn = (folder: string, names: string[]): string | null =>
  names.map((name) => join(folder, name)).find((file) => existsSync(file) && !isHollow(textIn(file))) ?? null

/** One that we may not read holds something, as far as we can tell. */
const isHollow = (text: string | null): boolean => text !== null && /^(?:|\{\}|null)$/.test(text.replace(/\s/g, ''))

/** Of a product that has all that is its own in one folder, which a variable may name. */
export const homeAt = (path: string, variable: string, more: Pick<CliHome, 'signIn'> & Partial<CliHome>): CliHome => ({
  point: (folder) => ({ [variable]: folder }),
  users: (env) => env[variable] ?? placeInHome(path, env),
  files: () => ({}),
  caches: () => [],
  ...more,
})
