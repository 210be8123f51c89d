import { describe, expect, it } from 'vitest'
import { knownAgent } from '../../../../src/adapters/agent-acp/known-agents.ts'
import { temporaryFolder } from '../../agent.ts'
import { byHand, openDriver, type Script } from './stage.ts'

const probe = (script: Script) => openDriver().probe(byHand(script), temporaryFolder())

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
    [{ command: 'goose' }, 'command'],
    [{}, 'command'],
  ])('tells why it cannot be used', async (options, problem) => {
    const probed = await openDriver().probe(options, temporaryFolder())
    expect(probed).toMatchObject({ usable: false, problem: expect.stringContaining(problem) })
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
    expect(knownAgent(['my-agent', 'copilot']).agent).toMatchObject({ exact: false, keeps: ['my-agent'] })
  })
})
