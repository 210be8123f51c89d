import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tokensOf } from '../../../../delivery/money/ledger.ts'
import { type FiledTurn, filesBelow, foldFiles, nothingFiled } from '../../filed.ts'
import { asNumber, asObject, asText, at, type Json } from '../../json.ts'
import { sumOf, usageBy } from '../../usage.ts'
import { type CliAgent, fileIn, homeAt, keyIn, serversIn, settingsText } from '../cli-agent.ts'
import { messagesReader } from './messages.ts'

const signIn = 'oauth_creds.json'

/** With more it tries a call seven times, for about 80 seconds. */
export const fewRetries = { generationConfig: { maxRetries: 0, retryInitialDelayMs: 1_000, retryMaxDelayMs: 1_000 } }

const settings = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  model: fewRetries,
}

export const qwen: CliAgent = {
  name: 'qwen',
  program: ['qwen'],
  args: ({ turn, session, home }) => [
    ...authType(home, turn.options),
    ...['--output-format', 'stream-json', '--approval-mode', 'yolo'],
    ...(turn.model === null ? [] : ['-m', turn.model]),
    ...(turn.modelTurns === null
      ? []
      : ['--max-session-turns', String(turn.modelTurns), '--exclude-tools', 'agent', '--exclude-tools', 'task']),
    ...(session === null ? [] : [turn.session === null ? '--session-id' : '--resume', session]),
  ],
  environment: () => ({ QWEN_CODE_SUPPRESS_YOLO_WARNING: '1' }),
  passes: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'DASHSCOPE_API_KEY'],
  home: homeAt('.qwen', 'QWEN_HOME', {
    signIn: [signIn],
    files: (start) => ({
      'settings.json': settingsText({ ...settings, ...serversIn(start, { alwaysLoadTools: true }) }),
    }),
  }),
  choosesSession: true,
  totals: 'session',
  filed: qwenChat,
  reader: () => messagesReader({ cacheIsApart: false, namesCalls: false, isCumulative: true }),
  exits: { 53: 'turns' },
  meanings: [
    { says: /No saved session found/i, kind: 'session' },
    { says: /No auth type|auth method|API key/i, kind: 'auth' },
    // It counts the prompt itself, and takes a model that it does not know for a small one.
    { says: /Context is too large to send/i, kind: 'bad-request' },
  ],
  probe: {
    flags: [
      ...['--auth-type', '--output-format', '--approval-mode', '--max-session-turns', '--exclude-tools'],
      ...['-m', '--session-id', '--resume'],
    ],
    install: 'Install it: npm install -g @qwen-code/qwen-code (on Node 22)',
    signIn: 'Set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.',
    signedIn: async ({ env, home }) =>
      keyIn(env, ['OPENAI_API_KEY']) ??
      fileIn(home, [signIn]) ??
      (fileIn(home, ['settings.json']) === null ? false : null),
  },
}

/**
 * What a session has used since a time, from the file in which qwen keeps it: each call of its model that has come to
 * its end has a line there, those of its own agents and those that failed and were tried again as well.
 */
export async function qwenChat({ home, session, since = 0 }: { home: string; session: string; since?: number }) {
  const files = await filesBelow(join(home, 'projects'), (path) => path.endsWith(join('chats', `${session}.jsonl`)))
  const start: FiledTurn = { ...nothingFiled, broken: 0, hidden: 0, context: 0, whole: false }
  return foldFiles(files.slice(0, 1), start, (filed, entry) => {
    const isBefore = Date.parse(asText(entry.timestamp) ?? '') < since
    const next = after(filed, entry)
    return isBefore ? { ...filed, context: next.context } : next
  })
}

function after(filed: FiledTurn, entry: Json): FiledTurn {
  // A prompt begins a turn: what went wrong before is over.
  if (entry.type === 'user') return { ...filed, trouble: null }
  if (entry.subtype === 'chat_compression') return broken(filed)
  const event = asObject(at(entry, 'systemPayload', 'uiEvent')) ?? {}
  switch (event['event.name']) {
    case 'qwen-code.api_response': {
      const usage = callUsage(event)
      const context = Math.max(filed.context, tokensOf(usage))
      const model = asText(event.model) ?? filed.model
      return { ...filed, usage: sumOf(filed.usage, usage), context, model, trouble: null }
    }
    case 'qwen-code.api_error': {
      const message = asText(event.error_message) ?? 'the model API refused'
      const trouble = { status: asNumber(event.status_code), message }
      return { ...(isFree(trouble) ? filed : broken(filed)), trouble }
    }
    // It asks the model without a line of its own.
    case 'qwen-code.tool_call':
      return event.function_name === 'web_fetch' ? broken(filed) : filed
    default:
      return filed
  }
}

const callUsage = usageBy(['input_token_count'], ['output_token_count'], 'cached_content_token_count')

const broken = (filed: FiledTurn): FiledTurn => ({ ...filed, broken: filed.broken + 1 })

/**
 * Refused before anything was answered, or never there: the words of an answer begin with its status. An error in a
 * stream has a status too, but there the service had begun to answer.
 */
const isFree = ({ status, message }: NonNullable<FiledTurn['trouble']>): boolean =>
  (status !== null && message.startsWith(String(status))) || /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN)\b/.test(message)

/** With its own home it has no settings that could say how it signs in. */
function authType(home: string, options: Record<string, unknown>): string[] {
  if (options.home === 'user') return []
  return ['--auth-type', existsSync(join(home, signIn)) ? 'qwen-oauth' : 'openai']
}
