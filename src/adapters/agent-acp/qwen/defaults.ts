import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asObject, type Json, objectOn } from '../told/json.ts'

type Variables = Record<string, string | undefined>

/** Calls of the model that nobody sees and that are in nothing it tells, and waiting for a service that is ours to wait for. */
const quiet: Record<string, Json> = {
  ui: { enableFollowupSuggestions: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
  model: { generationConfig: { maxRetries: 0, retryInitialDelayMs: 1_000, retryMaxDelayMs: 1_000 } },
}

/**
 * Settings that hold where nobody has set anything else: its user's own go before. They stand in a file that is named in
 * its environment, together with what the machine's administrator has put in the place of that file.
 */
export function quietly(folder: string, env: Variables): Record<string, string> {
  const title = { QWEN_DISABLE_AUTO_TITLE: '1' }
  const given = objectIn(defaultsOf(env))
  if (given === null) return title
  const settings = Object.entries(quiet).map(([key, ours]) => [key, { ...asObject(given[key]), ...ours }])
  const file = join(folder, 'qwen-defaults.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify({ ...given, ...Object.fromEntries(settings) }), { mode: 0o600 })
  return { ...title, QWEN_CODE_SYSTEM_DEFAULTS_PATH: file }
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
