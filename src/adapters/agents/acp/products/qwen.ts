import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { noUsage, tokensOf } from '../../../../delivery/money/ledger.ts'
import type { AgentTurn } from '../../../../ports/agent-driver.ts'
import { chatFile, qwenUsage } from '../../cli/products/qwen.ts'
import { asNumber, asObject, asWords, at, type Json, lastFileLines, objectOn, textIn } from '../../json.ts'
import type { Variables } from '../../turn.ts'
import { placeInHome } from '../../turn.ts'
import { sumOf } from '../../usage.ts'
import type { AskedOfFiles, FiledTurn } from '../filed.ts'

/**
 * The file in which qwen keeps a session: each call of its model that has come to its end has a line there, those of its
 * own agents and those that failed and were tried again as well. It tells of none of these while it works.
 */
export async function qwenFiled({ env, session, since }: AskedOfFiles): Promise<FiledTurn | null> {
  const file = await chatFile(env.QWEN_RUNTIME_DIR ?? env.QWEN_HOME ?? placeInHome('.qwen', env), session)
  if (file === undefined) return null
  let filed: FiledTurn = { usage: noUsage, broken: 0, hidden: 0, context: 0, trouble: null, whole: false }
  for await (const line of lastFileLines(file)) {
    const entry = objectOn(line) ?? {}
    const isBefore = Date.parse(asWords(entry.timestamp) ?? '') < since
    const next = after(filed, entry)
    filed = isBefore ? { ...filed, context: next.context } : next
  }
  return filed
}

function after(filed: FiledTurn, entry: Json): FiledTurn {
  // A prompt begins a turn: what went wrong before is over.
  if (entry.type === 'user') return { ...filed, trouble: null }
  if (entry.subtype === 'chat_compression') return broken(filed)
  const event = asObject(at(entry, 'systemPayload', 'uiEvent')) ?? {}
  switch (event['event.name']) {
    case 'qwen-code.api_response': {
      const usage = qwenUsage(event)
      const context = Math.max(filed.context, tokensOf(usage))
      return { ...filed, usage: sumOf(filed.usage, usage), context, trouble: null }
    }
    case 'qwen-code.api_error': {
      const trouble = { status: asNumber(event.status_code), message: asWords(event.error_message) ?? 'a call failed' }
      return { ...(isFree(trouble) ? filed : broken(filed)), trouble }
    }
    case 'qwen-code.tool_call':
      return asksItself.includes(asWords(event.function_name) ?? '') ? broken(filed) : filed
    default:
      return filed
  }
}

/** Tools that ask the model without a line of their own. */
const asksItself = ['web_fetch']

const broken = (filed: FiledTurn): FiledTurn => ({ ...filed, broken: filed.broken + 1 })

/**
 * Refused before anything was answered, or never there: the words of an answer begin with its status. An error in a
 * stream has a status too, but there the service had begun to answer.
 */
const isFree = ({ status, message }: NonNullable<FiledTurn['trouble']>): boolean =>
  (status !== null && message.startsWith(String(status))) || /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN)\b/.test(message)

/** Calls of the model that nobody sees and that are in nothing it tells, and waiting for a service that is ours to wait for. */
const quiet: Record<string, Json> = {
  ui: { enableFollowupSuggestions: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
  model: { generationConfig: { maxRetries: 0, retryInitialDelayMs: 1_000, retryMaxDelayMs: 1_000 } },
}

/** Else its model does not see a tool that others bring, and has to search for it before it can call it. */
const atHand: Record<string, Json> = { tools: { toolSearch: { threshold: 10 } } }
/** Only those count that are there when the session begins, so it has to wait for them. */
const awaited = { QWEN_CODE_LEGACY_MCP_BLOCKING: '1' }

type Turn = Pick<AgentTurn, 'resultFile' | 'submit'>

/**
 * Settings that hold where nobody has set anything else: its user's own go before. They stand in a file that is named in
 * its environment, together with what the machine's administrator has put in the place of that file.
 */
export function quietly({ resultFile, submit }: Turn, env: Variables): Record<string, string> {
  const plain = { QWEN_DISABLE_AUTO_TITLE: '1', ...(submit === null ? {} : awaited) }
  const given = objectIn(defaultsOf(env))
  if (given === null) return plain
  const ours = submit === null ? quiet : { ...quiet, ...atHand }
  const settings = Object.entries(ours).map(([key, part]) => [key, { ...asObject(given[key]), ...part }])
  const file = join(dirname(resultFile), 'qwen-defaults.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...given, ...Object.fromEntries(settings) }), { mode: 0o600 })
  return { ...plain, QWEN_CODE_SYSTEM_DEFAULTS_PATH: file }
}

function defaultsOf(env: Variables): string {
  const system = process.platform === 'darwin' ? '/Library/Application Support/QwenCode' : '/etc/qwen-code'
  const folder = env.QWEN_CODE_SYSTEM_SETTINGS_PATH === undefined ? system : dirname(env.QWEN_CODE_SYSTEM_SETTINGS_PATH)
  return env.QWEN_CODE_SYSTEM_DEFAULTS_PATH ?? join(folder, 'system-defaults.json')
}

/** Null when there is something that cannot be read: then it is left in its place. */
const objectIn = (path: string): Json | null => (existsSync(path) ? objectOn(textIn(path) ?? '') : {})
