import { dirname, join } from 'node:path'
import { noUsage } from '../../../../delivery/money/ledger.ts'
import type { AgentError, AgentEvent } from '../../../../ports/agent-driver.ts'
import { errorFrom } from '../../failure.ts'
import { textIn } from '../../filed.ts'
import { asCount, asNumber, asObject, asText, at, type Json, objectOn } from '../../json.ts'
import { placeInHome, type Variables } from '../../turn.ts'
import { sumOf, usageBy } from '../../usage.ts'
import { type CliAgent, type CliStart, keyIn, settingsText } from '../cli-agent.ts'
import {
  failedBy,
  type LineReader,
  nothingTold,
  opened,
  type ReadersByType,
  readerBy,
  type ToldByLines,
  tellingOf,
  toolEnded,
  toolStarted,
} from '../reader.ts'

const signIn = 'auth.json'
const config = join('config', 'opencode')

const keys = [
  ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'OPENROUTER_API_KEY'],
  ...['DEEPSEEK_API_KEY', 'GROQ_API_KEY', 'MISTRAL_API_KEY', 'XAI_API_KEY', 'OPENCODE_API_KEY'],
]

const settings = { autoupdate: false, share: 'disabled', snapshot: false }

/** Says that what it would fetch for plugins is there already: ours needs none of it. */
const lock = { packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } } }

