// What is particular to some agents when they speak the protocol.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { noUsage, tokensOf, type Usage } from '../../../delivery/money/ledger.ts'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import { copilotEvents, usedBy } from '../cli/products/copilot.ts'
import { usageOfTokens, wordsOfRefusal } from '../cli/products/opencode.ts'
import { fewRetries, qwenChat } from '../cli/products/qwen.ts'
import { type AskedOfFiles, type FiledTurn, filesBelow, lastFileLines, type ReadFiled, textIn } from '../filed.ts'
import { asCount, asNumber, asObject, asWords, at, type Json, objectOn } from '../json.ts'
import { placeInHome, type Variables } from '../turn.ts'
import { sumOf } from '../usage.ts'

/** It tells of none of its calls while it works. */
export const qwenFiled: ReadFiled = ({ env, ...asked }) =>
  qwenChat({ ...asked, home: env.QWEN_RUNTIME_DIR ?? env.QWEN_HOME ?? placeInHome('.qwen', env) })

/** Calls of the model that nobody sees and that are in nothing it tells, and waiting for a service that is ours to wait for. */
const quiet: Record<string, Json> = {
  ui: { enableFollowupSuggestions: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
  model: fewRetries,
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

/** From the file of the session, which has a record of each call, and the log of its process, which has each failure. */
export async function copilotFiled({ env, session, since }: AskedOfFiles): Promise<FiledTurn | null> {
  const home = env.COPILOT_HOME || placeInHome('.copilot', env)
  const kept = await copilotEvents(home, session)
  if (kept === null || kept.length === 0) return null
  const failures = await failuresOf(join(home, 'logs'), { session, since })
  const calls = kept.filter((event) => event.usage !== null)
  const mine = calls.filter((call) => call.at >= since)
  const askedAt = kept.findLast((event) => event.usage === null)?.at ?? 0
  const [ended, failed] = [mine.at(-1)?.at ?? 0, failures.at(-1)?.at ?? 0]
  const isWaiting = askedAt >= since && askedAt > Math.max(ended, failed)
  return {
    ...usedBy(mine),
    // Refused with a status they have cost nothing.
    broken: failures.filter(({ status }) => status === null).length + (isWaiting ? 1 : 0),
    hidden: 0,
    context: Math.max(0, ...calls.map(({ usage }) => tokensOf(usage ?? noUsage))),
    whole: true,
    trouble: failed > ended ? (failures.at(-1) ?? null) : null,
  }
}

interface Failure {
  at: number
  status: number | null
  message: string
}

/** Calls that it makes again, for a minute, and tells nobody. */
async function failuresOf(folder: string, { session, since }: Omit<AskedOfFiles, 'env'>): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name)
    const changed = await stat(file).catch(() => null)
    if (!name.startsWith('process-') || changed === null || changed.mtimeMs < since) continue
    const found: Failure[] = []
    let isMine = false
    for await (const line of lastFileLines(file)) {
      isMine ||= line.includes(session)
      found.push(...failureOn(line).filter((failure) => failure.at >= since))
    }
    if (isMine) failures.push(...found)
  }
  return failures
}

function failureOn(line: string): Failure[] {
  const [, time, told = ''] = /^(\S+) \[WARNING\] .*Model provider request failed (\{.*\})$/.exec(line) ?? []
  if (time === undefined) return []
  const failure = objectOn(told)
  const status = asNumber(failure?.http_status)
  const isLost = failure?.failure_kind === 'transport'
  const how = isLost ? 'the connection to the model broke off' : 'a call of the model failed'
  return [{ at: Date.parse(time), status, message: `${how}${status === null ? '' : ` (status ${status})`}` }]
}

const minuteMs = 60_000

type OpenedBefore = Omit<AskedOfFiles, 'since'>

export async function passFirstMinute(given: OpenedBefore, signal: AbortSignal): Promise<void> {
  // An abort is seen where the agent would be started.
  await wait(await firstMinuteMs(given, Date.now()), null, { signal }).catch(() => {})
}

/**
 * Gemini names a session's file by the minute, and loads a session by opening a fresh file first: in the minute in
 * which the session was opened that is the same file, and the session is lost. How long that minute still takes.
 */
export async function firstMinuteMs({ env, session }: OpenedBefore, now: number): Promise<number> {
  const minute = new Date(now).toISOString().slice(0, 16).replaceAll(':', '-')
  const file = join('chats', `session-${minute}-${session.slice(0, 8)}.jsonl`)
  const projects = join(env.GEMINI_CLI_HOME ?? env.HOME ?? '', '.gemini', 'tmp')
  const ofThisMinute = await filesBelow(projects, (path) => path.endsWith(file))
  return ofThisMinute.length > 0 ? minuteMs - (now % minuteMs) + 100 : 0
}

/**
 * Opencode asks its model for a title of each new session, and tells nobody what that has cost. Settings that are no
 * plain JSON are left as they are: then the title is reckoned.
 */
export function untitled({ OPENCODE_CONFIG_CONTENT: given = '{}' }: Record<string, string>): Record<string, string> {
  const settings = objectOn(given)
  if (settings === null) return {}
  const agent = { ...asObject(settings.agent), title: { disable: true } }
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...settings, agent }) }
}

