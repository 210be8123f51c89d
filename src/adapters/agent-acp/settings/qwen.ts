import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import { asObject, type Json, objectOn } from '../told/json.ts'

type Variables = Record<string, string | undefined>

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
function objectIn(path: string): Json | null {
  try {
    return existsSync(path) ? objectOn(readFileSync(path, 'utf8')) : {}
  } catch {
    return null
  }
}
