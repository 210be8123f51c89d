import { describe, expect, it } from 'vitest'
import type { AgentDriver, AgentProbe } from '../ports/agent-driver.ts'
import { loadSettings } from '../settings/load.ts'
import { toPolicy } from '../settings/policy.ts'
import { examineAgents, examineSandbox } from './doctor.ts'
import { factsHere } from './prepare/settings-layers.ts'

const settings = (text: string) => {
  const loaded = loadSettings([{ name: 'repository', place: 'ropewalk.yaml', content: { text } }])
  if (!loaded.ok) throw new Error('no settings')
  return loaded.settings
}
const policy = (text: string) => toPolicy(settings(text), factsHere('main', true))

const world = (answers: Record<string, AgentProbe>) => ({
  driver: async (name: string): Promise<AgentDriver> => ({
    run: () => Promise.reject(new Error('nobody is to work here')),
    salvage: async () => null,
    probe: async () => answers[name] ?? { usable: false, version: null, problem: 'is gone', remedy: 'Bring it back.' },
  }),
  env: {},
  unconfinable: async () => null,
  strayInstructions: async () => [],
  prices: async () => ({ usd: async () => 1 }),
})

const told = (list: { what: string; status: string; detail: string }[]) =>
  list.map(({ what, status, detail }) => `${status} ${what}: ${detail}`).join('\n')

describe('doctor', () => {
  it('tries every agent of the settings, also one without a role', async () => {
    const text = '{ agents: { claude: {}, mine: { driver: acp, command: [x] } }, roles: { coder: claude } }'
    const claude: AgentProbe = { usable: true, version: '2.1', signedIn: 'A_KEY', notes: ['beware'] }
    const examined = await examineAgents(world({ claude }), settings(text), '/')
    expect(told(examined)).toMatch(
      /ok agent claude: claude 2.1, signed in by A_KEY\nnote agent claude: beware\nproblem agent mine: is gone/,
    )
  })

  it('says whom auto means, or that it means nobody', async () => {
    const gemini: AgentProbe = { usable: true, version: '0.6', signedIn: 'GEMINI_API_KEY', notes: [] }
    expect(told(await examineAgents(world({ gemini }), settings(''), '/'))).toMatch(
      /ok agent: auto is gemini 0.6 \(signed in by GEMINI_API_KEY; not claude/,
    )
    const nobody = await examineAgents(world({}), settings(''), '/')
    expect(told(nobody)).toMatch(/problem agent: none that is known can be used/)
  })
})

describe('the sandbox, examined', () => {
  const sound = { unconfinable: null, stray: ['/home/me/CLAUDE.md'] }
  const bare = { ...sound, unconfinable: 'no bwrap' }

  it('names what agents read besides, where nothing keeps them from it', () => {
    const free = told(examineSandbox(policy('{ roles: { coder: claude }, sandbox: none }'), sound))
    expect(free).toMatch(/note sandbox: unconfined, agents also read \/home\/me\/CLAUDE.md/)
    expect(told(examineSandbox(policy('roles: { coder: claude }'), sound))).not.toContain('CLAUDE.md')
  })

  it('names the consent where there is none', () => {
    expect(told(examineSandbox(policy('{ roles: { coder: claude }, sandbox: none }'), sound))).toMatch(
      /^note sandbox: none, .* agents work as freely as you/,
    )
  })

  it('is a problem where agents that ask nobody cannot be confined, and a note where they ask', () => {
    expect(told(examineSandbox(policy('roles: { coder: claude }'), bare))).toMatch(/^problem sandbox: .*no bwrap/)
    const asks = 'agents: { mine: { driver: acp, command: [x], permissions: ask } }'
    expect(told(examineSandbox(policy(asks), bare))).toMatch(
      /^note sandbox: no bwrap; checks, set-up, mine: they run as you/,
    )
  })

  it('says that it is around the programs of the user, too', () => {
    const own = 'agents: { mine: { driver: command, command: [x] } }'
    expect(told(examineSandbox(policy(own), sound))).toMatch(
      /^ok sandbox: bubblewrap: agents, checks and set-up write to their own place only/,
    )
    expect(told(examineSandbox(policy('{ roles: { coder: claude }, egress: closed }'), sound))).toMatch(
      /do not reach the network$/,
    )
  })
})
