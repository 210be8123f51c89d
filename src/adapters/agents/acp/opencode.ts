import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { noUsage, tokensOf, type Usage } from '../../../delivery/money/ledger.ts'
import { usageOfTokens, wordsOfRefusal } from '../cli/products/opencode.ts'
import { type AskedOfFiles, type FiledTurn, lastFileLines } from '../filed.ts'
import { asCount, asNumber, asWords, at, objectOn } from '../json.ts'
import { placeInHome } from '../turn.ts'
import { sumOf } from '../usage.ts'

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
