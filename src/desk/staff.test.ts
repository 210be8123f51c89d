import { describe, expect, it } from 'vitest'
import type { AgentDriver, AgentProbe } from '../ports/agent-driver.ts'
import { TerminalError } from '../ports/errors.ts'
import { loadSettings } from '../settings/load.ts'
import { toPolicy } from '../settings/policy.ts'
import type { Settings } from '../settings/settings.ts'
import { autoCandidates, choiceText, prober, staff, staffed } from './staff.ts'

const settings = (text: string): Settings => {
  const loaded = loadSettings([{ name: 'repository', place: 'ropewalk.yaml', content: { text } }])
  if (!loaded.ok) throw new Error(loaded.problems.map((one) => one.message).join())
  return loaded.settings
}

const usable = { usable: true as const, version: '1.2.3', signedIn: 'A_KEY', notes: [] }
const missing: AgentProbe = { usable: false, version: null, problem: 'no such program', remedy: 'Install it.' }

/** A machine on which these drivers can be used; it remembers who was tried. */
function machine(answers: Record<string, AgentProbe>, unconfinable: string | null = null) {
  const tried: string[] = []
  const driver = async (name: string): Promise<AgentDriver> => ({
    run: () => Promise.reject(new Error('nobody is to work here')),
    salvage: async () => null,
    probe: async () => {
      tried.push(name)
      return answers[name] ?? missing
    },
  })
  return { tried, driver, env: {}, unconfinable: async () => unconfinable }
}

const facts = { cores: 2, currentBranch: 'main', unattended: true, utcOffsetMinutes: 0 }
const hire = (world: ReturnType<typeof machine>, text: string, planned = false) =>
  staff(world, settings(text), { facts, planned, root: '/' })

describe('auto', () => {
  it('is the first that can be used, which is pinned, and says why not those before it', async () => {
    const world = machine({ gemini: usable, opencode: usable })
    const { policy, notes } = await hire(world, '')
    expect(policy.roles).toMatchObject({ coder: ['gemini'], planner: ['gemini'] })
    expect(policy.agents).toMatchObject({ gemini: { driver: 'gemini', permissions: 'bypass' } })
    expect(notes).toEqual([
      'auto is gemini 1.2.3 (signed in by A_KEY; not claude: no such program; not codex: no such program)',
    ])
    expect(world.tried).toEqual(['claude', 'codex', 'gemini'])
  })

  it('keeps what the settings say about a product', async () => {
    const world = machine({ codex: usable })
    const text = '{ agents: { codex: { models: { fast: small } } }, roles: { coder: auto } }'
    expect((await hire(world, text)).policy.agents.codex?.models).toEqual({ fast: 'small' })
  })

  it('leaves one that nobody has signed in to, or that does not start', async () => {
    const answers = {
      claude: { ...usable, signedIn: false as const, notes: ['Run: claude, then /login'] },
      codex: usable,
    }
    const { settings: chosen, choice } = await staffed(settings(''), { probe: prober(machine(answers), '/'), env: {} })
    expect(chosen.roles.coder).toEqual(['codex'])
    expect(choice?.passed[0]?.probe).toMatchObject({
      problem: 'it is not signed in',
      remedy: 'Run: claude, then /login',
    })
  })

  it('is nobody of whom it cannot be told whether the user has chosen who gets the code', async () => {
    const perhaps: AgentProbe = { ...usable, signedIn: null }
    const pick = (answers: Record<string, AgentProbe>) =>
      staffed(settings(''), { probe: prober(machine(answers), '/'), env: {} })
    const { choice } = await pick({ opencode: perhaps, copilot: usable })
    expect(choice?.picked.name).toBe('copilot')
    expect(choiceText(choice!)).toContain('not opencode: it is not known whether somebody is signed in')
    await expect(pick({ opencode: perhaps })).rejects.toThrow(/opencode: it is not known .* name it under roles/)
    const named = await hire(machine({ opencode: perhaps }), 'roles: { coder: opencode }')
    expect(named.policy.roles.coder).toEqual(['opencode'])
  })

  it('comes to our own agent where there is a key and no product', async () => {
    const names = (env: Record<string, string>) => autoCandidates(settings(''), env).map(([name]) => name)
    expect(names({}).at(-1)).toBe('copilot')
    const [name, agent] = autoCandidates(settings(''), { GEMINI_API_KEY: 'k' }).at(-1)!
    expect([name, agent.api?.type, agent.models.powerful]).toEqual(['builtin', 'google', 'gemini-2.5-pro'])
  })

  it('comes to nobody in one error that names all, with what to do', async () => {
    const nobody = staffed(settings(''), { probe: prober(machine({}), '/'), env: {} })
    const error = await nobody.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TerminalError)
    const { message } = error as TerminalError
    for (const name of ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'copilot', 'builtin'])
      expect(message).toMatch(new RegExp(`^  ${name}: .*\\.$`, 'm'))
  })
})

