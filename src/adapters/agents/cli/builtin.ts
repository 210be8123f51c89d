import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { AgentDriver, AgentErrorKind, AgentEvent, AgentProbe } from '../../../ports/agent-driver.ts'
import { type ModelService, modelService, type ProgramArgument } from '../builtin/language.ts'
import { asCount, asNumber, asText, at, type Json, objectOn } from '../json.ts'
import { chosenVariables, optionsBy, probed, quickly, unusable, type Variables } from '../turn.ts'
import { usageBy } from '../usage.ts'
import type { CliAgent } from './cli-agent.ts'
import { cliDriver } from './driver.ts'
import type { CliDeps } from './home.ts'
import { type LineReader, nothingTold } from './reader.ts'

/** Our own agent: `bundle` is its program, for the Node that we run on. */
export function builtinAgent(bundle: string): CliAgent {
  return {
    name: 'builtin',
    program: [process.execPath, bundle],
    args: ({ turn, session, home, env }) => [
      argument({
        ...{ home, session: session ?? turn.openAs, resume: turn.session !== null, model: turn.model },
        ...{ submit: turn.submit?.args[0] ?? null, maxTurns: turn.modelTurns },
        service: serviceIn(turn.options, env),
      }),
    ],
    // The one key that it needs, and no other.
    environment: ({ turn, env }) => keyOf(serviceIn(turn.options, env), env),
    passes: [],
    home: {
      point: () => ({}),
      users: (env) => join(env.HOME ?? homedir(), '.ropewalk-agent'),
      signIn: [],
    },
    choosesSession: true,
    totals: 'turn',
    filed: null,
    reader: builtinReader,
    // It tells the kinds itself.
    meanings: [],
    probe: {
      flags: [],
      install: 'Install ropewalk again: a part of it is missing.',
      signIn: 'Set the variable of the key, or name another one with api.key.',
      signedIn: async () => null,
    },
  }
}

const argument = (told: ProgramArgument): string => JSON.stringify(told)

const usual: Record<ModelService['type'], string[]> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  compatible: [],
}

/** The model service of the settings, with the variable in which its key is. */
function serviceIn({ api }: Record<string, unknown>, env: Variables): ModelService {
  const wrong = { wrong: 'the setting api is wrong', remedy: 'Correct it in ropewalk.yaml.' }
  const data = optionsBy(modelService, api, wrong)
  const names = usual[data.type]
  return { ...data, key: data.key ?? names.find((name) => env[name]) ?? names[0] ?? null }
}

const keyOf = ({ key }: ModelService, env: Variables) => chosenVariables(key === null ? [] : [key], env)

const usageOn = usageBy(['inputTokens'], ['outputTokens'], 'cachedTokens')

const events = ['session', 'model-asked', 'text', 'thinking', 'tool-started', 'tool-ended', 'retry', 'limit']

/** Its lines are our own events; the last one is the result. The program is of the same version as we are. */
function builtinReader(): LineReader {
  const told = nothingTold()
  return {
    told: () => ({ ...told }),
    read(line) {
      if (line.type === 'session') told.session = asText(line.session)
      if (line.type === 'usage' || line.type === 'result') told.usage = usageOn(line.usage)
      if (line.type === 'result') {
        told.ending = line.ok === true ? { ok: true } : { ok: false, error: errorIn(line.error) }
        if (line.exact === false) told.inexact = true
        told.text = asText(line.text) ?? ''
        told.model = asText(line.model)
      }
      if (line.type === 'usage' && told.usage !== null) return [{ type: 'usage', usage: told.usage }]
      return events.includes(String(line.type)) ? [line as AgentEvent] : []
    },
  }
}

const errorIn = (error: unknown) => ({
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
  service: ModelService,
  { shell, env, environment }: CliDeps,
  { bundle, cwd }: { bundle: string; cwd: string },
): Promise<Json | null> {
  const exit = await shell.run({
    ...{ ...quickly, cwd, env: environment(keyOf(service, env)), mark: `probe-${randomUUID()}`, timeoutMs: 20_000 },
    run: { program: process.execPath, args: [bundle, argument({ probe: service })] },
    signal: new AbortController().signal,
  })
  return objectOn(exit.stdoutTail)
}

/** Whether the service can be used, by what it has answered. */
export function verdictOn({ key, url, type }: ModelService, answer: Json | null, version: string | null): AgentProbe {
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
  const count = asCount(answer.models)
  const note =
    answer.accepted === true
      ? `${where} answers and offers ${count} ${count === 1 ? 'model' : 'models'}`
      : `${where} answers, but cannot tell its models (status ${asNumber(answer.status)}), nor whether the key is right`
  return { usable: true, version, signedIn: key ?? where, notes: [note] }
}
