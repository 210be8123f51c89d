import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AgentTurn } from '../../../../ports/agent-driver.ts'
import { quietly } from './qwen.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-qwen-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const turnWith = (submit: AgentTurn['submit']) => ({ resultFile: join(temporaryFolder(), 'turn/answer.json'), submit })

const settingsBy = ({ QWEN_CODE_SYSTEM_DEFAULTS_PATH: file = '' }: Record<string, string>) =>
  JSON.parse(readFileSync(file, 'utf8'))

it('asks for no calls that nobody sees, beside what the administrator says', () => {
  const theirs = join(temporaryFolder(), 'theirs.json')
  writeFileSync(theirs, '{"ui":{"theme":"Ayu","enableFollowupSuggestions":true},"proxy":"http://proxy"}')
  const env = quietly(turnWith(null), { QWEN_CODE_SYSTEM_DEFAULTS_PATH: theirs })
  expect(env.QWEN_DISABLE_AUTO_TITLE).toBe('1')
  expect(settingsBy(env)).toMatchObject({
    ui: { theme: 'Ayu', enableFollowupSuggestions: false },
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    proxy: 'http://proxy',
  })
})

it('looks for those beside the settings of the system', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'system-defaults.json'), '{"proxy":"http://proxy"}')
  const env = quietly(turnWith(null), { QWEN_CODE_SYSTEM_SETTINGS_PATH: join(folder, 'settings.json') })
  expect(settingsBy(env)).toMatchObject({ proxy: 'http://proxy', ui: { enableFollowupSuggestions: false } })
})

it('leaves in its place what it cannot read', () => {
  const theirs = join(temporaryFolder(), 'theirs.json')
  writeFileSync(theirs, '// with words\n{}')
  expect(quietly(turnWith(null), { QWEN_CODE_SYSTEM_DEFAULTS_PATH: theirs })).toEqual({
    QWEN_DISABLE_AUTO_TITLE: '1',
  })
})

it('has the tool for its answer at hand where one is wanted', () => {
  const tools = { toolSearch: { threshold: 10 } }
  const env = quietly(turnWith({ program: 'node', args: ['a', 'b'] }), {})
  expect(env.QWEN_CODE_LEGACY_MCP_BLOCKING).toBe('1')
  expect(settingsBy(env)).toMatchObject({ tools })
  expect(settingsBy(quietly(turnWith(null), {}))).not.toHaveProperty('tools')
})
