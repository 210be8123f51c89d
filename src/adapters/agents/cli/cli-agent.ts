import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentErrorKind, AgentTurn, SubmitProgram } from '../../../ports/agent-driver.ts'
import { type Filed, textIn } from '../filed.ts'
import { placeInHome, type Variables } from '../turn.ts'
import type { LineReader, ToldByLines } from './reader.ts'

/** One agent product with a command line, declared: how it is started, and how what it prints is read. */
export interface CliAgent {
  name: string
  /** The program on the PATH, with what must come first, unless the settings say how it is started. */
  program: [string, ...string[]]
  args(start: CliStart): string[]
  /** Arguments that must come after those of the settings, which are given. */
  lastArgs?: (given: string[]) => string[]
  /** Variables of its own: quiet, no updates, few retries. */
  environment(start: CliStart): Record<string, string>
  /** Variables of the user's that it may have: its keys and addresses. */
  passes: string[]
  home: CliHome
  /** Whether a session can be opened under an id of ours. */
  choosesSession: boolean
  /** What its totals are about: the turn alone, or the whole session. */
  totals: 'turn' | 'session'
  /** What a call has used that broke off is not in what it tells. */
  losesBroken?: true
  /** What the files of a session tell about it, for turns that end without a last word; null: they tell nothing. */
  filed: ((given: { home: string; session: string }) => Promise<Filed | null>) | null
  /** Also reads the transcript of a turn that died: all it is given is the file that `usageFile` of its start was. */
  reader(given: { usageFile: string }): LineReader
  /**
   * What some words in an error message, or on standard error where nothing else was said, mean beyond their status:
   * that the session is not known (`session`), that nobody has signed in (`auth`). The first that fits counts.
   */
  meanings: { says: RegExp; kind: AgentErrorKind }[]
  /** What an exit code tells that no line has told. */
  exits?: Record<number, AgentErrorKind>
  probe: {
    /** Prints the options it knows, unless `--help` does. */
    help?: string[]
    /** Those of ours: one that is missing makes it too old. */
    flags: string[]
    install: string
    signIn: string
    /**
     * By which key, sign-in or address the user has chosen whom its model is asked of; false: by nothing; null: it cannot
     * be told. That some service would take the work without being asked is no choice.
     */
    signedIn(given: SignInPlace): Promise<string | false | null>
  }
}

export interface SignInPlace {
  /** What it gets of the user's environment. */
  env: Variables
  home: string
  args: string[]
}

/** What is known when a turn starts. */
export interface CliStart {
  turn: AgentTurn
  /** The session that is opened or gone on with; null when the agent will choose its id. */
  session: string | null
  /** The folder for its configuration: its own, or the user's. */
  home: string
  /** A file of this turn that the agent may be told to write its usage to. */
  usageFile: string
  /** The user's environment, for what depends on which keys are in it. */
  env: Variables
}

/** Where an agent keeps its configuration and sessions. */
export interface CliHome {
  /** Variables that make it use this folder. */
  point(folder: string): Record<string, string>
  /** The user's own one. */
  users(env: Variables): string
  /** What else of the user's it reads with the user's own one. */
  beside?: (env: Variables) => string[]
  /** Files of the sign-in: in the own home they are links to the user's, so that a renewed token is kept. */
  signIn: string[]
  /** Where in the own folder its home is, for a program that adds a name to the folder it is given. */
  inside?: string
  /** Settings that we write into the own home, by path. */
  files?: (start: CliStart) => Record<string, string>
  /** Folders outside its home that it must be able to write, such as where it unpacks itself. */
  caches?: (env: Variables) => string[]
}

/** What some words of the agent's mean; null: nothing that is known. */
export const meant = (agent: CliAgent, words: string): AgentErrorKind | null =>
  agent.meanings.find(({ says }) => says.test(words))?.kind ?? null

/** What its own last word says that it failed with; null: it did not. */
export function kindIn(agent: CliAgent, ending: ToldByLines['ending']): AgentErrorKind | null {
  if (ending === null || ending.ok) return null
  const { kind, status, message } = ending.error
  return (status === null ? meant(agent, message) : null) ?? kind
}

/** Of a product that has all that is its own in one folder, which a variable may name. */
export const homeAt = (path: string, variable: string, more: Pick<CliHome, 'signIn'> & Partial<CliHome>): CliHome => ({
  point: (folder) => ({ [variable]: folder }),
  users: (env) => env[variable] ?? placeInHome(path, env),
  ...more,
})

/** The server that takes answers, as most agents want to be told of it on their command line. */
export const serverOf = ({ program, args }: SubmitProgram, more: object = {}): string =>
  JSON.stringify({ mcpServers: { ropewalk: { command: program, args, ...more } } })

/** The same in settings that all turns share: there the program finds the place of the answer in its environment. */
export function serversIn({ turn: { submit } }: CliStart, more: object = {}): object {
  if (submit === null) return {}
  const env = { ROPEWALK_RESULT: '$ROPEWALK_RESULT' }
  return { mcpServers: { ropewalk: { command: submit.program, args: [submit.args[0]], env, trust: true, ...more } } }
}

/** A file of settings. */
export const settingsText = (settings: object): string => `${JSON.stringify(settings, null, 2)}\n`

/** The first of these variables that holds something. */
export const keyIn = (env: Variables, names: string[]): string | null => names.find((name) => env[name]) ?? null

/** The first of these files that holds something: who signs out may leave an empty one. */
export const fileIn = (folder: string, names: string[]): string | null =>
  names.map((name) => join(folder, name)).find((file) => existsSync(file) && !isHollow(textIn(file))) ?? null

/** One that we may not read holds something, as far as we can tell. */
const isHollow = (text: string | null): boolean => text !== null && /^(?:|\{\}|null)$/.test(text.replace(/\s/g, ''))
