import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { qwenChat } from './qwen.ts'

const telemetry = (uiEvent: object) => ({ type: 'system', subtype: 'ui_telemetry', systemPayload: { uiEvent } })
const answered = (input: number) =>
  telemetry({
    ...{ 'event.name': 'qwen-code.api_response', model: 'fake-model', status_code: 200 },
    ...{ input_token_count: input, output_token_count: 24, cached_content_token_count: 10 },
  })
const refused = telemetry({ 'event.name': 'qwen-code.api_error', status_code: 529, error_message: '529 Overloaded' })
const prompt = { type: 'user', message: { parts: [{ text: 'Go on.' }] } }

function homeWith(...lines: unknown[]): string {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-qwen-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const chats = join(home, 'projects/-repo/chats')
  mkdirSync(chats, { recursive: true })
  writeFileSync(join(chats, 's1.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
  return home
}

it('sums up the calls of a session', async () => {
  const usage = { inputTokens: 2609, outputTokens: 48, cachedTokens: 20 }
  const home = homeWith(prompt, answered(1204), prompt, answered(1405))
  const filed = await qwenChat({ home, session: 's1' })
  const rest = { broken: 0, hidden: 0, context: 1429, whole: false }
  expect(filed).toEqual({ usage, model: 'fake-model', trouble: null, ...rest })
})

it('tells what the last call failed with, as long as nothing came after', async () => {
  const trouble = { status: 529, message: '529 Overloaded' }
  expect(await qwenChat({ home: homeWith(prompt, answered(1), refused, refused), session: 's1' })).toMatchObject({
    trouble,
  })
  expect(await qwenChat({ home: homeWith(prompt, refused, answered(1)), session: 's1' })).toMatchObject({
    trouble: null,
  })
  expect(await qwenChat({ home: homeWith(prompt, refused, prompt), session: 's1' })).toMatchObject({ trouble: null })
})

it('is null where there is no such session', async () => {
  expect(await qwenChat({ home: homeWith(), session: 's2' })).toBeNull()
  expect(await qwenChat({ home: '/nowhere', session: 's1' })).toBeNull()
})
