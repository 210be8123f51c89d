import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acpConfinement, knownAgent } from '../../../../src/adapters/agents/acp/known-agents.ts'
import { firstMinuteMs } from '../../../../src/adapters/agents/acp/products.ts'
import { temporaryFolder, turnWith } from '../../agent.ts'
import { byHand, openDriver, type Script } from './stage.ts'

const probe = (script: Script) => openDriver().probe(byHand(script), temporaryFolder(), 20_000)

describe('probing', () => {
  it('starts it and tells its version', async () => {
    expect(await probe({})).toEqual({ usable: true, version: '1.2.3', signedIn: null, notes: [] })
  })

  it('tells that nobody has signed in, and how that is done', async () => {
    const opened = { error: { code: -32000, message: 'Authentication required' } }
    expect(await probe({ hello: { authMethods: [{ id: 'a', name: 'Log in' }, { id: 'key' }] }, opened })).toEqual({
      usable: true,
      version: '1.2.3',
      signedIn: false,
      notes: ['signs in by: Log in, key'],
    })
  })

  it.each([
    [
      byHand({ beforeHello: [{ complain: 'unknown option --acp' }, { exit: 2 }] }),
      'exit code 2): unknown option --acp',
    ],
    [byHand({ hello: { protocolVersion: 7 } }), 'version 1'],
    [byHand({ opened: { error: { code: -32603, message: 'broken' } } }), 'broken'],
    [{ command: ['true'] }, 'did not greet'],
    [{ command: ['ropewalk-no-such-program'] }, 'there is no program ropewalk-no-such-program'],
    [{ command: ['codex-acp'], permissions: 'ask' }, 'cannot be used with permissions: ask'],
    [{ command: ['npx', '-y', '@agentclientprotocol/codex-acp'], permissions: 'ask' }, 'permissions: ask'],
    [{ command: ['node', '/opt/codex-acp/bin/codex-acp.js'], permissions: 'ask' }, 'permissions: ask'],
    [{ command: 'goose' }, 'command'],
    [{}, 'command'],
  ])('tells why it cannot be used', async (options, problem) => {
    const probed = await openDriver().probe(options, temporaryFolder(), 20_000)
    expect(probed).toMatchObject({ usable: false, problem: expect.stringContaining(problem) })
  })
})

describe('what an agent keeps', () => {
  it('may be written by one that is confined, wherever the user has it', () => {
    const home = temporaryFolder()
    mkdirSync(join(home, '.config/mine'), { recursive: true })
    const turn = turnWith(
      {},
      { confine: { write: ['/w'], hide: [], show: [], guard: [], bare: [], kept: [], network: true } },
    )
    const writable = (command: string, env: Record<string, string>) =>
      acpConfinement(turn, knownAgent([command]).agent, { HOME: home, ...env })?.write
    const own = ['/w', dirname(turn.resultFile)]
    expect(writable('mine', {})).toEqual([...own, join(home, '.config/mine')])
    const cache = join(home, 'elsewhere')
    expect(writable('copilot', { XDG_CACHE_HOME: cache })).toEqual([
      ...own,
      join(home, '.copilot'),
      join(cache, 'copilot'),
    ])
    expect(existsSync(join(cache, 'copilot'))).toBe(true)
    expect(acpConfinement({ ...turn, confine: null }, knownAgent(['mine']).agent, {})).toBeNull()
  })

  it('is not loaded by gemini in the minute in which it was opened', async () => {
    const home = temporaryFolder()
    const chats = join(home, '.gemini/tmp/project/chats')
    mkdirSync(chats, { recursive: true })
    writeFileSync(join(chats, 'session-2026-11-15T19-35-3cb644f1.jsonl'), '')
    const left = (session: string, now: string) => firstMinuteMs({ env: { HOME: home }, session }, Date.parse(now))
    expect(await left('3cb644f1-4e78', '2026-11-15T19:35:20Z')).toBe(40_100)
    expect(await left('3cb644f1-4e78', '2026-11-15T19:36:00Z')).toBe(0)
    expect(await left('bd238106-db0c', '2026-11-15T19:35:20Z')).toBe(0)
    expect(await firstMinuteMs({ env: {}, session: '3cb644f1' }, 0)).toBe(0)
  })
})

describe('a command', () => {
  it.each([
    [['goose'], ['goose', 'acp']],
    [['/opt/goose'], ['/opt/goose', 'acp']],
    [['cursor'], ['cursor-agent', 'acp']],
    [['cursor-agent'], ['cursor-agent', 'acp']],
    [['kiro'], ['kiro-cli', 'acp']],
    [['gemini'], ['gemini', '--acp']],
    [
      ['gemini', '--experimental-acp'],
      ['gemini', '--experimental-acp'],
    ],
    [['claude-agent-acp'], ['claude-agent-acp']],
    [['./my-agent'], ['./my-agent']],
  ] as [[string], string[]][])('may be short: %j', (command, whole) => {
    expect(knownAgent(command).command).toEqual(whole)
  })

  it('is known by its package too', () => {
    const command: [string, ...string[]] = ['npx', '-y', '@agentclientprotocol/codex-acp@2.6.0']
    expect(knownAgent(command)).toMatchObject({ command, agent: { modes: { free: 'agent-full-access' } } })
    const { exact = false, keeps } = knownAgent(['my-agent', 'copilot']).agent
    expect({ exact, keeps }).toEqual({ exact: false, keeps: ['my-agent'] })
  })
})
