import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { claudeSession } from './claude.ts'

const call = (id: string, output: number) =>
  `${JSON.stringify({ type: 'assistant', message: { id, model: 'opus', usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: output } } })}\n`

it('the files of a session tell each call once, with what it came to, also of agents within it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-claude-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const project = join(home, 'projects', '-w')
  mkdirSync(join(project, 's1', 'subagents'), { recursive: true })
  writeFileSync(join(project, 's1.jsonl'), `${call('m1', 1)}{"type":"user"}\n${call('m1', 94)}${call('m2', 6)}{"half`)
  writeFileSync(join(project, 's1', 'subagents', 'agent-7.jsonl'), call('m3', 2))
  writeFileSync(join(project, 's2.jsonl'), call('m4', 1_000))
  const usage = { inputTokens: 45, outputTokens: 102, cachedTokens: 15 }
  expect(await claudeSession({ home, session: 's1' })).toMatchObject({ usage, model: 'opus' })
  expect(await claudeSession({ home, session: 's3' })).toBeNull()
})
