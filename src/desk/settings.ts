import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TerminalError } from '../ports/errors.ts'
import { type Detected, detectStack, type RootFiles } from '../proof/related/detect.ts'
import { auto } from '../settings/drivers.ts'
import { agentPolicy } from '../settings/policy.ts'
import { renderConfig } from '../settings/proposal.ts'
import type { AgentSettings, Settings } from '../settings/settings.ts'
import { configName, type Flags, settingsHere } from './prepare/settings-layers.ts'
import { autoCandidates, autoPick, type Probed, prober, withOurs } from './staff.ts'
import { meanwhile, type Visit } from './world.ts'

/**
 * Every setting with its value and the layer that it comes from. `material`: what counts as test material here; null
 * where that was not asked for, or there is no repository.
 */
export async function config(visit: Visit, { material: wanted, ...flags }: Flags & { material: boolean }) {
  const { settings, origins, warnings, here } = await settingsHere(visit, flags)
  const rows = Object.entries(origins).map(([key, origin]) => ({ key, value: valueAt(settings, key), origin }))
  if (here === null || !wanted) return { settings: rows, warnings, material: null }
  const sorting = visit.world.material(here.clone, { commit: here.base, policy: settings })
  return { settings: rows, warnings, material: await meanwhile(visit, 'Sorting the files …', sorting) }
}

function valueAt(settings: Settings, key: string): unknown {
  const checks = Object.fromEntries(settings.checks.map((check) => [check.name, check]))
  let at: unknown = { ...settings, checks }
  for (const part of key.split('.')) at = (at as Record<string, unknown> | null)?.[part]
  return at ?? null
}

export interface AgentRow {
  name: string
  driver: string
  /** The settings say something about it. */
  configured: boolean
  /** Those that it has. */
  roles: string[]
  usable: boolean
  version: string | null
  /** By what; null when it cannot be told. */
  signedIn: string | null
  problem: string | null
  remedy: string | null
  notes: string[]
}

/** Every agent that is known or configured: is it there, can it be used, and for what. */
export async function agents(
  visit: Visit,
  /** Called with all of them, those that have not answered yet by their names alone. */
  onProbed: (rows: (AgentRow | string)[]) => void,
): Promise<AgentRow[]> {
  const { settings, root } = await settingsHere(visit, {})
  const tried = autoCandidates(settings, visit.world.env)
  const names = tried.map(([name]) => name)
  // What `auto` would try, then what else is configured.
  const all = [...tried, ...Object.entries(settings.agents).filter(([name]) => !names.includes(name))]
  const probed = await probeAll(visit, { all, root }, onProbed)
  const picked = autoPick(names.flatMap((name) => probed.get(name) ?? []))?.name ?? null
  const found = all.flatMap(([name]) => probed.get(name) ?? [])
  return withOurs(found).map((one) => agentRow(one, settings, picked))
}

async function probeAll(
  { world }: Visit,
  { all, root }: { all: [string, AgentSettings][]; root: string },
  onProbed: (rows: (AgentRow | string)[]) => void,
): Promise<Map<string, Probed>> {
  const probe = prober(world, root)
  const probed = new Map<string, Probed>()
  const tell = () => onProbed(all.map(([name]) => (probed.has(name) ? agentRow(probed.get(name)!, null, null) : name)))
  tell()
  await Promise.all(
    all.map(async ([name, agent]) => {
      probed.set(name, await probe(name, agentPolicy(agent)))
      tell()
    }),
  )
  return probed
}

/** `picked`: whom `auto` means. */
export function agentRow({ name, driver, probe }: Probed, settings: Settings | null, picked: string | null): AgentRow {
  const named = (['coder', 'planner'] as const).filter((role) =>
    settings?.roles[role].some((one) => one === name || (one === auto && name === picked)),
  )
  const told = probe.usable
    ? { signedIn: probe.signedIn || null, problem: null, remedy: null, notes: probe.notes }
    : { signedIn: null, problem: probe.problem, remedy: probe.remedy, notes: [] }
  const configured = settings?.agents[name] !== undefined
  return { name, driver, configured, roles: named, usable: probe.usable, version: probe.version, ...told }
}

/** Writes a commented ropewalk.yaml with what the repository's own files say. Commits nothing. */
export async function init(
  { world, folder }: Visit,
  { force }: { force: boolean },
): Promise<Detected & { path: string }> {
  const repositories = await world.repositories(world.home)
  const { path: root, id } = await repositories.find(folder)
  const path = join(root, configName)
  if (existsSync(path) && !force)
    throw new TerminalError(`${path} exists already`, 'edit it, or replace it with --force')
  const { branch } = await (await repositories.open({ id, path: root })).checkout()
  const detected = detectStack(rootFiles(root))
  writeFileSync(path, renderConfig(detected, { target: branch ?? 'main' }))
  return { path, ...detected }
}

const largestBytes = 1_000_000

/** What lies at the root; only the small files are read, and only their names matter for the others. */
function rootFiles(root: string): RootFiles {
  const files: RootFiles = {}
  for (const name of readdirSync(root).slice(0, 1000)) {
    const stat = statSync(join(root, name), { throwIfNoEntry: false })
    if (stat?.isFile()) files[name] = stat.size > largestBytes ? '' : readFileSync(join(root, name), 'utf8')
  }
  return files
}
