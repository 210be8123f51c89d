import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { serverOf } from '../answer-tool.ts'
import type { CliAgent } from '../cli-agent.ts'
import { copilotReader } from '../copilot/reader.ts'
import { sessionOf } from '../copilot/session.ts'
import { keyIn } from './sign-in.ts'

type Env = Record<string, string | undefined>

const signIn = 'config.json'

const provider = [
  ...['BASE_URL', 'TYPE', 'API_KEY', 'BEARER_TOKEN', 'HEADERS', 'WIRE_API', 'WIRE_MODEL', 'MODEL_ID'],
  ...['MAX_PROMPT_TOKENS', 'MAX_OUTPUT_TOKENS', 'AZURE_API_VERSION'],
].map((name) => `COPILOT_PROVIDER_${name}`)

function hasSignedIn(home: string): boolean {
  try {
    return /"(?:loggedInUsers|lastLoggedInUser|copilotTokens)"/.test(readFileSync(join(home, signIn), 'utf8'))
  } catch {
    return false
  }
}

const cacheOf = (env: Env): string =>
  env.COPILOT_CACHE_HOME ?? join(env.XDG_CACHE_HOME ?? join(env.HOME ?? homedir(), '.cache'), 'copilot')

export const copilot: CliAgent = {
  name: 'copilot',
  program: 'copilot',
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
  home: {
    point: (folder) => ({ COPILOT_HOME: folder }),
    users: (env) => env.COPILOT_HOME ?? join(env.HOME ?? homedir(), '.copilot'),
    signIn: [signIn],
    files: () => ({}),
    // It unpacks itself there.
    caches: (env) => [cacheOf(env)],
  },
  choosesSession: true,
  totals: 'session',
  filed: sessionOf,
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
    version: ['--version'],
    help: ['--help'],
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
