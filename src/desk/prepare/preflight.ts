import type { Plan } from '../../delivery/plan/plan.ts'
import { planProblems } from '../../delivery/plan/validate.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { policyOf } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Checkout } from '../../ports/repository.ts'
import { parsePlan } from '../../settings/plan/plan-file.ts'
import { settingsGaps } from '../../settings/references.ts'
import type { Settings } from '../../settings/settings.ts'
import { staff } from '../agents/staff.ts'
import { refuseUnpriced, unpricedWarnings } from '../agents/unpriced.ts'
import { meanwhile, type Visit } from '../world.ts'
import { withPrompts } from './prompts.ts'
import type { Flags, Layered } from './settings-layers.ts'
import { factsHere, problemsError, readEverything } from './settings-layers.ts'
import { withSigningKey } from './signing-key.ts'

export interface PreflightOptions extends Flags {
  plan?: Plan | undefined
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
export async function preflight(visit: Visit, options: PreflightOptions, home: string): Promise<Prepared> {
  const { repository, clone, checkout, layered } = await readEverything(visit, options, home)
  const { base, target } = layered
  const plan = options.plan ?? null
  refuseGaps(layered)
  if (plan !== null) refuseProblems(plan, layered.settings)
  const gates = layered.origins.gates === 'default' ? defaultGates(visit, options) : layered.settings.gates
  const unattended = options.unattended === true || !visit.attended
  const facts = factsHere(target, unattended)
  const settings = { ...layered.settings, gates, target }
  const trying = staff(visit.world, settings, { facts, planned: plan !== null, root: repository.path })
  const { policy: staffed, notes, warnings: left } = await meanwhile(visit, 'Trying the agents …', trying)
  const told = await withPrompts(clone, base, staffed)
  const policy = await withSigningKey(visit.world, told, repository.path)
  await refuseUnpriced(policy, visit.world.prices)
  const unpriced = await unpricedWarnings(policy, visit.world.prices)
  const warnings = [...layered.warnings, ...left, ...checkoutWarnings(checkout, target), ...unpriced]
  return { repository, checkout, base, policy, plan, warnings, notes }
}

const defaultGates = (visit: Visit, { unattended, usualGates }: PreflightOptions): Policy['gates'] =>
  usualGates ?? (visit.attended && unattended !== true ? 'plan' : 'auto')

/** A plan as somebody wrote it. */
export function planIn({ text, place }: Given): Plan {
  const parsed = parsePlan(text, place)
  if (parsed.ok) return parsed.plan
  throw problemsError('the plan cannot be used', parsed.problems, 'fix the plan file and run this again')
}

/** What was in a file that somebody named. */
export interface Given {
  text: string
  /** The file's name, for what is wrong with it. */
  place: string
}

function refuseProblems(plan: Plan, { limits }: Settings): void {
  const problems = planProblems(plan, limits.storiesPerPlan)
  if (problems.length === 0) return
  const list = problems.slice(0, 20).map((problem) => `  ${problem}`)
  throw new TerminalError(['the plan cannot be used:', ...list].join('\n'), 'fix the plan file and run this again')
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

/** The policy that the settings give as they are now, for a delivery that was requested under others. */
export async function freshPolicy(visit: Visit, state: DeliveryState): Promise<Policy> {
  const { repository, target } = state.request!
  const { unattended, gates } = policyOf(state)
  const there = { ...visit, folder: repository.path }
  const { policy, warnings, notes } = await preflight(
    there,
    { target, usualGates: gates, unattended },
    visit.world.home,
  )
  for (const text of warnings) visit.hear({ kind: 'warning', text })
  const changed =
    policy.gates === gates ? [] : [`gates: ${policy.gates} from now on, as the settings say; it was ${gates}`]
  for (const text of [...notes, ...changed]) visit.hear({ kind: 'note', text })
  return { ...policy, unattended }
}
