import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Usage } from '../../../../delivery/money/ledger.ts'
import type { AgentError, AgentEvent } from '../../../../ports/agent-driver.ts'
import { errorFrom, lengthMs } from '../../failure.ts'
import { type Filed, filesBelow, foldFiles, nothingFiled } from '../../filed.ts'
import { asCount, asList, asNumber, asObject, asText, at, type Json, objectOn } from '../../json.ts'
import type { Variables } from '../../turn.ts'
import { sumOf, usageBy } from '../../usage.ts'
import { type CliAgent, type CliStart, fileIn, keyIn, serversIn, settingsText } from '../cli-agent.ts'
import { type LineReader, nothingTold, opened, readerBy, tellingOf, toolEnded, toolStarted } from '../reader.ts'

const folder = '.gemini'
const signIn = 'oauth_creds.json'

/** The policy of who may not call other agents. */
const alone = join(folder, 'alone.toml')

const isOn = (value: string | undefined): boolean => value === 'true' || value === '1'

export const gemini: CliAgent = {
  name: 'gemini',
  program: ['gemini'],
  args: ({ turn, session, home }) => [
    ...['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
    ...(turn.model === null ? [] : ['-m', turn.model]),
    ...(turn.modelTurns === null || turn.options.home === 'user' ? [] : ['--policy', join(home, alone)]),
    ...(session === null ? [] : [turn.session === null ? '--session-id' : '--resume', session]),
  ],
  // Else it starts itself a second time, for more memory.
  environment: () => ({ GEMINI_CLI_NO_RELAUNCH: 'true' }),
  passes: [
    ...['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL'],
    ...['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
  ],
  home: {
    point: (own) => ({ GEMINI_CLI_HOME: own }),
    users: (env) => join(env.GEMINI_CLI_HOME ?? env.HOME ?? homedir(), folder),
    signIn: [signIn, 'google_accounts.json'],
    inside: folder,
    files: (start) => ({
      [join(folder, 'settings.json')]: settingsText(settingsOf(start)),
      [alone]: '[[rule]]\ntoolName = "invoke_agent"\ndecision = "deny"\npriority = 999\n',
    }),
  },
  choosesSession: true,
  totals: 'turn',
  losesBroken: true,
  filed: geminiChat,
  reader: geminiReader,
  meanings: [
    { says: /Error (?:resuming|starting) session/, kind: 'session' },
    { says: /set an Auth method|auth method|GEMINI_API_KEY|Failed to (?:log|sign) in|OAuth/i, kind: 'auth' },
    { says: /models?\/\S+ is not found|Requested entity was not found/i, kind: 'model' },
    { says: /API Error: terminated/, kind: 'network' },
    // What it makes of an error that comes inside the stream.
    { says: /stream ended (?:without|with)|Invalid stream|empty response/i, kind: 'overloaded' },
  ],
  probe: {
    flags: ['--output-format', '--approval-mode', '--skip-trust', '--policy', '-m', '--session-id', '--resume'],
    install: 'Install it: npm install -g @google/gemini-cli (on Node 22)',
    signIn: 'Set GEMINI_API_KEY, or run gemini once and sign in.',
    signedIn: async ({ env, home }) =>
      keyIn(env, ['GEMINI_API_KEY']) ??
      (isOn(env.GOOGLE_GENAI_USE_VERTEXAI) ? 'GOOGLE_GENAI_USE_VERTEXAI' : null) ??
      fileIn(home, [signIn, join(folder, signIn)]) ??
      false,
  },
}

export function geminiReader(): LineReader {
  const told = nothingTold()
  /** The message that it is telling piece by piece. */
  let message = ''
  let trouble: string | null = null

  function whole(): AgentEvent[] {
    if (message === '') return []
    told.text = message
    message = ''
    return [{ type: 'text', text: told.text }]
  }

  function ended(line: Json): AgentEvent[] {
    const usage = usageIn(line.stats)
    told.usage = usage ?? told.usage
    told.model = modelIn(line.stats) ?? told.model
    told.ending = line.status === 'success' ? { ok: true } : { ok: false, error: failureOf(line, trouble) }
    return [...whole(), ...(usage === null ? [] : [{ type: 'usage' as const, usage }])]
  }

  const reader = readerBy(told, {
    init(line) {
      told.model = asText(line.model)
      return opened(told, line.session_id)
    },
    message(line) {
      if (line.role !== 'assistant') return []
      message += asText(line.content) ?? ''
      return line.delta === true ? [] : whole()
    },
    tool_use: ({ tool_id, tool_name, parameters }) => [
      ...whole(),
      ...toolStarted(tool_id, tool_name, tellingOf(parameters, 'command', 'file_path')),
    ],
    tool_result: ({ tool_id, status, output, error }) => [
      ...whole(),
      ...toolEnded(tool_id, status === 'success', output ?? at(error, 'message')),
    ],
    // Also warnings come so: only the result tells whether it has failed.
    error(line) {
      trouble = asText(line.message) ?? trouble
    },
    result: ended,
  })
  return { ...reader, told: () => ({ ...told, text: message || told.text }) }
}

/** Its output leaves out what the model thought, which is paid for as output too: only the total has it. */
function usageIn(stats: unknown): Usage | null {
  return asObject(stats) === null ? null : withThoughts(statsUsage(stats), at(stats, 'total_tokens'))
}

const statsUsage = usageBy(['input_tokens'], ['output_tokens'], 'cached')
const answerUsage = usageBy(['input'], ['output'], 'cached')

const withThoughts = (usage: Usage, total: unknown): Usage => ({
  ...usage,
  outputTokens: Math.max(usage.outputTokens, asCount(total) - usage.inputTokens),
})

/** The one that did most, where small things were left to another. */
function modelIn(stats: unknown): string | null {
  const models = Object.entries(asObject(at(stats, 'models')) ?? {})
  const total = ([, of]: [string, unknown]): number => asCount(at(of, 'total_tokens'))
  return models.toSorted((a, b) => total(b) - total(a))[0]?.[0] ?? null
}

/** What a result that is an error says. It may say nothing: then the error before it does. */
function failureOf(result: Json, before: string | null): AgentError {
  const message = asText(at(result, 'error', 'message')) ?? before ?? 'it failed without a reason'
  return errorFrom({ status: statusIn(message), message, resetsAt: resetIn(message, asText(result.timestamp)) })
}

/** What it adds to the message of a 429, from which it leaves out the number. */
const isLimited = /Please wait and try again later\. To increase your limits|Possible quota limitations in place/

/** The API's own answer is in the message, as JSON. */
function statusIn(message: string): number | null {
  const body = /^\[API Error: (\{.*\})\]/s.exec(message)?.[1]
  const code = body === undefined ? null : asNumber(at(objectOn(body), 'error', 'code'))
  return code ?? (isLimited.test(message) ? 429 : null)
}

/** "Please retry in 7m12.5s", "Your quota will reset after 3h". */
function resetIn(message: string, at: string | null): number | null {
  const wait = lengthMs(/(?:retry in|reset after) ((?:\d+(?:\.\d+)?[hms])+)/i.exec(message)?.[1] ?? '')
  const now = Date.parse(at ?? '')
  return wait === null || Number.isNaN(now) ? null : now + wait
}

/**
 * What a session has used, from the files in which gemini keeps it: its answers tell their tokens. Less than what a
 * result tells, for what it asks the model besides is not in there; but a turn that was killed has told nothing else.
 */
export async function geminiChat({ home, session }: { home: string; session: string }): Promise<Filed | null> {
  // In folders by project; they begin with their date and end with the first part of the session's id. A resumed one has several.
  const isOfSession = (path: string) => path.includes('chats') && path.endsWith(`-${session.slice(0, 8)}.jsonl`)
  const roots = [join(home, folder, 'tmp'), join(home, 'tmp')]
  const files = await Promise.all(roots.map((root) => filesBelow(root, isOfSession)))
  // An answer is written again when its tools have run: the last one counts.
  const answers = new Map<string, Usage>()
  return foldFiles<Filed>(files.flat(), { ...nothingFiled, answered: false }, (filed, entry) => {
    const id = asText(entry.id)
    const isAnswer = entry.type === 'gemini' && asObject(entry.tokens) !== null
    if (id === null || !isAnswer) return id !== null && entry.type === 'user' ? { ...filed, answered: false } : filed
    answers.set(id, withThoughts(answerUsage(entry.tokens), at(entry.tokens, 'total')))
    return {
      usage: [...answers.values()].reduce(sumOf),
      model: asText(entry.model),
      trouble: null,
      answered: asList(entry.toolCalls).length === 0,
    }
  })
}

const settingsOf = (start: CliStart) => ({
  ...serversIn(start),
  general: { maxAttempts: 1, enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: authType(start.env, start.home) } },
})

/** With its own home it has no settings that could say how it signs in; nothing: it says itself what is missing. */
function authType(env: Variables, home: string): string | undefined {
  if (isOn(env.GOOGLE_GENAI_USE_VERTEXAI)) return 'vertex-ai'
  if (env.GEMINI_API_KEY) return 'gemini-api-key'
  return existsSync(join(home, folder, signIn)) ? 'oauth-personal' : undefined
}
