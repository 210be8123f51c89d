import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { opencodeFiled } from './products.ts'

const begin = Date.parse('2026-11-18T19:33:40Z')
const untitled = 'New session - 2026-11-18T19:33:39.503Z'
const tokens = { total: 1225, input: 904, output: 20, reasoning: 1, cache: { read: 300, write: 0 } }
const start = { type: 'step-start' }
const finish = { type: 'step-finish', reason: 'stop', tokens, cost: 0 }
const refusal = {
  name: 'APIError',
  data: { message: 'not valid', statusCode: 400, responseBody: '{"error":{"type":"invalid_request_error"}}' },
}

interface Kept {
  title?: string
  /** Each answer with its parts, a second apart. */
  answers: { error?: object; isOver?: boolean; parts: object[] }[]
  log?: string[]
}

/** As opencode 1.18.33 keeps it. */
function homeWith({ title = untitled, answers, log = [] }: Kept): string {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-opencode-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const folder = join(home, '.local/share/opencode')
  mkdirSync(join(folder, 'log'), { recursive: true })
  writeFileSync(join(folder, 'log/opencode.log'), log.map((line) => `${line}\n`).join(''))
  const database = new DatabaseSync(join(folder, 'opencode.db'))
  database.exec(`create table session (id text, parent_id text, title text, time_created integer);
    create table message (id text, session_id text, time_created integer, data text);
    create table part (id text, message_id text, session_id text, time_created integer, data text)`)
  database.prepare('insert into session values (?, null, ?, ?)').run('ses_1', title, begin)
  let time = begin
  answers.forEach(({ error, isOver, parts }, index) => {
    const data = { role: 'assistant', error, time: { created: time, ...(isOver ? { completed: time } : {}) } }
    database.prepare('insert into message values (?, ?, ?, ?)').run(`m${index}`, 'ses_1', time, JSON.stringify(data))
    for (const part of parts) {
      time += 1_000
      const row = [`p${time}`, `m${index}`, 'ses_1', time, JSON.stringify(part)]
      database.prepare('insert into part values (?, ?, ?, ?, ?)').run(...row)
    }
  })
  database.close()
  return home
}

const filed = (kept: Kept, since = begin) => opencodeFiled({ env: { HOME: homeWith(kept) }, session: 'ses_1', since })

const at = (seconds: number, rest: string): string =>
  `timestamp=${new Date(begin + seconds * 1_000).toISOString()} level=INFO run=1 ${rest}`
const ofSession = 'providerID=fake modelID=fake-model session.id=ses_1'
const tooMany = 'agent=build mode=primary error.error="AI_APICallError: fake: too many requests"'
const error = `message="stream error" ${ofSession} small=false ${tooMany}`
const title = `message=stream ${ofSession} small=true agent=title mode=primary`

it('sums up the calls of a turn, and no others', async () => {
  const kept = { answers: [{ parts: [start, finish] }, { parts: [start, finish] }] }
  const usage = { inputTokens: 1204, outputTokens: 21, cachedTokens: 300 }
  expect(await filed(kept, begin + 3_000)).toEqual({
    usage,
    broken: 0,
    hidden: 0,
    context: 1225,
    whole: true,
    trouble: null,
    model: null,
  })
  expect((await filed(kept))?.usage.inputTokens).toBe(2408)
})

it('tells what the service refused, with its status', async () => {
  const kept = { answers: [{ parts: [start, finish] }, { error: refusal, isOver: true, parts: [] }] }
  const trouble = { status: 400, message: 'not valid (invalid_request_error)' }
  expect(await filed(kept)).toMatchObject({ broken: 0, trouble })
})

it('counts a call that broke off or is still open as one that may have been paid for', async () => {
  expect(await filed({ answers: [{ parts: [] }] })).toMatchObject({ broken: 1, trouble: null })
  expect(await filed({ answers: [{ parts: [start, start, { type: 'tool' }] }] })).toMatchObject({ broken: 2 })
  expect((await filed({ answers: [{ parts: [start, start] }] }))?.trouble?.message).toContain('connection')
})

it('tells from the log what it tries again, as long as nothing came of it', async () => {
  const log = [at(-9, error), at(0, title), at(2, error), 'half a li']
  const trouble = { status: null, message: 'AI_APICallError: fake: too many requests' }
  expect(await filed({ log, answers: [{ parts: [] }] })).toMatchObject({ broken: 0, hidden: 1, trouble })
  const parts = [start, { type: 'text' }, start, { type: 'text' }]
  expect(await filed({ log, answers: [{ parts }] })).toMatchObject({ trouble: null })
  expect(await filed({ log: [at(-9, error)], answers: [{ parts: [] }] })).toMatchObject({ hidden: 0, trouble: null })
})

it('counts the call for a title that it has got, whatever the log says', async () => {
  expect(await filed({ title: 'A short title', answers: [] })).toMatchObject({ hidden: 1 })
})

it('knows nothing of other sessions, and of other databases', async () => {
  const env = { HOME: homeWith({ answers: [] }) }
  expect(await opencodeFiled({ env, session: 'ses_2', since: 0 })).toBeNull()
  writeFileSync(join(env.HOME, '.local/share/opencode/opencode.db'), 'something else')
  expect(await opencodeFiled({ env, session: 'ses_1', since: 0 })).toBeNull()
  expect(await opencodeFiled({ env: { HOME: '/no/such/home' }, session: 'ses_1', since: 0 })).toBeNull()
})
