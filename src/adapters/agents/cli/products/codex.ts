import { join } from 'node:path'
import { noUsage } from '../../../../delivery/money/ledger.ts'
import type { SubmitProgram } from '../../../../ports/agent-driver.ts'
import { type Filed, filesBelow, foldFiles, nothingFiled } from '../../filed.ts'
import { asCount, asObject, asText, at, type Json } from '../../json.ts'
import { usageBy } from '../../usage.ts'
import { type CliAgent, fileIn, homeAt, keyIn } from '../cli-agent.ts'
import {
  failedBy,
  type LineReader,
  nothingTold,
  opened,
  type ReadersByType,
  readerBy,
  toolEnded,
  toolStarted,
} from '../reader.ts'

export const codex: CliAgent = {
  name: 'codex',
  program: ['codex'],
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
  const started = new Set<unknown>()
  const told = nothingTold()
  const begin = (item: Json) => {
    if (!isTool(item) || started.has(item.id)) return []
    started.add(item.id)
    return toolStarted(item.id, item.type, detailOf(item))
  }
  const completed = (item: Json) => {
    const text = asText(item.text) ?? ''
    if (item.type === 'reasoning') return [{ type: 'thinking' as const, text }]
    if (item.type !== 'agent_message') return [...begin(item), ...toolEnd(item)]
    told.text = text
    return [{ type: 'text' as const, text }]
  }
  const by: ReadersByType = {
    'thread.started': ({ thread_id }) => opened(told, thread_id),
    'item.started': begin,
    'item.completed': completed,
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
  }
  return readerBy(told, by, 'item')
}

const notTools: unknown[] = ['agent_message', 'reasoning', 'error', 'todo_list']

const isTool = ({ type, id }: Json): boolean => typeof id === 'string' && !notTools.includes(type)

function detailOf({ command, changes, query, tool, server }: Json): unknown {
  return command ?? changes ?? query ?? (tool === undefined ? null : `${server ?? ''} ${tool}`)
}

function toolEnd(item: Json) {
  const { id, status, exit_code, aggregated_output } = item
  if (!isTool(item)) return []
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

const readUsage = usageBy(['input_tokens'], ['output_tokens'], 'cached_input_tokens')

const usageOf = (told: unknown) => (asObject(told) === null ? null : readUsage(told))

/** What a thread has used, from the file in which codex keeps it. */
export async function rolloutOf({ home, session }: { home: string; session: string }): Promise<Filed | null> {
  const files = await filesBelow(join(home, 'sessions'), (path) => path.endsWith(`-${session}.jsonl`))
  return foldFiles(files.slice(0, 1), { ...nothingFiled, counted: noUsage }, (filed, { type, payload }) => {
    if (type !== 'token_usage_record' && type !== 'event_msg' && type !== 'turn_context') return filed
    // Each call is on record at once, but the count that it resumes with only when its tools have run.
    const counted = usageOf(at(payload, 'info', 'total_token_usage'))
    return {
      ...filed,
      counted: counted ?? filed.counted,
      usage: usageOf(at(payload, 'thread_token_usage')) ?? counted ?? filed.usage,
      model: asText(at(payload, 'model')) ?? filed.model,
    }
  })
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
