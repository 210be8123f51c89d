import { dirname, join } from 'node:path'
import { textIn } from '../../filed.ts'
import { objectOn } from '../../json.ts'
import { placeInHome, type Variables } from '../../turn.ts'
import { type CliAgent, type CliStart, keyIn, settingsText } from '../cli-agent.ts'
import { opencodeReader } from './opencode-reader.ts'

const signIn = 'auth.json'
const config = join('config', 'opencode')

const keys = [
  ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'OPENROUTER_API_KEY'],
  ...['DEEPSEEK_API_KEY', 'GROQ_API_KEY', 'MISTRAL_API_KEY', 'XAI_API_KEY', 'OPENCODE_API_KEY'],
]

const settings = { autoupdate: false, share: 'disabled', snapshot: false }

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
  reader: opencodeReader,
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

/** Those that the user has signed in to. */
const providersIn = (file: string): string[] => Object.keys(objectOn(textIn(file) ?? '') ?? {})

/** The variable whose configuration names a provider, as one on this machine, which may need no key at all. */
function providerBy(env: Variables): string | null {
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
