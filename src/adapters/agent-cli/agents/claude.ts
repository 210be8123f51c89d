import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { serverOf } from '../answer-tool.ts'
import type { CliAgent } from '../cli-agent.ts'
import { messagesReader } from '../messages/reader.ts'
import { sessionOf } from '../messages/session.ts'
import { fileIn, keyIn } from './sign-in.ts'

const keys = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

/** It looks for instructions in every folder above the one that it works in; there they are somebody else's. */
function notOurs(path: string): string[] {
  const above = dirname(path)
  const names = ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', '.claude/rules/**']
  return above === path ? [] : [...names.map((name) => join(above, name)), ...notOurs(above)]
}

export const claude: CliAgent = {
  name: 'claude',
  program: 'claude',
  args: ({ turn, session }) => [
    '-p',
    ...['--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions'],
    ...(turn.model === null ? [] : ['--model', turn.model]),
    ...(session === null ? [] : [turn.session === null ? '--session-id' : '--resume', session]),
    ...(turn.modelTurns === null ? [] : ['--max-turns', String(turn.modelTurns), '--disallowedTools', 'Task,Agent']),
    // Else the model would have to look for the tool before it can call it.
    ...(turn.submit === null ? [] : ['--mcp-config', serverOf(turn.submit, { alwaysLoad: true })]),
  ],
  environment: () => ({
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    // It refuses to skip permissions as root unless it is told that this is a sandbox.
    IS_SANDBOX: '1',
  }),
  passes: [...keys, 'ANTHROPIC_BASE_URL', 'ANTHROPIC_CUSTOM_HEADERS'],
  home: {
    point: (folder) => ({ CLAUDE_CONFIG_DIR: folder }),
    users: (env) => env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), '.claude'),
    beside: (env) => [join(env.HOME ?? homedir(), '.claude.json')],
    signIn: ['.credentials.json'],
    files: ({ home }) => ({ 'settings.json': `${JSON.stringify({ claudeMdExcludes: notOurs(home) }, null, 2)}\n` }),
    caches: () => [],
  },
  choosesSession: true,
  totals: 'turn',
  filed: sessionOf,
  reader: () => messagesReader({ cacheIsApart: true, namesCalls: true, isCumulative: false }),
  meanings: [
    { says: /No conversation found with session ID/, kind: 'session' },
    { says: /Please run \/login|Not logged in|Invalid API key|OAuth token/i, kind: 'auth' },
    { says: /Prompt is too long/i, kind: 'bad-request' },
  ],
  probe: {
    version: ['--version'],
    help: ['--help'],
    flags: [
      ...['--output-format', '--verbose', '--dangerously-skip-permissions', '--disallowedTools'],
      ...['--model', '--session-id', '--resume'],
    ],
    install: 'Install it: npm install -g @anthropic-ai/claude-code',
    signIn: 'Run: claude, then /login (or set ANTHROPIC_API_KEY).',
    signedIn: async ({ env, home }) => {
      const key = keyIn(env, keys) ?? fileIn(home, ['.credentials.json'])
      if (key !== null) return key
      // There the sign-in is in the keychain, where we do not look.
      return process.platform === 'darwin' ? null : false
    },
  },
}
