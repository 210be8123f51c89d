import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { noUsage, type Usage } from '../../../../delivery/money/ledger.ts'
import { jsonObjectIn } from '../../../../std/files.ts'
import { type Filed, foldFiles, textIn } from '../../filed.ts'
import { asCount, asNumber, asObject, asText, at, brief, type Json } from '../../json.ts'
import { placeInHome } from '../../turn.ts'
import { sumOf, usageBy } from '../../usage.ts'
import { type CliAgent, homeAt, keyIn, serverOf } from '../cli-agent.ts'
import {
  failedBy,
  type LineReader,
  nothingTold,
  type ReadersByType,
  readerBy,
  tellingOf,
  toolEnded,
  toolStarted,
} from '../reader.ts'

const signIn = 'config.json'

const provider = [
  ...['BASE_URL', 'TYPE', 'API_KEY', 'BEARER_TOKEN', 'HEADERS', 'WIRE_API', 'WIRE_MODEL', 'MODEL_ID'],
  ...['MAX_PROMPT_TOKENS', 'MAX_OUTPUT_TOKENS', 'AZURE_API_VERSION'],
].map((name) => `COPILOT_PROVIDER_${name}`)

const hasSignedIn = (home: string): boolean =>
  /"(?:loggedInUsers|lastLoggedInUser|copilotTokens)"/.test(textIn(join(home, signIn)) ?? '')

