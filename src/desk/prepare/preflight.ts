import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { Plan } from '../../delivery/plan/plan.ts'
import { planProblems } from '../../delivery/plan/validate.ts'
import type { Policy } from '../../delivery/policy.ts'
import { type DeliveryState, policyOf } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Checkout, Repository } from '../../ports/repository/repository.ts'
import { fitsPrompt, templateOf } from '../../roles/prompt/prompt.ts'
import { overridePath, type PromptName, promptNames } from '../../roles/prompt/sections.ts'
import { constitutionSection } from '../../roles/prompt/shared.ts'
import { parsePlan } from '../../settings/plan-file.ts'
import type { Problem } from '../../settings/problem.ts'
import { settingsGaps } from '../../settings/references.ts'
import type { Settings } from '../../settings/settings.ts'
import { nearest } from '../../std/nearest.ts'
import { refuseUnpriced, staff, unpricedWarnings } from '../staff.ts'
import { type DeskWorld, meanwhile, tellAll, type Visit } from '../world.ts'
import { type Flags, factsHere, type LayeredSettings, problemsError, readEverything } from './settings-layers.ts'

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
  const settings = { ...layered.settings, gates, target }
  const about = { unattended, planned: plan !== null, root: repository.path }
  const { policy: staffed, notes, warnings: left } = await staffHere(visit, settings, about)
  await refuseOverrides(clone, base)
  const told = withWholePath(staffed)
  if (told.constitution !== null) await refuseConstitution(clone, base, told.constitution)
  const policy = await withSigningKey(visit.world, told, repository.path)
  await refuseUnpriced(policy, visit.world.prices)
  const unpriced = await unpricedWarnings(policy, visit.world.prices)
  const warnings = [...layered.warnings, ...left, ...checkoutWarnings(checkout, target), ...unpriced]
  return { repository, checkout, base, policy, plan, warnings, notes }
}

export async function staffHere(
  visit: Visit,
  settings: Settings & { target: string },
  { unattended, ...about }: { unattended: boolean; planned: boolean; root: string },
) {
  const trying = staff(visit.world, settings, { facts: factsHere(settings.target, unattended), ...about })
  return await meanwhile(visit, 'Trying the agents …', trying)
}

const defaultGates = (visit: Visit, { unattended, usualGates }: PreflightOptions): Policy['gates'] =>
  usualGates ?? (visit.attended && unattended !== true ? 'plan' : 'auto')

/** A plan as somebody wrote it. */
export function planIn({ text, place }: GivenFile): Plan {
  const parsed = parsePlan(text, place)
  if (parsed.ok) return parsed.plan
  throw problemsError('the plan cannot be used', parsed.problems, 'fix the plan file and run this again')
}

/** What was in a file that somebody named. */
export interface GivenFile {
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

/** Whoever has no need of some leaves these out. */
export function refuseGaps(
  { settings, origins }: LayeredSettings,
  isNeeded: (gap: Problem) => boolean = () => true,
): void {
  const gaps = settingsGaps(settings).filter(isNeeded)
  if (gaps.length === 0) return
  const configured = Object.values(origins).includes('repository')
  const remedy =
    gaps.every(({ key }) => key === 'checks') && configured
      ? 'name the command that proves the work, under checks: in ropewalk.yaml; it need not work yet: the first story may set it up if its plan declares the files under mayChange'
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
  const options = { target, usualGates: gates, unattended }
  const { policy, warnings, notes } = await preflight(there, options, visit.world.home)
  if (policy.gates !== gates) notes.push(`gates: ${policy.gates} from now on, as the settings say; it was ${gates}`)
  tellAll(visit, { warnings, notes })
  return { ...policy, unattended }
}

/** The policy with the key's whole path. A key that cannot sign is found before anything is begun. */
async function withSigningKey(world: Pick<DeskWorld, 'signing'>, policy: Policy, root: string): Promise<Policy> {
  if (policy.signWith === null) return policy
  const signWith = resolve(root, fromHome(policy.signWith))
  const problem = await (await world.signing()).problemWith(signWith)
  if (problem === null) return { ...policy, signWith }
  throw new TerminalError(
    `signWith: ${problem}`,
    'name a key that can sign without a question: one in your ssh agent (ssh-add <key>), or one without a passphrase',
  )
}

const fromHome = (path: string): string => (path.startsWith('~/') ? join(homedir(), path.slice(2)) : path)

/** The policy with the whole path of the standards. */
export const withWholePath = (policy: Policy): Policy => ({
  ...policy,
  constitution: policy.constitution === null ? null : fromHome(policy.constitution),
})

type Clone = Pick<Repository, 'listFiles' | 'readFile'>

/** What no agent could be told is found before anything is begun. */
async function refuseOverrides(clone: Clone, base: string): Promise<void> {
  const own = (await clone.listFiles(base)).filter((path) => /^\.ropewalk\/prompts\/.*\.md$/.test(path))
  const known = new Map(promptNames.map((name) => [overridePath(name), name]))
  for (const path of own) {
    const name = known.get(path)
    if (name === undefined) throw unknownPrompt(path)
    templateOf(name, (await clone.readFile(base, path)) ?? '', path)
  }
}

function unknownPrompt(path: string): TerminalError {
  const meant = nearest(path.replace(/^.*\/|\.md$/g, ''), promptNames)
  const remedy =
    meant === null ? `one of: ${promptNames.join(', ')}` : `did you mean ${overridePath(meant as PromptName)}?`
  return new TerminalError(`${path} belongs to no prompt`, remedy)
}

async function refuseConstitution(clone: Clone, base: string, path: string): Promise<void> {
  const remedy = 'name a file that is committed on the target, or one of this machine by its whole path'
  if (isAbsolute(path)) {
    if (!existsSync(path) || !statSync(path).isFile())
      throw new TerminalError(`constitution: there is no file ${path} on this machine`, remedy)
    return
  }
  const text = await clone.readFile(base, path)
  if (text === null) throw new TerminalError(`constitution: there is no ${path} in the repository at its base`, remedy)
  if (!fitsPrompt(constitutionSection(text)))
    throw new TerminalError(
      `constitution: ${path} is too long: ${Buffer.byteLength(text)} bytes; at most about 15000 fit`,
      'shorten it: it is part of every prompt of those who write or review code',
    )
}
