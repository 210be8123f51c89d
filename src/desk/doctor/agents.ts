import { TerminalError } from '../../ports/errors.ts'
import { toPolicy } from '../../settings/policy.ts'
import type { Settings } from '../../settings/settings.ts'
import { choiceText, staffed } from '../agents/auto.ts'
import { type Probe, type Probed, prober } from '../agents/probe.ts'
import { unpricedWarnings } from '../agents/unpriced.ts'
import { factsHere } from '../prepare/settings-layers.ts'
import type { DeskWorld } from '../world.ts'
import { type Examined, note, ok, problem } from './examined.ts'
import { examineSandbox } from './sandbox.ts'

type Asked = Pick<DeskWorld, 'driver' | 'env' | 'unconfinable' | 'strayInstructions' | 'prices'>

/** Each agent of the settings by starting it, and how far it can go. */
export async function examineAgents(world: Asked, given: Settings, root: string): Promise<Examined[]> {
  const probe = prober(world, root)
  const { settings, found } = await withoutAuto(given, { probe, env: world.env })
  const policy = toPolicy(settings, factsHere('', true))
  const probed = await Promise.all(Object.entries(policy.agents).map(([name, agent]) => probe(name, agent)))
  return [
    ...found,
    ...probed.flatMap(examined),
    ...(await unpricedWarnings(policy, world.prices)).map((text) => note('price', text)),
    ...examineSandbox(policy, {
      unconfinable: await world.unconfinable(),
      stray: await world.strayInstructions(),
    }),
  ]
}

async function withoutAuto(
  given: Settings,
  by: { probe: Probe; env: DeskWorld['env'] },
): Promise<{ settings: Settings; found: Examined[] }> {
  try {
    const { settings, choice } = await staffed(given, by)
    return { settings, found: choice === null ? [] : [ok('agent', choiceText(choice))] }
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return {
      settings: {
        ...given,
        roles: { ...given.roles, coder: [], planner: [], testWriter: [], verifier: [], triager: [] },
      },
      found: [problem('agent', 'none that is known can be used', '`ropewalk agents` says why not, and what to do')],
    }
  }
}

function examined({ name, driver, probe }: Probed): Examined[] {
  const what = `agent ${name}`
  if (!probe.usable) return [problem(what, probe.problem, probe.remedy)]
  const version = probe.version === null ? '' : ` ${probe.version}`
  const signedIn = probe.signedIn ? `, signed in by ${probe.signedIn}` : ''
  return [ok(what, `${driver}${version}${signedIn}`), ...probe.notes.map((text) => note(what, text))]
}