export const copilot: CliAgent = {
  name: 'copilot',
  program: ['copilot'],
  args: ({ turn, session, usageFile }) => [
    ...['--output-format', 'json', '--allow-all', '--no-ask-user', '--no-auto-update'],
    // They would act on the forge in the user's name.
    '--disable-builtin-mcps',
    ...['--usage-output-file', usageFile],
    ...(turn.model === null ? [] : ['--model', turn.model]),
    ...(turn.modelTurns === null ? [] : ['--excluded-tools', 'task']),
    ...(turn.submit === null
      ? []
      : ['--additional-mcp-config', serverOf(turn.submit, { type: 'local', tools: ['*'] })]),
    ...(session === null ? [] : [`${turn.session === null ? '--session-id' : '--resume'}=${session}`]),
  ],
  environment: () => ({ COPILOT_AUTO_UPDATE: 'false' }),
  // Not GH_TOKEN and GITHUB_TOKEN, which open more than the model.
  passes: ['COPILOT_GITHUB_TOKEN', 'COPILOT_GH_HOST', 'COPILOT_MODEL', 'COPILOT_OFFLINE', ...provider],
  home: homeAt('.copilot', 'COPILOT_HOME', {
    signIn: [signIn],
    // It unpacks itself there.
    caches: (env) => [env.COPILOT_CACHE_HOME ?? placeInHome('.cache/copilot', env)],
  }),
  choosesSession: true,
  totals: 'session',
  filed: copilotSession,
  reader: copilotReader,
  meanings: [
    { says: /exceeds the model's prompt budget/, kind: 'bad-request' },
    { says: /No session, task, or name matched/i, kind: 'session' },
    {
      says: /No authentication information|not (?:logged|signed) in|copilot login|Authentication failed/i,
      kind: 'auth',
    },
  ],
  probe: {
    flags: [
      ...['--output-format', '--allow-all', '--no-ask-user', '--no-auto-update', '--disable-builtin-mcps'],
      ...['--usage-output-file', '--excluded-tools', '--model', '--session-id', '--resume'],
    ],
    install: 'Install it: npm install -g @github/copilot',
    signIn: 'Run: copilot login (or set COPILOT_GITHUB_TOKEN, or COPILOT_PROVIDER_BASE_URL for a model of your own).',
    // The sign-in may be in a keychain, but then the file names the user.
    signedIn: async ({ env, home }) =>
      keyIn(env, ['COPILOT_GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL']) ?? (hasSignedIn(home) && join(home, signIn)),
  },
}

/** It tries a call six times, for up to a minute, and cannot be told not to: after so many we take it as refused. */
const enoughTries = 3

export function copilotReader({ usageFile }: { usageFile: string }): LineReader {
  const told = nothingTold()
  let refusal: { status: number | null; message: string } | null = null
  /** Told to stop, it says that it has ended well: then that is no word on the turn. */
  let isStopped = false
  const stop = (): void => {
    isStopped = true
  }

  function refused(data: Json) {
    const attempt = asCount(data.retryAttempt) + 1
    const message = asText(data.errorMessage) ?? 'the call of the model failed'
    refusal = { status: asNumber(data.statusCode), message }
    if (attempt >= enoughTries) told.ending = failedBy(refusal.status, message)
    return [{ type: 'retry' as const, attempt, status: refusal.status, delayMs: 0 }]
  }

  /** The error of the session is for people: what the API itself said is in the refusal before it. */
  function broken(data: Json): void {
    const message = asText(data.message) ?? 'it failed without a reason'
    const said = refusal === null || message.includes(refusal.message) ? '' : ` (${refusal.message})`
    told.ending = failedBy(asNumber(data.statusCode) ?? refusal?.status ?? null, `${message}${said}`)
  }

  function spoke(data: Json) {
    refusal = null
    told.model = asText(data.model) ?? told.model
    const text = asText(data.content) ?? ''
    if (text === '') return []
    told.text = text
    return [{ type: 'text' as const, text }]
  }

  function ended(line: Json): void {
    told.session = asText(line.sessionId) ?? told.session
    if (isStopped) return
    const how = refusal ?? { status: null, message: `it ended with the exit code ${brief(line.exitCode, 20)}` }
    if (line.exitCode === 0) told.ending ??= { ok: true }
    else if (told.ending?.ok !== false) told.ending = failedBy(how.status, how.message)
  }

  const by: ReadersByType = {
    'assistant.turn_start': () => [{ type: 'model-asked' }],
    'assistant.reasoning': ({ content }) => [{ type: 'thinking', text: asText(content) ?? '' }],
    'assistant.message': spoke,
    'tool.execution_start': toolStart,
    'tool.execution_complete': toolEnd,
    'model.call_failure': refused,
    abort: stop,
    'agent.interrupted': stop,
    'session.error': broken,
    result: ended,
  }
  const reader = readerBy(told, by, 'data')
  return {
    ...reader,
    /** The file is written after the last word. */
    told() {
      const used = told.ending === null ? null : usedIn(usageFile)
      return { ...told, usage: used?.usage ?? null, model: used?.model ?? told.model }
    },
  }
}

const toolStart = ({ toolCallId, toolName, arguments: given }: Json) =>
  toolStarted(toolCallId, toolName, tellingOf(given, 'command', 'path'))

function toolEnd(data: Json) {
  const exitCode = asCount(at(data, 'shellExecution', 'exitCode'))
  const said = at(data, 'result', 'content') ?? at(data, 'error', 'message')
  return toolEnded(data.toolCallId, data.success === true && exitCode === 0, said)
}

/** Its input has what came from a cache in it, and its output what the model thought. */
const copilotUsage = usageBy(['inputTokens'], ['outputTokens'], 'cacheReadTokens')

/** What the file that it writes at its end tells: the session's totals, for each model. Null while there is none. */
function usedIn(file: string) {
  const metrics = asObject(at(jsonObjectIn(file), 'modelMetrics'))
  if (metrics === null) return null
  const models = Object.entries(metrics).map(([model, of]) => ({ model, usage: copilotUsage(at(of, 'usage')) }))
  const most = models.toSorted((a, b) => b.usage.inputTokens - a.usage.inputTokens)[0]
  return { usage: models.map(({ usage }) => usage).reduce(sumOf, noUsage), model: most?.model ?? null }
}

/** That its model is asked, or, with what that has used, that a call has come to its end. */
export interface CopilotEvent {
  at: number
  usage: Usage | null
  model: string | null
}

/** From the file in which copilot keeps a session; null: it keeps none. */
export function copilotEvents(home: string, session: string): Promise<CopilotEvent[] | null> {
  const file = join(home, 'session-state', session, 'events.jsonl')
  return foldFiles<CopilotEvent[]>(existsSync(file) ? [file] : [], [], (events, { type, timestamp, data }) => {
    if (type !== 'session.usage_record' && type !== 'assistant.turn_start') return events
    const used = type === 'session.usage_record' ? at(data, 'usage') : undefined
    const usage = used === undefined ? null : copilotUsage(used)
    events.push({ at: Date.parse(asText(timestamp) ?? ''), usage, model: asText(at(used, 'model')) })
    return events
  })
}

/** What a session has used. */
export async function copilotSession({ home, session }: { home: string; session: string }): Promise<Filed | null> {
  const events = await copilotEvents(home, session)
  return events === null ? null : { ...usedBy(events), trouble: null }
}

/** What those calls have used that came to their end, and which model the last of them asked. */
export const usedBy = (events: CopilotEvent[]): Pick<Filed, 'usage' | 'model'> => ({
  usage: events.map(({ usage }) => usage ?? noUsage).reduce(sumOf, noUsage),
  model: events.findLast(({ model }) => model !== null)?.model ?? null,
})
