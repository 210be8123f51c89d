import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { AgentDriver, AgentErrorKind, AgentProbe } from '../../../ports/agent-driver.ts'
import { asCount, asList, asNumber, asText, at, type Json, objectOn } from '../json.ts'
import { chosenVariables, optionsBy, probed, quickly, unusable, type Variables } from '../turn.ts'
import { usageBy } from '../usage.ts'
import type { CliAgent } from './cli-agent.ts'
import { cliDriver } from './driver.ts'
import type { CliDeps } from './options.ts'
import { type LineReader, nothingTold, readerBy } from './reader.ts'

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
        ...['--home', '--session', '--resume', '--model', '--api', '--url', '--key-variable', '--submit'],
        '--max-turns',
      ],
      install: 'Install ropewalk again: a part of it is missing.',
      signIn: 'Set the variable of the key, or name another one with api.key.',
      signedIn: async () => null,
    },
  }
}

interface Service {
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
function serviceIn({ api }: Record<string, unknown>, env: Variables): Service {
  const data = optionsBy(shape, api, { wrong: 'the setting api is wrong', remedy: 'Correct it in ropewalk.yaml.' })
  const names = usual[data.type]
  return { ...data, key: data.key ?? names.find((name) => env[name]) ?? names[0] ?? null }
}

const serviceArgs = ({ type, url, key }: Service): string[] => [
  ...['--api', type],
  ...(url === null ? [] : ['--url', url]),
  ...(key === null ? [] : ['--key-variable', key]),
]

const keyOf = ({ key }: Service, env: Variables) => chosenVariables(key === null ? [] : [key], env)

const usageBelow = usageBy('inputTokens', 'outputTokens', 'cachedTokens')
const usageOn = (line: Json) => usageBelow(line.usage)
const textOn = ({ text }: Json): string => asText(text) ?? ''

/** Its lines are our own events; the last one is the result. */
function builtinReader(): LineReader {
  const told = nothingTold()
  return readerBy(told, {
    session(line) {
      told.session = asText(line.session)
      return [{ type: 'session', session: told.session ?? '' }]
    },
    'model-asked': () => [{ type: 'model-asked' }],
    text: (line) => [{ type: 'text', text: textOn(line) }],
    thinking: (line) => [{ type: 'thinking', text: textOn(line) }],
    'tool-started': ({ id, name, detail }) => [
      { type: 'tool-started', id: asText(id) ?? '', name: asText(name) ?? '', detail: asText(detail) ?? '' },
    ],
    'tool-ended': ({ id, ok, output }) => [
      { type: 'tool-ended', id: asText(id) ?? '', ok: ok === true, output: asText(output) },
    ],
    retry: ({ attempt, status }) => [
      { type: 'retry', attempt: asCount(attempt), status: asNumber(status), delayMs: 0 },
    ],
    limit: ({ resetsAt }) => [{ type: 'limit', resetsAt: asNumber(resetsAt) }],
    usage(line) {
      told.usage = usageOn(line)
      return [{ type: 'usage', usage: told.usage }]
    },
    result(line) {
      told.usage = usageOn(line)
      told.ending = line.ok === true ? { ok: true } : { ok: false, error: errorIn(line.error) }
      if (line.exact === false) told.inexact = true
      told.text = textOn(line)
      told.model = asText(line.model)
    },
  })
}

const errorIn = (error: unknown) => ({
  // The program is of the same version as we are.
  kind: (asText(at(error, 'kind')) ?? 'unknown') as AgentErrorKind,
  status: asNumber(at(error, 'status')),
  message: asText(at(error, 'message')) ?? 'it failed and did not say how',
  resetsAt: asNumber(at(error, 'resetsAt')),
})

/** Our own agent. Whether it can be used is not in its program but in the service that it is to speak to. */
export function builtinDriver(bundle: string, deps: CliDeps): AgentDriver {
  const driver = cliDriver(builtinAgent(bundle), deps)
  return {
    ...driver,
    probe: (options, cwd, timeoutMs) =>
      probed(async () => {
        const started = await driver.probe(options, cwd, timeoutMs)
        if (!started.usable) return started
        const { version } = started
        const service = serviceIn(options, deps.env)
        const { key } = service
        if (key === null || deps.env[key])
          return verdictOn(service, await answerOf(service, deps, { bundle, cwd }), version)
        return unusable(version, `there is no key in ${key}`, `Set ${key}, or name another variable with api.key.`)
      }),
  }
}

/** What the program says when it has asked the service for its models; null when it says nothing. */
async function answerOf(
  service: Service,
  { shell, env, environment }: CliDeps,
  { bundle, cwd }: { bundle: string; cwd: string },
): Promise<Json | null> {
  const exit = await shell.run({
    ...{ ...quickly, cwd, env: environment(keyOf(service, env)), mark: `probe-${randomUUID()}`, timeoutMs: 20_000 },
    run: { program: process.execPath, args: [bundle, '--probe', ...serviceArgs(service)] },
    signal: new AbortController().signal,
  })
  return objectOn(exit.stdoutTail)
}

/** Whether the service can be used, by what it has answered. */
export function verdictOn({ key, url, type }: Service, answer: Json | null, version: string | null): AgentProbe {
  const where = url ?? `the ${type} service`
  if (answer?.answers !== true)
    return unusable(
      version,
      `${where} does not answer: ${asText(answer?.problem) ?? 'no reason was told'}`,
      url === null ? 'Look whether this machine is online.' : 'Start it, or correct api.url in ropewalk.yaml.',
    )
  const named = key ?? 'api.key'
  if (answer.accepted === false)
    return unusable(version, `${where} does not accept the key in ${named}`, `Set ${named} to a valid key.`)
  const count = asList(answer.models).length
  const note =
    answer.accepted === true
      ? `${where} answers and offers ${count} ${count === 1 ? 'model' : 'models'}`
      : `${where} answers, but cannot tell its models (status ${asNumber(answer.status)}), nor whether the key is right`
  return { usable: true, version, signedIn: key ?? where, notes: [note] }
}
