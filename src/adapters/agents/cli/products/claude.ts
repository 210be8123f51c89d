import { dirname, join } from 'node:path'
import { type Filed, filesBelow, foldFiles, nothingFiled } from '../../filed.ts'
import { asText, at } from '../../json.ts'
import { placeInHome } from '../../turn.ts'
import { type CliAgent, fileIn, homeAt, keyIn, serverOf, settingsText } from '../cli-agent.ts'
import { messagesReader, openTally } from './messages.ts'

const keys = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']

export const claude: CliAgent = {
  name: 'claude',
  program: ['claude'],
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
  home: homeAt('.claude', 'CLAUDE_CONFIG_DIR', {
    beside: (env) => [placeInHome('.claude.json', env)],
    signIn: ['.credentials.json'],
    files: ({ home }) => ({ 'settings.json': settingsText({ claudeMdExcludes: notOurs(home) }) }),
  }),
  choosesSession: true,
  totals: 'turn',
  filed: claudeSession,
  reader: () => messagesReader({ cacheIsApart: true, namesCalls: true, isCumulative: false }),
  meanings: [
    { says: /No conversation found with session ID/, kind: 'session' },
    { says: /Please run \/login|Not logged in|Invalid API key|OAuth token/i, kind: 'auth' },
    { says: /Prompt is too long/i, kind: 'bad-request' },
  ],
  probe: {
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

/**
 * What a session has used, from the files in which claude keeps it, with those of agents within it. Its stream tells what
 * a call has answered only at the end of the turn; here it is as soon as the call is over.
 */
export async function claudeSession({ home, session }: { home: string; session: string }): Promise<Filed | null> {
  const tally = openTally({ cacheIsApart: true, isCumulative: false })
  const isOfSession = (path: string) => path.split('/').some((part) => part.startsWith(session))
  const files = await filesBelow(join(home, 'projects'), (path) => path.endsWith('.jsonl') && isOfSession(path))
  return foldFiles(files, nothingFiled, (filed, { message }) => {
    const usage = tally.addCall(message)
    return usage === null ? filed : { ...filed, usage, model: asText(at(message, 'model')) ?? filed.model }
  })
}

/** It looks for instructions in every folder above the one that it works in; there they are somebody else's. */
function notOurs(path: string): string[] {
  const above = dirname(path)
  const names = ['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', '.claude/rules/**']
  return above === path ? [] : [...names.map((name) => join(above, name)), ...notOurs(above)]
}
