import type { Policy } from '../delivery/policy.ts'
import { TerminalError } from '../ports/errors.ts'
import { toPolicy } from '../settings/policy.ts'
import { settingsGaps } from '../settings/references.ts'
import type { Settings } from '../settings/settings.ts'
import { counted } from '../views/step-text.ts'
import { refuseLost } from './choose-delivery.ts'
import { factsHere, readEverything, requireHome, userSettings } from './prepare/settings-layers.ts'
import {
  agentsAtWork,
  choiceText,
  type Probe,
  type Probed,
  prober,
  sandboxProblem,
  staffed,
  unpricedWarnings,
} from './staff.ts'
import { type DeskWorld, meanwhile, type Visit } from './world.ts'

/** Is everything there that a delivery needs? By trying it. */
export async function doctor(visit: Visit): Promise<Examined[]> {
  return [
    await examine('git', () => git(visit)),
    await examine('home', () => home(visit)),
    await examine('log', () => log(visit)),
    ...(await meanwhile(visit, 'Trying the agents …', repository(visit))),
  ]
}

async function examine(what: string, look: () => Promise<string>): Promise<Examined> {
  try {
    return ok(what, await look())
  } catch (error) {
    if (error instanceof TerminalError) return problem(what, error.message, error.remedy)
    return problem(what, error instanceof Error ? error.message : String(error), 'see ROPEWALK_DEBUG=1')
  }
}

async function git({ world }: Visit): Promise<string> {
  const version = await world.gitVersion()
  if (version === null) throw new TerminalError('git is not installed', 'install git 2.38 or later')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < 2 || (major === 2 && minor < 38))
    throw new TerminalError(`git ${version} is too old`, 'install git 2.38 or later (for git merge-tree)')
  return version
}

async function home({ world }: Visit): Promise<string> {
  requireHome(world.home)
  return world.home
}

async function log({ world }: Visit): Promise<string> {
  const log = await world.log()
  const rows = await log.deliveries(null)
  for (const { delivery } of rows) await log.read(delivery, 0)
  await refuseLost({ world }, log)
  return `${counted(rows.length, 'delivery', 'deliveries')}, ${rows.filter((row) => row.result === null).length} open`
}

async function repository(visit: Visit): Promise<Examined[]> {
  try {
    const { repository: here, checkout, layered } = await readEverything(visit, {}, visit.world.home)
    const { settings, target, warnings } = layered
    return [
      ok('repository', `${here.path}, target ${target}`),
      ...(checkout.identity === null
        ? [note('identity', 'git has no user.name and user.email, so commits will carry the name Ropewalk')]
        : []),
      ...warnings.map((text) => note('settings', text)),
      ...settingsGaps(settings).map((gap) => problem(gap.key, gap.message, gap.allowed)),
      ...settings.checks.map((check) => ok(`check ${check.name}`, check.run)),
      ...(await examineAgents(visit.world, settings, here.path)),
    ]
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return [problem('repository', error.message, error.remedy), ...ownSettings(visit)]
  }
}

function ownSettings(visit: Visit): Examined[] {
  try {
    userSettings(visit)
    return []
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return [problem('user file', error.message, error.remedy)]
  }
}

/** One thing that `doctor` has tried. */
export interface Examined {
  what: string
  status: 'ok' | 'note' | 'problem'
  detail: string
  remedy: string
}

const ok = (what: string, detail: string): Examined => ({ what, status: 'ok', detail, remedy: '' })
const note = (what: string, detail: string): Examined => ({ what, status: 'note', detail, remedy: '' })
const problem = (what: string, detail: string, remedy: string): Examined => ({
  what,
  status: 'problem',
  detail,
  remedy,
})

type AgentWorld = Pick<DeskWorld, 'driver' | 'env' | 'unconfinable' | 'strayInstructions' | 'prices'>

/** Each agent of the settings by starting it, and how far it can go. */
export async function examineAgents(world: AgentWorld, given: Settings, root: string): Promise<Examined[]> {
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
    const roles = { ...given.roles, coder: [], planner: [], testWriter: [], verifier: [], triager: [] }
    const nobody = problem('agent', 'none that is known can be used', '`ropewalk agents` says why not, and what to do')
    return { settings: { ...given, roles }, found: [nobody] }
  }
}

function examined({ name, driver, probe }: Probed): Examined[] {
  const what = `agent ${name}`
  if (!probe.usable) return [problem(what, probe.problem, probe.remedy)]
  const version = probe.version === null ? '' : ` ${probe.version}`
  const signedIn = probe.signedIn ? `, signed in by ${probe.signedIn}` : ''
  return [ok(what, `${driver}${version}${signedIn}`), ...probe.notes.map((text) => note(what, text))]
}

const asYou =
  'they run as you and can read, change and send whatever you can; accidents are caught, adversaries are not'

/**
 * How far agents can go on this machine, and who has agreed to that. `unconfinable` null: they can be confined. `stray`:
 * instructions that an agent finds where it is not.
 */
export function examineSandbox(
  policy: Policy,
  { unconfinable, stray }: { unconfinable: string | null; stray: string[] },
): Examined[] {
  const free = policy.sandbox === 'none' || unconfinable !== null
  const found = `unconfined, agents also read ${stray.join(', ')}, whatever their home is`
  return [confinement(policy, unconfinable), ...(free && stray.length > 0 ? [note('sandbox', found)] : [])]
}

function confinement(policy: Policy, unconfinable: string | null): Examined {
  if (policy.sandbox === 'none')
    return note(
      'sandbox',
      `none, because the settings say so (sandbox: none). You have agreed that agents work as freely as you: ${asYou}`,
    )
  const refused = sandboxProblem(policy, unconfinable)
  if (refused !== null) return problem('sandbox', refused.message, refused.remedy)
  if (unconfinable !== null) {
    const who = ['checks, set-up', ...agentsAtWork(policy)].join(', ')
    return note('sandbox', `${unconfinable}; ${who}: ${asYou}. Install bubblewrap to confine them`)
  }
  const network = policy.egress === 'open' ? 'they reach the network' : 'they do not reach the network'
  return ok(
    'sandbox',
    `bubblewrap: agents, checks and set-up write to their own place only, see of your home only what tool chains and their sign-in need, and ${network}`,
  )
}