export const opencode: CliAgent = {
  name: 'opencode',
  program: ['opencode'],
  args: ({ turn, session }) => [
    ...['run', '--format', 'json', '--auto', '--thinking'],
    // Else it asks the model for one, and tells nobody what that has cost.
    ...['--title', 'Ropewalk'],
    ...(turn.model === null ? [] : ['-m', turn.model]),
    ...(session === null ? [] : ['-s', session]),
  ],
  environment: ({ turn }) => ({
    ...(turn.modelTurns === null ? {} : { OPENCODE_PERMISSION: JSON.stringify({ task: 'deny' }) }),
    // Else those of the user, too; the repository's own are lost with them, so only where nothing else keeps them away.
    ...(turn.confine === null && turn.options.home !== 'user' ? { OPENCODE_DISABLE_EXTERNAL_SKILLS: '1' } : {}),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_TERMINAL_TITLE: '1',
  }),
  passes: [...keys, 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT'],
  home: {
    // It adds its name to the folder of the data, which is the one that has the sign-in and the sessions.
    point: (folder) => ({
      XDG_DATA_HOME: dirname(folder),
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_STATE_HOME: join(folder, 'state'),
    }),
    users: (env) => placeInHome('.local/share/opencode', env),
    beside: (env) => ['.config/opencode', '.local/state/opencode'].map((path) => placeInHome(path, env)),
    signIn: [signIn],
    files: (start) => ({
      [join(config, 'opencode.json')]: settingsText({ ...settings, ...vendorOf(start), ...serversOf(start) }),
      [join(config, 'plugin', 'ropewalk.js')]: plugin,
      [join(config, 'package-lock.json')]: settingsText(lock),
      [join(config, 'node_modules', '.keep')]: '',
    }),
    caches: (env) => [placeInHome('.cache/opencode', env)],
  },
  choosesSession: false,
  totals: 'turn',
  filed: null,
  reader: () => new OpencodeReader(),
  meanings: [
    { says: /Session not found/i, kind: 'session' },
    { says: /ProviderModelNotFoundError|Model not found|ProviderInitError/i, kind: 'model' },
    { says: /ProviderAuthError|API key is missing/i, kind: 'auth' },
    { says: /ContextOverflowError|MessageOutputLengthError|the model stopped/, kind: 'bad-request' },
  ],
  probe: {
    help: ['run', '--help'],
    flags: ['--format', '--auto', '--thinking', '--title', '-m', '-s'],
    install: 'Install it: npm install -g opencode-ai',
    signIn: 'Run: opencode auth login (or set the key of a provider, such as ANTHROPIC_API_KEY).',
    // Null: the repository, or the user's own settings, may name a provider that needs no key.
    signedIn: async ({ env, home }) => keyIn(env, keys) ?? signedInBy(home) ?? providerBy(env),
  },
}

/** The same for all turns, which share the home: the program finds the answer's place in its environment. */
const serversOf = ({ turn: { submit } }: CliStart) =>
  submit === null
    ? {}
    : { mcp: { ropewalk: { type: 'local', command: [submit.program, submit.args[0]], enabled: true } } }

const signedInBy = (home: string): string | null => {
  const file = join(home, signIn)
  return providersIn(file).length === 0 ? null : file
}

/** Without a sign-in it would take its vendor's free models, which get the code: nobody has chosen that. */
const vendorOf = ({ turn, home, env }: CliStart) =>
  env.OPENCODE_API_KEY || turn.model?.startsWith('opencode/') || providersIn(join(home, signIn)).includes('opencode')
    ? {}
    : { disabled_providers: ['opencode'] }

/** Those that the user has signed in to. */
const providersIn = (file: string): string[] => Object.keys(objectOn(textIn(file) ?? '') ?? {})

/** The variable whose configuration names a provider, as one on this machine, which may need no key at all. */
const providerBy = (env: Variables): string | null => {
  const names = /"provider"\s*:\s*\{\s*"/
  if (names.test(env.OPENCODE_CONFIG_CONTENT ?? '')) return 'OPENCODE_CONFIG_CONTENT'
  return names.test(textIn(env.OPENCODE_CONFIG ?? '') ?? '') ? 'OPENCODE_CONFIG' : null
}

/**
 * What opencode loads into itself, because its stream is silent about what we have to know: that it waits to try again
 * (it does so for minutes, or until a limit ends), that a tool has begun, what its sub-agents have used, that it is idle.
 */
const plugin = `let status = null
const ask = globalThis.fetch
globalThis.fetch = async (...given) => {
  status = null
  const answer = await ask(...given)
  if (!answer.ok) status = answer.status
  return answer
}

const tell = (type, told) => process.stdout.write(\`\${JSON.stringify({ type: \`ropewalk_\${type}\`, ...told })}\\n\`)

export const Ropewalk = async () => ({
  event: async ({ event: { type, properties } }) => {
    const { sessionID, part, status: now } = properties ?? {}
    if (type === 'message.part.updated' && part?.type === 'step-finish') tell('step', { sessionID: part.sessionID, part })
    if (type !== 'session.status') return
    const wait = now.type === 'retry' ? { attempt: now.attempt, message: now.message, status, next: now.next, delayMs: now.next - Date.now() } : {}
    tell(now.type, { sessionID, ...wait })
  },
  'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => tell('tool', { sessionID, callID, tool, args }),
})
`

/** Also reads what our plugin in it tells, in lines of types that begin with `ropewalk_`. */
export class OpencodeReader implements LineReader {
  readonly #told = nothingTold()
  readonly #steps = new Set<string>()
  readonly #open = new Set<string>()
  /** Our plugin and its host write side by side: that a tool begins may be told after its end. */
  readonly #begun = new Set<string>()
  /** A text is told after the tool that follows it has begun: it waits, so that the tool is not taken as over. */
  readonly #held: AgentEvent[] = []
  #reason: string | null = null
  /** Null when nobody would tell: then the last step is the last word. */
  #idle: boolean | null = null

  readonly #by: ReadersByType = {
    step_start: () => {
      this.#reason = null
      return [{ type: 'model-asked' }]
    },
    text: ({ text }) => {
      this.#told.text = asText(text) ?? this.#told.text
      return this.#say('text', asText(text) ?? '')
    },
    reasoning: ({ text }) => this.#say('thinking', asText(text) ?? ''),
    tool_use: (part) => this.#end(part),
    step_finish: (part) => {
      this.#open.clear()
      this.#reason = asText(part.reason)
      return [...this.#release(), ...this.#step(part)]
    },
    error: ({ error }) => {
      this.#told.ending = { ok: false, error: failureOf(error) }
    },
    ropewalk_busy: (line) => this.#turned(line, false),
    ropewalk_idle: (line) => this.#turned(line, true),
    ropewalk_retry: (line) => this.#refused(line),
    ropewalk_tool: (line) => this.#begin(line),
    ropewalk_step: (part) => this.#step(part),
  }
  readonly #reader = readerBy(this.#told, this.#by, 'part')

  read(line: Json): AgentEvent[] {
    const named = opened(this.#told, line.sessionID)
    const events = this.#reader.read(line)
    this.#told.ending ??= this.#idle === false ? null : lastReason(this.#reason)
    return [...named, ...events]
  }

  told(): ToldByLines {
    return this.#reader.told()
  }

  #turned(line: Json, isIdle: boolean): void {
    if (line.sessionID === this.#told.session) this.#idle = isIdle
  }

  #say(type: 'text' | 'thinking', text: string): AgentEvent[] {
    this.#held.push({ type, text })
    return this.#release()
  }

  #release(): AgentEvent[] {
    return this.#open.size === 0 ? this.#held.splice(0) : []
  }

  /** Each is told twice where our plugin runs, those of its sub-agents only there. */
  #step(part: Json): AgentEvent[] {
    const told = this.#told
    const id = asText(part.id)
    if (id === null || this.#steps.has(id)) return []
    this.#steps.add(id)
    told.usage = sumOf(told.usage ?? noUsage, usageOfTokens(part.tokens))
    // It tells nothing as the price of a model whose price it does not know.
    const usd = (told.usd ?? 0) + (asNumber(part.cost) ?? 0)
    told.usd = usd === 0 ? null : usd
    return [{ type: 'usage', usage: told.usage }]
  }

  #begin(line: Json): AgentEvent[] {
    const id = asText(line.callID)
    if (id === null || this.#begun.has(id) || line.sessionID !== this.#told.session) return []
    this.#begun.add(id)
    this.#open.add(id)
    return toolStarted(id, line.tool, tellingOf(line.args, 'command', 'filePath'))
  }

  #end(part: Json): AgentEvent[] {
    const id = asText(part.callID)
    if (id === null) return []
    const { input, status, output, error, metadata } = asObject(part.state) ?? {}
    const before = this.#begin({ ...part, sessionID: this.#told.session, args: input })
    this.#open.delete(id)
    const ok = status === 'completed' && asCount(at(metadata, 'exit')) === 0
    return [...before, ...toolEnded(id, ok, output ?? error), ...this.#release()]
  }

  #refused(line: Json): AgentEvent[] {
    const [attempt, delayMs, status] = [asCount(line.attempt), asCount(line.delayMs), asNumber(line.status)]
    const resetsAt = delayMs > longWaitMs ? asNumber(line.next) : null
    const told = { status, message: asText(line.message) ?? 'the call of the model failed', resetsAt }
    if (attempt >= enoughWaits || delayMs > longWaitMs)
      this.#told.ending = { ok: false, error: passing(errorFrom(told)) }
    const retry: AgentEvent = { type: 'retry', attempt, status, delayMs }
    return resetsAt === null ? [retry] : [retry, { type: 'limit', resetsAt }]
  }
}

