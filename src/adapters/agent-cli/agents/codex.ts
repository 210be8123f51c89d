import { homedir } from 'node:os'
import { join } from 'node:path'
import type { SubmitProgram } from '../../../ports/agent-driver.ts'
import type { CliAgent } from '../cli-agent.ts'
import { codexReader } from '../codex/reader.ts'
import { rolloutOf } from '../codex/rollout.ts'
import { fileIn, keyIn } from './sign-in.ts'

export const codex: CliAgent = {
  name: 'codex',
  program: 'codex',
  args: ({ turn }) => [
    'exec',
    ...(turn.session === null ? [] : ['resume']),
    '--json',
    '--dangerously-bypass-approvals-and-sandbox',
    '--skip-git-repo-check',
    // Both, or it stays for seconds after its last word when the vendor cannot be reached.
    ...['-c', 'analytics.enabled=false', '--disable', 'plugins'],
    ...(turn.modelTurns === null ? [] : ['-c', 'agents.enabled=false']),
    ...(turn.submit === null ? [] : serverArgs(turn.submit)),
    ...(turn.model === null ? [] : ['-m', turn.model]),
    ...(turn.session === null ? [] : [turn.session]),
    '-',
  ],
  // Only a provider from the settings can be told so; those that are built in keep their own number.
  lastArgs: (given) => {
    const provider = providerIn(given)
    if (provider === null) return []
    return ['request', 'stream'].flatMap((what) => ['-c', `model_providers.${provider}.${what}_max_retries=1`])
  },
  environment: () => ({}),
  passes: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
  home: {
    point: (folder) => ({ CODEX_HOME: folder }),
    users: (env) => env.CODEX_HOME ?? join(env.HOME ?? homedir(), '.codex'),
    signIn: ['auth.json'],
    files: () => ({}),
    caches: () => [],
  },
  choosesSession: false,
  totals: 'session',
  filed: rolloutOf,
  reader: codexReader,
  meanings: [
    { says: /no rollout found|no (?:thread|session|conversation) found/i, kind: 'session' },
    { says: /not (?:logged|signed) in|missing environment variable/i, kind: 'auth' },
  ],
  probe: {
    version: ['--version'],
    help: ['exec', '--help'],
    flags: ['--json', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', '--disable', '-c', '-m'],
    install: 'Install it: npm install -g @openai/codex',
    signIn: 'Run: codex login (or set CODEX_API_KEY).',
    signedIn: async ({ env, home, args }) => {
      const provider = providerIn(args)
      if (provider !== null) return `the provider ${provider} in its args`
      return keyIn(env, ['CODEX_API_KEY']) ?? fileIn(home, ['auth.json']) ?? false
    },
  },
}

/** Values are TOML, in which these are written as in JSON. */
function serverArgs({ program, args }: SubmitProgram): string[] {
  const values = { command: program, args }
  return Object.entries(values).flatMap(([key, value]) => [
    '-c',
    `mcp_servers.ropewalk.${key}=${JSON.stringify(value)}`,
  ])
}

/** The provider that the settings choose with `-c model_provider="…"`. */
function providerIn(args: string[]): string | null {
  const found = args.map((arg) => /^model_provider=["']?([\w-]+)["']?$/.exec(arg)?.[1])
  return found.findLast((name) => name !== undefined) ?? null
}
