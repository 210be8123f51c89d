import { TerminalError } from '../../ports/errors.ts'
import { settingsGaps } from '../../settings/references.ts'
import { counted } from '../../views/step-text.ts'
import { refuseLost } from '../choose-delivery.ts'
import { requireHome } from '../prepare/home.ts'
import { readEverything, userSettings } from '../prepare/settings-layers.ts'
import { meanwhile, type Visit } from '../world.ts'
import { examineAgents } from './agents.ts'
import { type Examined, note, ok, problem } from './examined.ts'

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
