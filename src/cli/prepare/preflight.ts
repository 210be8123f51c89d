import { resolve } from 'node:path'
import type { Plan } from '../../delivery/plan/plan.ts'
import { planProblems } from '../../delivery/plan/validate.ts'
import type { Policy } from '../../delivery/policy.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Checkout } from '../../ports/repository.ts'
import { parsePlan } from '../../settings/plan/plan-file.ts'
import { settingsGaps } from '../../settings/references.ts'
import type { Settings } from '../../settings/settings.ts'
import { meanwhile } from '../show/meanwhile.ts'
import type { Cli } from '../world.ts'
import { staff } from './agents/staff.ts'
import { refuseUnpriced, unpricedWarnings } from './agents/unpriced.ts'
import { factsHere } from './facts.ts'
import { withPrompts } from './prompts.ts'
import { readText } from './requirement.ts'
import type { Flags, Layered } from './settings-layers.ts'
import { layeredSettings, problemsError } from './settings-layers.ts'
import { withSigningKey } from './signing-key.ts'

export interface PreflightOptions extends Flags {
  plan?: string
  unattended?: boolean
  /** The gate mode where no settings name one. */
  usualGates?: Policy['gates']
}

export interface Prepared {
  repository: { id: string; path: string }
  checkout: Checkout
  base: string
  policy: Policy
  plan: Plan | null
  warnings: string[]
  /** What was settled on the way, such as what `auto` came to. */
  notes: string[]
}

/** Everything that can be known to be wrong before anything is begun. */
export async function preflight(cli: Cli, options: PreflightOptions, home: string): Promise<Prepared> {
  const { repository, clone, checkout, layered } = await readEverything(cli, options, home)
  const { base, target } = layered
  const plan = options.plan === undefined ? null : await readPlan(resolve(cli.cwd, options.plan))
  refuseGaps(layered)
  if (plan !== null) refuseProblems(plan, layered.settings)
  const gates = layered.origins.gates === 'default' ? defaultGates(cli, options) : layered.settings.gates
  const unattended = options.unattended === true || !cli.screen.interactive
  const facts = factsHere(target, unattended)
  const settings = { ...layered.settings, gates, target }
  const trying = staff(cli.world, settings, { facts, planned: plan !== null, root: repository.path })
  const { policy: staffed, notes, warnings: left } = await meanwhile(cli.screen, 'Trying the agents …', trying)
  const told = await withPrompts(clone, base, staffed)
  const policy = await withSigningKey(cli.world, told, repository.path)
  await refuseUnpriced(policy, cli.world.prices)
  const unpriced = await unpricedWarnings(policy, cli.world.prices)
  const warnings = [...layered.warnings, ...left, ...checkoutWarnings(checkout, target), ...unpriced]
  return { repository, checkout, base, policy, plan, warnings, notes }
}

export async function readEverything(cli: Cli, flags: Flags, home: string) {
  const { world, cwd } = cli
  const repositories = await world.repositories(home)
  const repository = await repositories.find(cwd)
  const clone = await repositories.open(repository)
  const checkout = await clone.checkout()
  const layered = await layeredSettings({
    userFile: world.userFile,
    root: repository.path,
    repository: clone,
    checkout,
    flags,
  })
  return { repository, clone, checkout, layered }
}

const defaultGates = (cli: Cli, { unattended, usualGates }: PreflightOptions): Policy['gates'] =>
  usualGates ?? (cli.screen.interactive && unattended !== true ? 'plan' : 'auto')

export async function readPlan(path: string): Promise<Plan> {
  const parsed = parsePlan(await readText(path), path)
  if (parsed.ok) return parsed.plan
  throw problemsError('the plan cannot be used', parsed.problems, 'mend the plan file and run this again')
}

function refuseProblems(plan: Plan, { limits }: Settings): void {
  const problems = planProblems(plan, limits.storiesPerPlan)
  if (problems.length === 0) return
  const list = problems.slice(0, 20).map((problem) => `  ${problem}`)
  throw new TerminalError(['the plan cannot be used:', ...list].join('\n'), 'mend the plan file and run this again')
}

function refuseGaps({ settings, origins }: Layered): void {
  const gaps = settingsGaps(settings)
  if (gaps.length === 0) return
  const configured = Object.values(origins).includes('repository')
  const remedy =
    gaps.every(({ key }) => key === 'checks') && configured
      ? 'name under checks: in ropewalk.yaml the command that is to prove the work; it need not work yet: the first story may set it up, if its plan declares the files under mayChange'
      : configured
        ? 'add it to ropewalk.yaml; `ropewalk config` shows what is set'
        : 'run `ropewalk init`: it detects the checks and writes a commented ropewalk.yaml'
  throw new TerminalError(gaps.map((gap) => `${gap.key}: ${gap.message}`).join('\n'), remedy)
}

function checkoutWarnings({ branch, dirtyFiles }: Checkout, target: string): string[] {
  if (branch !== target || dirtyFiles.length === 0) return []
  const files = dirtyFiles.slice(0, 3).join(', ') + (dirtyFiles.length > 3 ? ', …' : '')
  return [`${target} is checked out with uncommitted changes (${files}): landing will wait until they are committed`]
}