export const usageOfTokens = usageBy(['input', 'cache.read', 'cache.write'], ['output', 'reasoning'], 'cache.read')

/** What an API said when it refused a call, with its own name for that where there is one. */
export function wordsOfRefusal(data: unknown): string {
  const body = at(objectOn(asText(at(data, 'responseBody')) ?? ''), 'error')
  const type = asText(at(body, 'code')) ?? asText(at(body, 'type'))
  return `${asText(at(data, 'message')) ?? 'it failed without a reason'}${type === null ? '' : ` (${type})`}`
}

/** What its `error` line tells: the name of the error, what the API said, and how the API calls that. */
function failureOf(error: unknown): AgentError {
  const data = at(error, 'data')
  const message = `${asText(at(error, 'name')) ?? 'Error'}: ${wordsOfRefusal(data)}`
  return errorFrom({ status: asNumber(at(data, 'statusCode')), message, resetsAt: null })
}

/** It tries again for minutes, and cannot be told not to: after so many waits, or before a long one, it is refused. */
const enoughWaits = 3
const longWaitMs = 30_000

/** It tries again only what it takes for passing. */
const passing = (error: AgentError): AgentError =>
  error.kind === 'unknown' ? { ...error, kind: 'overloaded', retryable: true } : error

/** What the reason of a step means for the turn; null: it goes on. */
function lastReason(reason: string | null): ToldByLines['ending'] {
  if (reason === null || reason === 'tool-calls' || reason === 'unknown') return null
  return reason === 'stop' ? { ok: true } : failedBy(null, `the model stopped: ${reason}`)
}