describe('the agents of a delivery', () => {
  it('are tried once each, also when they have two roles, and planners only where a plan is missing', async () => {
    const world = machine({ claude: usable, codex: usable })
    await hire(world, 'roles: { coder: [claude], planner: [claude, codex] }')
    expect(world.tried).toEqual(['claude', 'codex'])
    const planned = machine({ claude: usable })
    await hire(planned, 'roles: { coder: [claude], planner: [codex], triager: [claude] }', true)
    expect(planned.tried).toEqual(['claude'])
  })

  it('are also those who review, and who sort what they find', async () => {
    const reviewers = 'review: { reviewers: [{ vantage: correctness, agents: [gemini] }] }'
    const world = machine({ claude: usable, codex: usable, gemini: usable })
    await hire(world, `{ roles: { coder: [claude], planner: [codex] }, ${reviewers} }`, true)
    expect(world.tried.sort()).toEqual(['claude', 'codex', 'gemini'])
    const unreviewed = machine({ claude: usable })
    await hire(unreviewed, '{ roles: { coder: [claude], planner: [codex] }, review: { reviewers: [] } }', true)
    expect(unreviewed.tried).toEqual(['claude'])
  })

  it('that cannot be used are all named in one error, where nobody of their chain can', async () => {
    const nobody = hire(machine({ qwen: usable }), 'roles: { coder: [claude, codex], planner: qwen }')
    await expect(nobody).rejects.toThrow(
      /agent claude cannot be used, and nobody else can be .*coder.*: no such.*\n.*agent codex cannot be used/,
    )
  })

  it('go on without those who cannot be used, and say so, where others of their chain can', async () => {
    const reviewers = 'review: { reviewers: [{ vantage: correctness, agents: [claude, qwen] }] }'
    const text = `{ roles: { coder: [claude, qwen, codex], planner: qwen }, ${reviewers} }`
    const { policy, warnings } = await hire(machine({ qwen: usable }), text)
    expect(policy.roles).toMatchObject({ coder: ['qwen'], planner: ['qwen'] })
    expect(policy.review.reviewers[0]?.agents).toEqual(['qwen'])
    expect(warnings).toEqual([
      expect.stringMatching(/^the agent claude cannot be used, so the delivery begins without it: no such program/),
      expect.stringMatching(/^the agent codex cannot/),
    ])
  })

  it('leave a seat that nobody was named for where none of them can take it, and say so', async () => {
    const mine = 'agents: { claude: { driver: claude }, mine: { driver: command, command: [x] } }'
    const text = (chain: string) => `{ ${mine}, roles: { coder: ${chain}, planner: mine }, sandbox: none }`
    const { policy, warnings } = await hire(machine({ command: usable }), text('[claude, mine]'))
    expect([policy.roles.coder, policy.review.reviewers, policy.changedTests]).toEqual([['mine'], [], 'block'])
    expect(warnings).toEqual([
      expect.stringMatching(/^the agent claude cannot/),
      expect.stringMatching(/^nobody .* can review/),
    ])
    await expect(hire(machine({ command: usable }), text('[claude]'))).rejects.toThrow(
      /nobody else can be .*reviewer 1/,
    )
  })

  it('that are slow to start are given more time, and are then unknown, not unusable', async () => {
    const late: AgentProbe = { ...missing, late: true }
    const slow = (answers: AgentProbe[]) => {
      const given: number[] = []
      const probe = async (_: unknown, __: string, timeoutMs: number) => answers[given.push(timeoutMs) - 1]!
      const world = machine({})
      return { given, world: { ...world, driver: async () => ({ ...(await world.driver('claude')), probe }) } }
    }
    const busy = slow([late, usable])
    expect((await hire(busy.world, 'roles: { coder: claude }')).warnings).toEqual([])
    expect(busy.given).toEqual([20_000, 90_000])
    const stuck = prober(slow([late, late]).world, '/')
    const { claude } = toPolicy(settings('roles: { coder: claude }'), facts).agents
    expect(await stuck('claude', claude!)).toMatchObject({
      probe: { usable: true, signedIn: null, notes: [expect.stringContaining('not answer within 90 s')] },
    })
  })

  it('of our own kind need a model', async () => {
    const bare = 'agents: { mine: { driver: builtin, api: { type: openai } } }'
    await expect(hire(machine({ builtin: usable }), bare)).rejects.toThrow(/mine cannot be used.*: no model is named/)
  })
})

describe('the sandbox', () => {
  const none = 'bubblewrap is not installed'
  const world = (unconfinable: string | null) => machine({ claude: usable, acp: usable, command: usable }, unconfinable)

  it.each(['auto', 'bwrap'])('%s is refused where it cannot be had, before anything is begun', async (sandbox) => {
    await expect(hire(world(none), `{ roles: { coder: claude }, sandbox: ${sandbox} }`)).rejects.toThrow(none)
  })

  it('auto is kept where it can be had, and none needs nothing', async () => {
    const pinned = async (text: string, unconfinable: string | null) =>
      (await hire(world(unconfinable), text)).policy.sandbox
    expect(await pinned('roles: { coder: claude }', null)).toBe('auto')
    expect(await pinned('{ roles: { coder: claude }, sandbox: none }', none)).toBe('none')
  })

  it('is not missed by agents that ask, unless it is asked for, and then for the checks too', async () => {
    const asks = 'agents: { mine: { driver: acp, command: [x], permissions: ask } }'
    expect((await hire(world(none), asks)).policy.sandbox).toBe('auto')
    await expect(hire(world(none), `{ ${asks}, sandbox: bwrap }`)).rejects.toThrow(none)
    const own = '{ agents: { mine: { driver: command, command: [x] } }, sandbox: bwrap }'
    await expect(hire(world(none), own)).rejects.toThrow(none)
  })
})
