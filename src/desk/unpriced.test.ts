import { describe, expect, it } from 'vitest'
import type { TerminalError } from '../ports/errors.ts'
import { loadSettings } from '../settings/load.ts'
import { toPolicy } from '../settings/policy.ts'
import { factsHere } from './prepare/settings-layers.ts'
import { refuseUnpriced, unpricedWarnings } from './staff.ts'

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

  it.each([
    ['usdPerDelivery: 1', '', /gtp-5 of codex \(powerful\)[\s\S]*reserveUsd: [\s\S]*tokensPerDelivery/],
    ['usdPerDay: 1', '', /gtp-5 of codex/],
    ['usdPerDelivery: 1', ', reserveUsd: 2', null],
    ['usdPerDelivery: 1', ', reserveUsd: 0', null],
    ['usdPerDelivery: 1, tokensPerStory: 9', '', null],
    ['tokensPerDelivery: 9', '', null],
  ])('under the ceilings %s, with%s are refused, unless something says how to count', async (ceilings, more, said) => {
    const text = `{ agents: { codex: { models: { fast: known, powerful: gtp-5 }${more} } }, ceilings: { ${ceilings} } }`
    const refused = await refuseUnpriced(policy(text), prices).then(
      () => null,
      (error: TerminalError) => `${error.message}\n${error.remedy}`,
    )
    if (said === null) expect(refused).toBeNull()
    else expect(refused).toMatch(said)
  })
})
