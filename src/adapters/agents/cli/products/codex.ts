import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noUsage } from '../../../../delivery/money/ledger.ts'
import type { SubmitProgram } from '../../../../ports/agent-driver.ts'
import { asCount, asObject, asText, at, fileLines, type Json, objectOn } from '../../json.ts'
import { usageBy } from '../../usage.ts'
import type { CliAgent, FiledSession } from '../cli-agent.ts'
import { fileIn, homeAt, keyIn } from '../phrases.ts'
import { failedBy, type LineReader, nothingTold, opened, readerBy, toolEnded, toolStarted } from '../reader.ts'

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
  home: homeAt('.codex', 'CODEX_HOME', { signIn: ['auth.json'] }),
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

export function codexReader(): LineReader {
  const started = new Set<string>()
  const told = nothingTold()
  const begin = (item: Json) => {
    started.add(String(item.id))
    return toolStarted(item.id, item.type, detailOf(item))
  }
  const completed = (item: Json) => {
    const text = asText(item.text) ?? ''
    if (item.type === 'reasoning') return [{ type: 'thinking' as const, text }]
    if (item.type === 'agent_message') {
      told.text = text
      return [{ type: 'text' as const, text }]
    }
    return isTool(item) ? [...(started.has(String(item.id)) ? [] : begin(item)), ...toolEnd(item)] : []
  }
  return readerBy(told, {
    'thread.started': ({ thread_id }) => opened(told, thread_id),
    'item.started': ({ item }) => (isTool(asObject(item) ?? {}) ? begin(asObject(item) ?? {}) : []),
    'item.completed': ({ item }) => completed(asObject(item) ?? {}),
    // Not the end: it tries again, or `turn.failed` follows.
    error: ({ message }) => retryOf(asText(message) ?? ''),
    'turn.completed': ({ usage }) => {
      told.ending = { ok: true }
      told.usage = usageOf(usage) ?? told.usage
    },
    'turn.failed': (line) => {
      const message = asText(at(line, 'error', 'message')) ?? 'the turn failed'
      told.ending = failedBy(statusIn(message), message)
    },
  })
}

const notTools: unknown[] = ['agent_message', 'reasoning', 'error', 'todo_list']

const isTool = ({ type, id }: Json): boolean => typeof id === 'string' && !notTools.includes(type)

function detailOf({ command, changes, query, tool, server }: Json): unknown {
  return command ?? changes ?? query ?? (tool === undefined ? null : `${server ?? ''} ${tool}`)
}

function toolEnd({ id, status, exit_code, aggregated_output }: Json) {
  const ok = status !== 'failed' && status !== 'declined' && asCount(exit_code) === 0
  return toolEnded(id, ok, aggregated_output)
}

/** "Reconnecting... 2/5 (unexpected status 529 …)". */
function retryOf(message: string) {
  const attempt = /^Reconnecting\.\.\. (\d+)\//.exec(message)?.[1]
  if (attempt === undefined) return []
  return [{ type: 'retry' as const, attempt: Number(attempt), status: statusIn(message), delayMs: 0 }]
}

/** The only place where it tells the status is the text of its errors. */
function statusIn(message: string): number | null {
  const found = /\b(?:unexpected|last|http) status:? (\d{3})\b/i.exec(message)?.[1]
  return found === undefined ? null : Number(found)
}

const readUsage = usageBy('input_tokens', 'output_tokens', 'cached_input_tokens')

const usageOf = (told: unknown) => (asObject(told) === null ? null : readUsage(told))

/** What a thread has used, from the file in which codex keeps it. */
export async function rolloutOf({ home, session }: { home: string; session: string }): Promise<FiledSession | null> {
  const sessions = join(home, 'sessions')
  const files = await readdir(sessions, { recursive: true }).catch(() => [])
  const file = files.find((name) => name.endsWith(`-${session}.jsonl`))
  if (file === undefined) return null
  let counted = noUsage
  const filed: FiledSession = { usage: noUsage, model: null, trouble: null }
  for await (const line of fileLines(join(sessions, file))) {
    if (!/"type":"(?:token_usage_record|token_count|turn_context)"/.test(line)) continue
    const payload = at(objectOn(line), 'payload')
    // Each call is on record at once, but the count that it resumes with only when its tools have run.
    counted = usageOf(at(payload, 'info', 'total_token_usage')) ?? counted
    filed.usage = usageOf(at(payload, 'thread_token_usage') ?? at(payload, 'info', 'total_token_usage')) ?? filed.usage
    filed.model = asText(at(payload, 'model')) ?? filed.model
  }
  return { ...filed, counted }
}

/** Values are TOML, in which these are written as in JSON. */
function serverArgs({ program, args }: SubmitProgram): string[] {
  const values = Object.entries({ command: program, args })
  return values.flatMap(([key, value]) => ['-c', `mcp_servers.ropewalk.${key}=${JSON.stringify(value)}`])
}

/** The provider that the settings choose with `-c model_provider="…"`. */
function providerIn(args: string[]): string | null {
  const found = args.map((arg) => /^model_provider=["']?([\w-]+)["']?$/.exec(arg)?.[1])
  return found.findLast((name) => name !== undefined) ?? null
}
