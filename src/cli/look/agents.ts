import { auto } from '../../settings/drivers.ts'
import { agentPolicy } from '../../settings/policy.ts'
import type { AgentSettings, Settings } from '../../settings/settings.ts'
import { autoCandidates, autoPick, withOurs } from '../prepare/agents/auto.ts'
import { type Probed, prober } from '../prepare/agents/probe.ts'
import { settingsHere } from '../prepare/settings-here.ts'
import { type AgentRow, agentLines } from '../show/lines/agent-lines.ts'
import { openRedraw } from '../show/redraw.ts'
import type { Cli } from '../world.ts'

/** Every agent that is known or configured: is it there, can it be used, and for what. */
export async function agents(cli: Cli): Promise<number> {
  const { settings, root } = await settingsHere(cli, {})
  const tried = autoCandidates(settings, process.env)
  const all = everybody(settings, tried)
  const probed = await probeAll(cli, all, root)
  const picked = autoPick(tried.flatMap(([name]) => probed.get(name) ?? []))?.name ?? null
  const found = all.flatMap(([name]) => probed.get(name) ?? [])
  const rows = withOurs(found).map((one) => agentRow(one, settings, picked))
  if (cli.screen.json) cli.screen.emit(rows)
  else cli.screen.print(...agentLines(rows))
  return 0
}

type Named = [string, AgentSettings]

/** What `auto` would try, then what else is configured. */
function everybody(settings: Settings, tried: Named[]): Named[] {
  const names = tried.map(([name]) => name)
  return [...tried, ...Object.entries(settings.agents).filter(([name]) => !names.includes(name))]
}

/** All at once, each shown when it has answered. */
async function probeAll({ screen, world }: Cli, all: Named[], root: string): Promise<Map<string, Probed>> {
  const probe = prober(world, root)
  const probed = new Map<string, Probed>()
  const redraw = screen.redraws ? openRedraw(screen) : null
  const show = () =>
    redraw?.draw(agentLines(all.map(([name]) => (probed.has(name) ? agentRow(probed.get(name)!, null, null) : name))))
  show()
  await Promise.all(
    all.map(async ([name, agent]) => {
      probed.set(name, await probe(name, agentPolicy(agent)))
      show()
    }),
  )
  redraw?.draw([])
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
