import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import type { CliAgent, CliStart } from './cli-agent.ts'
import { claude } from './products/claude.ts'
import { codex } from './products/codex.ts'
import { copilot } from './products/copilot.ts'
import { gemini } from './products/gemini.ts'
import { opencode } from './products/opencode.ts'
import { qwen } from './products/qwen.ts'

const homeWith = (files: Record<string, string> = {}): string => {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-sign-in-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(home, name, '..'), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  return home
}
const by = (agent: CliAgent, env: Record<string, string>, files?: Record<string, string>, args: string[] = []) =>
  agent.probe.signedIn({ env, home: homeWith(files), args })

describe('who is signed in', () => {
  it.each([
    [claude, 'ANTHROPIC_API_KEY', '.credentials.json'],
    [codex, 'CODEX_API_KEY', 'auth.json'],
    [gemini, 'GEMINI_API_KEY', 'oauth_creds.json'],
    [qwen, 'OPENAI_API_KEY', 'oauth_creds.json'],
    [copilot, 'COPILOT_PROVIDER_BASE_URL', 'config.json'],
    [opencode, 'ANTHROPIC_API_KEY', 'auth.json'],
  ])('is told by a key or a file of the user', async (agent, key, file) => {
    const signIn = '{ "lastLoggedInUser": { "type": "api" } }'
    expect(await by(agent, { [key]: 'x' })).toBe(key)
    expect(await by(agent, {}, { [file]: signIn })).toMatch(new RegExp(`/${file}$`))
    for (const files of [{}, { [file]: '' }, { [file]: '{ }\n' }])
      expect(await by(agent, {}, files)).not.toEqual(expect.any(String))
  })

  it('is also who names a provider, and nobody by an empty sign-in', async () => {
    expect(await by(codex, {}, {}, ['-c', 'model_provider="mine"'])).toBe('the provider mine in its args')
    const OPENCODE_CONFIG_CONTENT = '{ "provider": { "local": { "npm": "x" } } }'
    expect(await by(opencode, { OPENCODE_CONFIG_CONTENT })).toBe('OPENCODE_CONFIG_CONTENT')
    expect(await by(opencode, { OPENCODE_CONFIG_CONTENT: '{ "provider": {} }' }, { 'auth.json': '{}' })).toBeNull()
  })
})

describe('opencode', () => {
  const disabled = (env: Record<string, string>, given: { model?: string; auth?: string }) => {
    const home = homeWith(given.auth === undefined ? {} : { 'auth.json': given.auth })
    const turn = { model: given.model ?? null, submit: null }
    const files = opencode.home.files!({ turn, home, env, session: null, usageFile: '' } as unknown as CliStart)
    return JSON.parse(files['config/opencode/opencode.json']!).disabled_providers
  }

  it("never takes its vendor's free models unless somebody has chosen the vendor", () => {
    expect(disabled({}, {})).toEqual(['opencode'])
    expect(disabled({ GROQ_API_KEY: 'x' }, { auth: '{ "groq": {} }' })).toEqual(['opencode'])
    expect(disabled({ OPENCODE_API_KEY: 'x' }, {})).toBeUndefined()
    expect(disabled({}, { auth: '{ "opencode": {} }' })).toBeUndefined()
    expect(disabled({}, { model: 'opencode/big-pickle' })).toBeUndefined()
  })
})

/** A product may not tell of all that it knows. */
const untold = ['--max-turns']

it.each([claude, copilot, gemini, qwen])('$name is asked for each flag that a challenger starts it with', (agent) => {
  const turn = { options: {}, model: 'm1', session: null, openAs: 'fresh', submit: null, modelTurns: 15 }
  const start = { session: 'fresh', home: '/home/own', usageFile: '/none', env: {} }
  const args = agent.args({ ...start, turn: turn as unknown as AgentTurn } as CliStart)
  const flags = args.map((one) => one.split('=')[0]!).filter((one) => one.startsWith('--') && !untold.includes(one))
  expect(agent.probe.flags).toEqual(expect.arrayContaining(flags))
})
