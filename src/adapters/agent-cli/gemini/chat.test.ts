import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { chatOf } from './chat.ts'

const session = '17833cda-5b02-4fdc-8bf9-07728c5006ae'
const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true })
})

async function chat(...entries: unknown[]) {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-chat-'))
  homes.push(home)
  const folder = join(home, '.gemini', 'tmp', 'project', 'chats')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'session-17833cda.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return await chatOf({ home, session })
}

const asked = { id: 'u', type: 'user', content: 'do it' }
const says = (id: string, toolCalls: unknown[] = []) => ({
  ...{ id, type: 'gemini', model: 'm', toolCalls },
  tokens: { input: 10, output: 2, cached: 0, total: 12 },
})

describe('the chat of a session', () => {
  it.each([
    ['an answer', [asked, says('a')], true],
    ['a call of a tool', [asked, says('a', ['call'])], false],
    ['a question that has no answer yet', [asked, says('a'), asked], false],
    ['an answer, then something that nobody said', [asked, says('a'), { id: 'i', type: 'info' }], true],
    ['nothing', [], false],
  ])('ends with %s', async (_, entries, answered) => {
    expect(await chat(...entries)).toMatchObject({ answered })
  })
})
