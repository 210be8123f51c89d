import type { AgentPolicy } from '../../delivery/policy.ts'
import type { AgentProbe } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { DeskWorld } from '../world.ts'

export type Probed = { name: string; driver: string; probe: AgentProbe }
export type Probe = (name: string, agent: AgentPolicy) => Promise<Probed>

/** How long it may take to say something. A busy machine is given more time before anything is said of the agent. */
const patienceMs = [20_000, 90_000]

/** Tries agents where they would work; each only once. */
export function prober(world: Pick<DeskWorld, 'driver'>, root: string): Probe {
  const probed = new Map<string, Promise<Probed>>()
  return (name, agent) => {
    const known = probed.get(name) ?? tried(world, agent, root).then((probe) => named(name, agent, probe))
    probed.set(name, known)
    return known
  }
}

/** Its name is said by whoever tells the problem. */
function named(name: string, { driver }: AgentPolicy, probe: AgentProbe): Probed {
  if (probe.usable || !probe.problem.startsWith(`${name}: `)) return { name, driver, probe }
  return { name, driver, probe: { ...probe, problem: probe.problem.slice(name.length + 2) } }
}

async function tried(world: Pick<DeskWorld, 'driver'>, agent: AgentPolicy, root: string): Promise<AgentProbe> {
  if (agent.driver === 'builtin' && Object.keys(agent.models).length === 0)
    return unusable('no model is named for it', 'Name one with models, such as models: { powerful: … }.')
  try {
    const driver = await world.driver(agent.driver)
    for (const timeoutMs of patienceMs) {
      const probe = await driver.probe(agent.options, root, timeoutMs)
      if (probe.usable || probe.late === undefined) return signedIn(probe)
    }
    return { usable: true, version: null, signedIn: null, notes: [lateText] }
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return unusable(error.message, error.remedy)
  }
}

const lateText = `it did not answer within ${patienceMs.at(-1)! / 1000} s, so it is not known whether it works`

/** Who has to sign in first cannot work. */
function signedIn(probe: AgentProbe): AgentProbe {
  if (!probe.usable || probe.signedIn !== false) return probe
  const { version, notes } = probe
  return {
    usable: false,
    version,
    problem: 'it is not signed in',
    remedy: notes[0] ?? 'Sign in with its own program.',
  }
}

const unusable = (problem: string, remedy: string): AgentProbe => ({ usable: false, version: null, problem, remedy })
