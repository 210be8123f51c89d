import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { TerminalError } from '../../../ports/errors.ts'
import { builtinReader } from '../builtin/reader.ts'
import type { CliAgent } from '../cli-agent.ts'

type Env = Record<string, string | undefined>

/** Our own agent: `bundle` is its program, for the Node that we run on. */
export function builtinAgent(bundle: string): CliAgent {
  return {
    name: 'builtin',
    program: process.execPath,
    args: ({ turn, session, home, env }) => [
      bundle,
      ...['--home', home, '--session', session ?? turn.openAs],
      ...(turn.session === null ? [] : ['--resume']),
      ...(turn.model === null ? [] : ['--model', turn.model]),
      ...(turn.modelTurns === null ? [] : ['--max-turns', String(turn.modelTurns)]),
      ...(turn.submit === null ? [] : ['--submit', turn.submit.args[0]]),
      ...serviceArgs(serviceIn(turn.options, env)),
    ],
    // The one key that it needs, and no other.
    environment: ({ turn, env }) => keyOf(serviceIn(turn.options, env), env),
    passes: [],
    home: {
      point: () => ({}),
      users: (env) => join(env.HOME ?? homedir(), '.ropewalk-agent'),
      signIn: [],
      files: () => ({}),
      caches: () => [],
    },
    choosesSession: true,
    totals: 'turn',
    filed: null,
    reader: builtinReader,
    // It tells the kinds itself.
    meanings: [],
    probe: {
      version: [bundle, '--version'],
      help: [bundle, '--help'],
      flags: [
        '--home',
        '--session',
        '--resume',
        '--model',
        '--api',
        '--url',
        '--key-variable',
        '--submit',
        '--max-turns',
      ],
      install: 'Install ropewalk again: a part of it is missing.',
      signIn: 'Set the variable of the key, or name another one with api.key.',
      signedIn: async () => null,
    },
  }
}

export interface Service {
  type: 'anthropic' | 'openai' | 'google' | 'compatible'
  url: string | null
  /** The variable that holds the key; null: none is needed. */
  key: string | null
}

const shape = z.object({
  type: z.enum(['anthropic', 'openai', 'google', 'compatible']),
  url: z.string().nullable().default(null),
  key: z.string().nullable().default(null),
})

const usual: Record<Service['type'], string[]> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  compatible: [],
}

/** The model service of the settings, with the variable in which its key is. */
export function serviceIn(options: Record<string, unknown>, env: Env): Service {
  const { data, error } = shape.safeParse(options.api)
  if (error)
    throw new TerminalError(`the setting api is wrong: ${z.prettifyError(error)}`, 'Correct it in ropewalk.yaml.')
  const names = usual[data.type]
  return { ...data, key: data.key ?? names.find((name) => env[name]) ?? names[0] ?? null }
}

export function serviceArgs({ type, url, key }: Service): string[] {
  return [...['--api', type], ...(url === null ? [] : ['--url', url]), ...(key === null ? [] : ['--key-variable', key])]
}

export function keyOf({ key }: Service, env: Env): Record<string, string> {
  const value = key === null ? undefined : env[key]
  return key === null || value === undefined ? {} : { [key]: value }
}
