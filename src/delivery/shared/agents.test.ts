import { describe, expect, it } from 'vitest'
import { agent, policy } from '../../../test/simulation/sample.ts'
import { familyOf } from '../shared/agents.ts'

const pinned = policy({
  agents: {
    mine: agent({ driver: 'claude' }),
    theirs: agent({ driver: 'codex' }),
    open: agent({ driver: 'opencode' }),
    local: agent({ driver: 'builtin', options: { api: { type: 'compatible', url: 'http://one', key: null } } }),
    far: agent({ driver: 'builtin', options: { api: { type: 'compatible', url: 'http://two', key: null } } }),
    ours: agent({ driver: 'builtin', options: { api: { type: 'anthropic', url: null, key: null } } }),
    script: agent({ driver: 'scripted' }),
    command: agent({ driver: 'scripted' }),
  },
})
const family = (name: string, model: string | null = null): string => familyOf(pinned, { agent: name, model })

describe('a model family', () => {
  it('is told by the name of the model, whoever drives it', () => {
    for (const name of ['mine', 'open', 'script', 'unknown']) {
      expect(family(name, 'gpt-5')).toBe('openai')
      expect(family(name, 'anthropic/claude-opus-4')).toBe('anthropic')
      expect(family(name, 'models/gemini-3-pro')).toBe('google')
      expect(family(name, 'o3')).toBe('openai')
    }
    expect(family('open', 'qwen3-coder')).toBe('qwen')
  })
  it('is that of the maker where the name tells nothing', () => {
    expect(family('mine')).toBe('anthropic')
    expect(family('theirs', 'the-best')).toBe('openai')
    expect(family('ours')).toBe('anthropic')
  })
  it('is another for each service that nobody knows, and for each script', () => {
    expect(family('local')).not.toBe(family('far'))
    expect(family('script')).not.toBe(family('command'))
    expect(family('open')).toBe('opencode')
  })
})
