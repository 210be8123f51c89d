import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { copilotFiled } from './copilot.ts'

const begin = Date.parse('2026-11-18T19:37:00Z')
const stamp = (seconds: number): string => new Date(begin + seconds * 1_000).toISOString()

const asks = (seconds: number) => ({ type: 'assistant.turn_start', data: { turnId: '0' }, timestamp: stamp(seconds) })
const answered = (seconds: number) => ({
  type: 'session.usage_record',
  data: { usage: { model: 'fake-model', inputTokens: 1201, outputTokens: 21, cacheReadTokens: 300 } },
  timestamp: stamp(seconds),
})
const fails = (seconds: number, more: object): string =>
  `${stamp(seconds)} [WARNING] [rust:model_events::producer] Model provider request failed ${JSON.stringify({ stage: 'inference', ...more })}`
const refused = { http_status: 429, failure_kind: 'http_error' }
const lost = { failure_kind: 'transport' }

/** As copilot 1.0.102 keeps it. */
function filed(events: object[], log: string[] = [], others: string[] = []) {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-copilot-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const state = join(home, '.copilot/session-state/s-1')
  for (const folder of [state, join(home, '.copilot/logs')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(state, 'events.jsonl'), events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  writeFileSync(join(home, '.copilot/logs/process-1-2.log'), ['Opened session s-1', ...log].join('\n'))
  writeFileSync(join(home, '.copilot/logs/process-3-4.log'), ['Opened session s-2', ...others].join('\n'))
  return copilotFiled({ env: { HOME: home }, session: 's-1', since: begin })
}

const one = { inputTokens: 1201, outputTokens: 21, cachedTokens: 300 }

it('sums up the calls of a turn, and no others', async () => {
  const events = [asks(-9), answered(-8), asks(1), answered(2)]
  expect(await filed(events)).toEqual({ usage: one, broken: 0, hidden: 0, context: 1222, whole: true, trouble: null })
})

it('tells the status of what it tries again, which has cost nothing', async () => {
  const log = [fails(2, refused), fails(5, refused)]
  expect(await filed([asks(1)], log)).toMatchObject({ broken: 0, trouble: { status: 429 } })
  expect(await filed([asks(1), answered(6)], log)).toMatchObject({ usage: one, broken: 0, trouble: null })
})

it('counts a call that broke off or is still open as one that may have been paid for', async () => {
  expect(await filed([asks(1), answered(6)], [fails(2, lost), fails(4, lost)])).toMatchObject({ broken: 2 })
  expect(await filed([asks(1)], [fails(2, lost)])).toMatchObject({ broken: 1, trouble: { status: null } })
  expect(await filed([asks(1), answered(2), asks(3)])).toMatchObject({ broken: 1, trouble: null })
})

it('knows nothing of other processes and of other sessions', async () => {
  expect(await filed([asks(1), answered(2)], [], [fails(3, refused)])).toMatchObject({ trouble: null })
  expect(await filed([])).toBeNull()
})
