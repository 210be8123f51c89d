import { existsSync, mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import { TerminalError } from '../../../ports/errors.ts'
import type { Confinement } from '../../../ports/shell.ts'
import type { ReadFiled } from '../filed.ts'
import {
  chosenVariables,
  confinedFor,
  type DriverDeps,
  optionsBy,
  placeInHome,
  usual,
  type Variables,
} from '../turn.ts'
import { copilotFiled, opencodeFiled, quietly, qwenFiled, untitled } from './products.ts'

/** What is known of an agent that speaks ACP; measured, unless said otherwise. */
export interface KnownAgent {
  /** How it is started when the settings only say its name. */
  command: string[]
  /** What it tells at the end of a turn is all that the turn has used. */
  exact?: true
  /** It tells only what the last of a turn's calls has used, or may do so. */
  tellsLastCall: boolean
  /** It asks its model for a title of a new session besides, and tells nothing of that. */
  asksTitle?: true
  /** Whether it tells the tokens of a turn that has used any. */
  tellsTokens: boolean
  /** How it begins the piece of text that is an error, told as if the model had said it. */
  errorMark?: string
  /** Its mode in which it asks before it acts, and the one in which it never asks. */
  modes?: { asks: string; free: string }
  /** Why it cannot be kept to asking. */
  unasked?: string
  /** What makes it ask, where no mode does. */
  asking?: Record<string, string>
  /** The option that takes the model, where the protocol does not offer a choice. */
  modelFlag?: string
  /** The method with which it wants to be told to use the sign-in that it has. */
  signIn?: string
  /** What it is told by its environment, besides what the settings let it have. */
  environment?: (passed: Record<string, string>) => Record<string, string>
  /** What more it is told there, by a file beside the answer of the turn. */
  prepared?: (turn: AgentTurn, env: Record<string, string>) => Record<string, string>
  /** It goes on telling the past of a loaded session after it has said that it is loaded. */
  replaysLate: boolean
  /** Folders in the user's home without which it does not work. */
  needs?: string[]
  /** Names under which it may have more there: ~/.name, ~/.config/name and so on. */
  keeps?: string[]
  /** What its own files tell of a turn, where they tell more than it does. */
  filed?: ReadFiled
}

type Words = [string, ...string[]]

/** The facts about the agent that a command starts, and the whole command. */
export function knownAgent(command: Words): { agent: KnownAgent; command: Words } {
  const [program, ...args] = command
  const name = nameOf(command)
  const agent = agents[name]
  if (agent === undefined) return { agent: { ...plain, keeps: [name] }, command }
  if (args.length > 0) return { agent, command }
  const [first = program, ...rest] = agent.command
  return { agent, command: [basename(first) === name ? program : first, ...rest] }
}

/** Of `npx -y @scope/name@1.2.3` it is `name`, and of `node …/name.js` as well, where we know it. */
function nameOf([program, ...args]: Words): string {
  const own = basename(program)
  const words = args.filter((word) => !word.startsWith('-'))
  const [first = own, ...rest] = words.map((word) => basename(word).replace(/@.*$|\.[cm]?js$/, ''))
  if (['npx', 'bunx', 'uvx'].includes(own)) return first
  const started = ['node', 'bun', 'deno', 'env', 'npm', 'pnpm', 'yarn'].includes(own) ? [first, ...rest] : []
  return started.find((name) => Object.hasOwn(agents, name)) ?? own
}

/** Nothing is taken for granted. */
const plain: KnownAgent = { command: [], tellsLastCall: true, tellsTokens: false, replaysLate: true }

const measured = { ...plain, tellsLastCall: false, tellsTokens: true, replaysLate: false }

const agents: Record<string, KnownAgent> = {
  // Calls of its own for titles and suggestions are not in what it tells.
  'claude-agent-acp': {
    ...measured,
    command: ['claude-agent-acp'],
    modes: { asks: 'default', free: 'bypassPermissions' },
    needs: ['.claude'],
    keeps: ['claude.json'],
  },
  'codex-acp': {
    ...measured,
    command: ['codex-acp'],
    modes: { asks: 'read-only', free: 'agent-full-access' },
    unasked: 'it runs commands in a sandbox of its own without asking, and cannot make one where it is confined itself',
    needs: ['.codex'],
  },
  // Does not tell what came from a cache, nor its calls that choose a model.
  gemini: {
    ...measured,
    command: ['gemini', '--acp'],
    modes: { asks: 'default', free: 'yolo' },
    // Else it starts itself a second time, for more memory.
    environment: ({ GEMINI_CLI_NO_RELAUNCH = 'true' }) => ({ GEMINI_CLI_NO_RELAUNCH }),
    replaysLate: true,
    needs: ['.gemini'],
  },
  opencode: {
    ...measured,
    tellsLastCall: true,
    asksTitle: true,
    command: ['opencode', 'acp'],
    environment: untitled,
    asking: { OPENCODE_PERMISSION: JSON.stringify({ edit: 'ask', bash: 'ask', webfetch: 'ask' }) },
    needs: ['.config/opencode', '.local/share/opencode', '.local/state/opencode', '.cache/opencode'],
    filed: opencodeFiled,
  },
  // Only what it does itself is in what it tells, not what agents of its own do, nor what broke off.
  qwen: {
    ...measured,
    command: ['qwen', '--acp'],
    modes: { asks: 'default', free: 'yolo' },
    modelFlag: '--model',
    prepared: quietly,
    needs: ['.qwen'],
    filed: qwenFiled,
  },
  copilot: {
    ...measured,
    command: ['copilot', '--acp'],
    exact: true,
    errorMark: 'Error: ',
    modelFlag: '--model',
    needs: ['.copilot', '.cache/copilot'],
    filed: copilotFiled,
  },
  // From here on by their documentation alone.
  goose: { ...plain, command: ['goose', 'acp'], keeps: ['goose'] },
  kimi: { ...plain, command: ['kimi', 'acp'], keeps: ['kimi'] },
  cursor: { ...plain, command: ['cursor-agent', 'acp'], signIn: 'cursor_login', keeps: ['cursor'] },
  kiro: { ...plain, command: ['kiro-cli', 'acp'], keeps: ['kiro', 'kiro-cli'] },
  droid: { ...plain, command: ['droid', 'exec', '--output-format', 'acp'], keeps: ['factory'] },
  iflow: { ...plain, command: ['iflow', '--experimental-acp'], keeps: ['iflow'] },
  qoder: { ...plain, command: ['qodercli', '--acp'], keeps: ['qoder'] },
  pool: { ...plain, command: ['pool', 'acp'], keeps: ['poolside'] },
}

/** Whose files may tell of a session, when nobody knows any more which agent it was. */
export const filers: ReadFiled[] = Object.values(agents).flatMap(({ filed }) => filed ?? [])

for (const agent of Object.values(agents)) agents[agent.command[0] ?? ''] ??= agent

export interface AcpStart {
  known: KnownAgent
  program: string
  args: string[]
  /** What is known to do it good, and what of ours the settings let it have. */
  passed: Record<string, string>
}

const shape = z.object({
  command: z.tuple([z.string().min(1)], z.string()),
  /** After all others. */
  args: z.array(z.string()).default([]),
  environment: z.array(z.string().min(1)).default([]),
  permissions: z.enum(['bypass', 'ask']).default('bypass'),
})

/** What exactly is started. */
export function acpStart(options: Record<string, unknown>, model: string | null, { env }: DriverDeps): AcpStart {
  const { command, args, environment, permissions } = optionsBy(shape, options, {
    wrong: "the ACP agent's settings are wrong",
    remedy: 'Give it the program that speaks ACP, such as command: ["goose"] or command: ["./my-agent", "--acp"].',
  })
  const known = knownAgent(command)
  const [program, ...own] = known.command
  if (permissions === 'ask' && known.agent.unasked !== undefined)
    throw new TerminalError(
      `${program} cannot be used with permissions: ask: ${known.agent.unasked}`,
      'Set permissions: bypass, with which it is confined like any other agent, or name an agent that asks.',
    )
  const { modelFlag, asking, environment: quiet } = known.agent
  const flags = model === null || modelFlag === undefined ? [] : [modelFlag, model]
  const named = chosenVariables(environment, env)
  return {
    known: known.agent,
    program,
    args: [...own, ...flags, ...args],
    passed: { ...(permissions === 'ask' ? asking : {}), ...named, ...quiet?.(named) },
  }
}

/** It may also write the files that it keeps. */
export function acpConfinement(turn: AgentTurn, known: KnownAgent, env: Variables): Confinement | null {
  if (turn.confine === null) return null
  const needed = (known.needs ?? []).map((path) => placeInHome(path, env))
  for (const folder of needed) mkdirSync(folder, { recursive: true })
  const usually = (known.keeps ?? []).flatMap((name) => [`.${name}`, ...usual.map((folder) => `${folder}/${name}`)])
  const found = usually.map((path) => placeInHome(path, env)).filter((path) => existsSync(path))
  // A folder that its settings name in a variable is its own, wherever it is.
  const named = Object.values(env)
  const seen = turn.confine.hide.filter((path) => named.includes(path))
  return confinedFor(turn, { write: [...needed, ...found], seen })
}
