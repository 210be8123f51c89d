import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { serversIn } from '../answer-tool.ts'
import type { CliAgent, Start } from '../cli-agent.ts'
import { chatOf } from '../gemini/chat.ts'
import { geminiReader } from '../gemini/reader.ts'
import { fileIn, keyIn } from './sign-in.ts'

type Env = Record<string, string | undefined>

const folder = '.gemini'
const signIn = 'oauth_creds.json'

/** The policy of who may not call other agents. */
const alone = join(folder, 'alone.toml')

const isOn = (value: string | undefined): boolean => value === 'true' || value === '1'

/** With its own home it has no settings that could say how it signs in; nothing: it says itself what is missing. */
function authType(env: Env, home: string): string | undefined {
  if (isOn(env.GOOGLE_GENAI_USE_VERTEXAI)) return 'vertex-ai'
  if (env.GEMINI_API_KEY) return 'gemini-api-key'
  return existsSync(join(home, folder, signIn)) ? 'oauth-personal' : undefined
}

const settingsOf = (start: Start) => ({
  ...serversIn(start),
  general: { maxAttempts: 1, enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: authType(start.env, start.home) } },
})

export const gemini: CliAgent = {
  name: 'gemini',
  program: 'gemini',
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
      [join(folder, 'settings.json')]: `${JSON.stringify(settingsOf(start), null, 2)}\n`,
      [alone]: '[[rule]]\ntoolName = "invoke_agent"\ndecision = "deny"\npriority = 999\n',
    }),
    caches: () => [],
  },
  choosesSession: true,
  totals: 'turn',
  losesBroken: true,
  filed: chatOf,
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
    version: ['--version'],
    help: ['--help'],
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
