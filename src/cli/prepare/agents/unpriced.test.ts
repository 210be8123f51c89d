import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../../settings/load.ts'
import { toPolicy } from '../../../settings/policy.ts'
import { factsHere } from '../facts.ts'
import { unpricedWarnings } from './unpriced.ts'

const policy = (text: string) => {
  const loaded = loadSettings([{ name: 'repository', place: 'ropewalk.yaml', content: { text } }])
  if (!loaded.ok) throw new Error('no settings')
  return toPolicy(loaded.settings, factsHere('main', true))
}

const prices = async () => ({ usd: async ({ model }: { model: string }) => (model === 'known' ? 1 : null) })

describe('models without a price', () => {
  it('are named, with what counts instead', async () => {
    const text = 'agents: { codex: { models: { fast: known, powerful: gtp-5 }, cheaper: tiny, reserveUsd: 2 } }'
    const warnings = await unpricedWarnings(policy(text), prices)
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toMatch(/agents\.codex: .* gtp-5 .*2 USD/)
  })

  it('are nobody’s business where the agent tells the price, has no role, or is free', async () => {
    const free = (reserve: string) => policy(`agents: { codex: { models: { fast: x }${reserve} } }`)
    expect(await unpricedWarnings(free(', reserveUsd: 0'), prices)).toEqual([])
    expect(await unpricedWarnings(free(''), prices)).toHaveLength(1)
    const told = '{ agents: { claude: { models: { fast: sonnet } } } }'
    expect(await unpricedWarnings(policy(told), prices)).toEqual([])
    const idle = '{ agents: { codex: { models: { fast: x } } }, roles: { coder: claude } }'
    expect(await unpricedWarnings(policy(idle), prices)).toEqual([])
  })
})