/** From the database in which opencode keeps its sessions, and its log. Over the protocol it tells its last call alone. */
export async function opencodeFiled({ env, session, since }: AskedOfFiles): Promise<FiledTurn | null> {
  const folder = placeInHome('.local/share/opencode', env)
  const kept = keptIn(join(folder, 'opencode.db'), session)
  if (kept === null || kept.sessions.length === 0) return null
  const parts = kept.parts.filter((part) => part.at >= since)
  const answers = kept.answers.filter((answer) => answer.at >= since)
  const logged = await loggedIn(join(folder, 'log', 'opencode.log'), { sessions: kept.sessions, since })
  const trouble = troubleIn(parts, answers.at(-1), logged)
  return {
    usage: parts.map(usageOf).reduce(sumOf, noUsage),
    model: null,
    broken: brokenIn(parts, answers, trouble),
    hidden: Math.max(logged.hidden, kept.titledSince(since)),
    context: Math.max(0, ...kept.parts.map((part) => tokensOf(usageOf(part)))),
    whole: true,
    trouble,
  }
}

/** A step is a call that began to be answered. It comes to its end when its tools have run. */
interface Part {
  message: string
  at: number
  type: string
  tokens: string | null
}

interface Answer {
  id: string
  at: number
  error: string | null
}

const below =
  'with recursive mine(id) as (select ? union select session.id from session join mine on parent_id = mine.id)'

/** Of the session and those of its sub-agents. */
function keptIn(file: string, session: string) {
  if (!existsSync(file)) return null
  const { DatabaseSync } = createRequire(import.meta.url)(
    '@photostructure/sqlite',
  ) as typeof import('@photostructure/sqlite')
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    const all = (sql: string): unknown[] => database.prepare(`${below} ${sql}`).all(session)
    try {
      const told = all('select id, title, time_created as at from session where id in mine')
      return {
        sessions: told.flatMap((one) => asWords(at(one, 'id')) ?? []),
        /** How many have been given a title. */
        titledSince: (since: number) =>
          told.filter((one) => at(one, 'id') === session && asCount(at(one, 'at')) >= since && isTitled(one)).length,
        parts: all(
          `select message_id as message, time_created as at, json_extract(data, '$.type') as type,
           json_extract(data, '$.tokens') as tokens from part where session_id in mine order by time_created, id`,
        ) as Part[],
        answers: all(
          `select id, time_created as at, json_extract(data, '$.error') as error from message
           where session_id in mine and json_extract(data, '$.role') = 'assistant' order by time_created, id`,
        ) as Answer[],
      }
    } finally {
      database.close()
    }
  } catch {
    // Another version may keep it otherwise: then only what it tells is known.
    return null
  }
}

const isTitled = (session: unknown): boolean => !/^New session - \d/.test(asWords(at(session, 'title')) ?? '')

const usageOf = ({ tokens }: Part): Usage => usageOfTokens(objectOn(tokens ?? ''))

const count = (parts: Part[], type: string): number => parts.filter((part) => part.type === type).length

/** Begun and not ended; or asked, and not even begun to be answered, unless that was refused. */
function brokenIn(parts: Part[], answers: Answer[], trouble: FiledTurn['trouble']): number {
  const waiting = answers.filter(({ id, error }, place) => {
    const isLast = place === answers.length - 1
    const isRefused = statusIn(error) !== null || (isLast && trouble !== null)
    return !isRefused && !parts.some(({ message }) => message === id)
  })
  return Math.max(0, count(parts, 'step-start') - count(parts, 'step-finish')) + waiting.length
}

const statusIn = (error: string | null): number | null => asNumber(at(objectOn(error ?? ''), 'data', 'statusCode'))

function troubleIn(parts: Part[], last: Answer | undefined, { refusal }: Logged): FiledTurn['trouble'] {
  const failed = errorIn(last?.error ?? null)
  if (failed !== null) return failed
  const workedAt = parts.findLast(({ type }) => type !== 'step-start')?.at ?? 0
  const starts = parts.filter(({ message, type, at }) => message === last?.id && type === 'step-start' && at > workedAt)
  if (refusal !== null && refusal.at > workedAt && refusal.at >= (starts.at(-1)?.at ?? 0))
    return { status: null, message: refusal.message }
  return starts.length > 1 ? { status: null, message: 'the connection to the model broke off again and again' } : null
}

/** With the API's own name for it, where there is one. */
function errorIn(error: string | null): FiledTurn['trouble'] {
  const status = statusIn(error)
  return status === null ? null : { status, message: wordsOfRefusal(at(objectOn(error ?? ''), 'data')) }
}

/** What opencode's log tells of some sessions since a time. */
interface Logged {
  /** How many calls it made for itself, such as one for a title. */
  hidden: number
  /** The last refusal, in the words of the model's service. Its status is nowhere. */
  refusal: { at: number; message: string } | null
}

/** Refusals that it means to get over are only here: it tries again for minutes, and tells nobody. */
async function loggedIn(file: string, { sessions, since }: { sessions: string[]; since: number }) {
  const logged: Logged = { hidden: 0, refusal: null }
  for await (const line of lastFileLines(file)) {
    const at = Date.parse(/^timestamp=(\S+)/.exec(line)?.[1] ?? '')
    if (!(at >= since) || !sessions.includes(/ session\.id=(\S+)/.exec(line)?.[1] ?? '')) continue
    const isOwn = / small=true /.test(line)
    const words = / message="stream error" .* error\.error="(.*)"$/.exec(line)?.[1]
    if (isOwn && / message=stream /.test(line)) logged.hidden += 1
    if (!isOwn && words !== undefined) logged.refusal = { at, message: words.replaceAll('\\"', '"') }
  }
  return logged
}
