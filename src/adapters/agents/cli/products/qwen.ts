import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noUsage } from '../../../../delivery/money/ledger.ts'
import { asNumber, asObject, asText, at, fileLines, type Json, objectOn } from '../../json.ts'
import { sumOf, usageBy } from '../../usage.ts'
import type { CliAgent, FiledSession } from '../cli-agent.ts'
import { fileIn, homeAt, keyIn, serversIn } from '../phrases.ts'
import { messagesReader } from './messages.ts'

const signIn = 'oauth_creds.json'

const settings = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  // Below this it still tries seven times, for about 80 seconds.
  model: { generationConfig: { maxRetries: 0, retryInitialDelayMs: 1_000, retryMaxDelayMs: 1_000 } },
}

export const qwen: CliAgent = {
  name: 'qwen',
  program: 'qwen',
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
      'settings.json': `${JSON.stringify({ ...settings, ...serversIn(start, { alwaysLoadTools: true }) }, null, 2)}\n`,
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
    version: ['--version'],
    help: ['--help'],
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

/** What a session has used, from the file in which qwen keeps it: each call of the model has a line of its own. */
export async function qwenChat({ home, session }: { home: string; session: string }): Promise<FiledSession | null> {
  const file = await chatFile(home, session)
  if (file === undefined) return null
  let filed: FiledSession = { usage: noUsage, model: null, trouble: null }
  for await (const line of fileLines(file)) {
    const entry = objectOn(line)
    // A prompt begins a turn: what went wrong before is over.
    if (entry?.type === 'user') filed = { ...filed, trouble: null }
    const call = asObject(at(entry, 'systemPayload', 'uiEvent'))
    if (call !== null) filed = after(filed, call)
  }
  return filed
}

function after(filed: FiledSession, call: Json): FiledSession {
  const status = asNumber(call.status_code)
  switch (call['event.name']) {
    case 'qwen-code.api_error':
      return { ...filed, trouble: { status, message: asText(call.error_message) ?? 'the model API refused' } }
    case 'qwen-code.api_response': {
      const usage = sumOf(filed.usage, qwenUsage(call))
      return { usage, model: asText(call.model) ?? filed.model, trouble: null }
    }
    default:
      return filed
  }
}

export const qwenUsage = usageBy('input_token_count', 'output_token_count', 'cached_content_token_count')

/** Of its sessions, which it keeps by project, this one. */
export async function chatFile(home: string, session: string): Promise<string | undefined> {
  const projects = join(home, 'projects')
  const folders = await readdir(projects).catch(() => [])
  return folders.map((name) => join(projects, name, 'chats', `${session}.jsonl`)).find((path) => existsSync(path))
}

/** With its own home it has no settings that could say how it signs in. */
function authType(home: string, options: Record<string, unknown>): string[] {
  if (options.home === 'user') return []
  return ['--auth-type', existsSync(join(home, signIn)) ? 'qwen-oauth' : 'openai']
}
