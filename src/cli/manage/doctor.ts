import { TerminalError } from '../../ports/errors.ts'
import { loadSettings } from '../../settings/load.ts'
import { settingsGaps } from '../../settings/references.ts'
import { counted } from '../../views/step-text.ts'
import { refuseLost } from '../choose-delivery.ts'
import { exitCodes } from '../exit-code.ts'
import { requireHome } from '../prepare/home.ts'
import { readEverything } from '../prepare/preflight.ts'
import { layers, orThrow } from '../prepare/settings-layers.ts'
import { bold, green, red, type Span, yellow } from '../show/line.ts'
import { meanwhile } from '../show/meanwhile.ts'
import { table } from '../show/table.ts'
import type { Cli } from '../world.ts'
import { examineAgents } from './doctor/agents.ts'
import { type Examined, examine, note, ok, problem } from './doctor/examined.ts'

/** Is everything there that a delivery needs? By trying it. */
export async function doctor(cli: Cli): Promise<number> {
  const examined = [
    await examine('git', () => git(cli)),
    await examine('home', () => home(cli)),
    await examine('log', () => log(cli)),
    ...(await meanwhile(cli.screen, 'Trying the agents …', repository(cli))),
  ]
  const sound = examined.every((one) => one.status !== 'problem')
  if (cli.screen.json) cli.screen.emit({ sound, examined })
  else cli.screen.print(...table(examined.map(cells)))
  return sound ? exitCodes.done : exitCodes.error
}

const marks = { ok: green('ok'), note: yellow('note'), problem: red('problem') }

const cells = ({ what, status, detail, remedy }: Examined): Span[] => [
  marks[status],
  bold(what),
  remedy === '' ? detail : `${detail} → ${remedy}`,
]

async function git({ world }: Cli): Promise<string> {
  const version = await world.gitVersion()
  if (version === null) throw new TerminalError('there is no git', 'install git 2.38 or later')
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < 2 || (major === 2 && minor < 38))
    throw new TerminalError(`git ${version} is too old`, 'install git 2.38 or later (for git merge-tree)')
  return version
}

async function home({ world }: Cli): Promise<string> {
  requireHome(world.home)
  return world.home
}

async function log({ world }: Cli): Promise<string> {
  const log = await world.log()
  const rows = await log.deliveries(null)
  for (const { delivery } of rows) await log.read(delivery, 0)
  await refuseLost({ world }, log)
  return `${counted(rows.length, 'delivery', 'deliveries')}, ${rows.filter((row) => row.result === null).length} open`
}

async function repository(cli: Cli): Promise<Examined[]> {
  try {
    const { repository: here, checkout, layered } = await readEverything(cli, {}, cli.world.home)
    const { settings, target, warnings } = layered
    return [
      ok('repository', `${here.path}, target ${target}`),
      ...(checkout.identity === null
        ? [note('identity', 'git has no user.name and user.email; commits will be ours')]
        : []),
      ...warnings.map((text) => note('settings', text)),
      ...settingsGaps(settings).map((gap) => problem(gap.key, gap.message, gap.allowed)),
      ...settings.checks.map((check) => ok(`check ${check.name}`, check.run)),
      ...(await examineAgents(cli.world, settings, here.path)),
    ]
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return [problem('repository', error.message, error.remedy), ...userSettings(cli)]
  }
}

function userSettings({ world }: Cli): Examined[] {
  try {
    orThrow(loadSettings(layers({ userFile: world.userFile, flags: {} }, null)))
    return []
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return [problem('user file', error.message, error.remedy)]
  }
}
