import { describe, expect, it } from 'vitest'
import { agentRow } from '../../desk/settings.ts'
import { withOurs } from '../../desk/staff.ts'
import type { AgentProbe } from '../../ports/agent-driver.ts'
import { loadSettings } from '../../settings/load.ts'
import { rendered } from '../show/line.ts'
import { agentLines } from './settings.ts'

const settings = (text: string) => {
  const loaded = loadSettings([{ name: 'repository', place: 'ropewalk.yaml', content: { text } }])
  if (!loaded.ok) throw new Error('no settings')
  return loaded.settings
}

const there = { usable: true as const, version: '2.1.3', signedIn: 'A_KEY', notes: [] }
const gone: AgentProbe = { usable: false, version: null, problem: 'no such program', remedy: 'Install it.' }

describe('agents', () => {
  it('have the roles that name them, or that auto gives them', () => {
    const named = settings('{ agents: { codex: {} }, roles: { coder: [codex, claude], planner: auto } }')
    const codex = agentRow({ name: 'codex', driver: 'codex', probe: there }, named, 'codex')
    expect(codex).toMatchObject({ configured: true, roles: ['coder', 'planner'], usable: true, version: '2.1.3' })
    const qwen = agentRow({ name: 'qwen', driver: 'qwen', probe: gone }, named, 'codex')
    expect(qwen).toMatchObject({ configured: false, roles: [], problem: 'no such program', remedy: 'Install it.' })
  })

  it('are never without our own, which says how to use it', () => {
    const [, ours] = withOurs([{ name: 'qwen', driver: 'qwen', probe: gone }])
    expect(ours).toMatchObject({ name: 'builtin', probe: { remedy: expect.stringContaining('ANTHROPIC_API_KEY') } })
    expect(withOurs([ours!])).toEqual([ours])
  })

  it('are told with what is wrong and what to do', () => {
    const rows = [
      agentRow({ name: 'claude', driver: 'claude', probe: there }, settings(''), 'claude'),
      agentRow({ name: 'mine', driver: 'acp', probe: gone }, settings(''), 'claude'),
      agentRow({ name: 'opencode', driver: 'opencode', probe: { ...there, signedIn: null } }, settings(''), 'claude'),
      'qwen',
    ]
    const text = agentLines(rows).map((line) => rendered(line, false).trimEnd())
    expect(text).toEqual([
      '✔  claude    2.1.3  coder, planner  signed in by A_KEY',
      '✘  mine      acp                    no such program',
      '     Install it.',
      '✔  opencode  2.1.3                  perhaps not signed in, so auto passes it over',
      '…  qwen',
    ])
  })
})
