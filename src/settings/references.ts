import { identifierProblem } from '../std/identifier.ts'
import { nearest } from '../std/nearest.ts'
import { auto, drivers, optionKeys, optionsOfDriver, products } from './drivers.ts'
import { judgesOf } from './policy.ts'
import { type Problem, plainSource, problemAt, type Source } from './problem.ts'
import type { SettingsInput } from './schema.ts'
import type { Settings } from './settings.ts'

interface Merged {
  settings: Settings
  file: SettingsInput
  /** By layer name, lowest first. */
  sources: Map<string, Source>
  origins: Record<string, string>
}

/** What no single key shows: names that are not there, agents without what their driver needs. */
export function crossProblems(merged: Merged): Problem[] {
  const { settings, file } = merged
  const report: Report = (path, message, allowed) => problemAt(sourceOf(path, merged), path, { message, allowed })
  return [
    ...nameProblems(file, report),
    ...agentProblems(merged, report),
    ...roleProblems(settings, report),
    ...reviewerProblems(settings, report),
    ...commandProblems(settings, report),
    ...judgeProblems(settings, report),
    ...routingProblems(settings, report),
    ...keepProblems(merged, report),
  ]
}

/** What a delivery cannot do without, though the files are well-formed. Preflight decides what it means. */
export function settingsGaps({ roles, checks }: Settings): Problem[] {
  const gap = (key: string, message: string, allowed: string) => ({
    key,
    message,
    allowed,
    value: '',
    place: 'settings',
  })
  const noCoder = 'it is not said which of the agents writes code'
  const noCheck = 'no checks are configured, so nothing could be proven'
  return [
    ...(roles.coder.length > 0 ? [] : [gap('roles.coder', noCoder, 'name one under roles: in ropewalk.yaml')]),
    ...(checks.length > 0 ? [] : [gap('checks', noCheck, 'add at least one under checks: in ropewalk.yaml')]),
  ]
}

type Report = (path: (string | number)[], message: string, allowed: string) => Problem

/** The highest layer that wrote the key or something in it. */
function sourceOf(path: (string | number)[], { sources, origins }: Merged): Source {
  const keys = path.map(String)
  for (let length = keys.length; length > 0; length--) {
    const key = keys.slice(0, length).join('.')
    const writers = Object.keys(origins).filter((origin) => origin === key || origin.startsWith(`${key}.`))
    const writer = [...sources.keys()].reverse().find((name) => writers.some((origin) => origins[origin] === name))
    if (writer !== undefined) return sources.get(writer)!
  }
  return [...sources.values()].at(-1) ?? plainSource(undefined, 'settings')
}

function nameProblems(file: SettingsInput, report: Report): Problem[] {
  const problems: Problem[] = []
  for (const kind of ['agents', 'checks'] as const)
    for (const name of Object.keys(file[kind] ?? {})) {
      const problem = kind === 'agents' && name === auto ? 'stands for whichever can be used' : identifierProblem(name)
      if (problem !== null)
        problems.push({ ...report([kind, name], problem, ''), message: `the name "${name}" in ${kind} ${problem}` })
    }
  return problems
}

function agentProblems({ settings, file }: Merged, report: Report): Problem[] {
  return Object.entries(settings.agents).flatMap(([name, agent]) => {
    const path = ['agents', name]
    if (agent.driver === undefined) return [report([...path, 'driver'], 'is missing', `one of ${drivers.join(', ')}`)]
    const { needs, takes } = optionsOfDriver[agent.driver]
    const missing = needs.filter((key) => agent[key] === null)
    const useless = optionKeys.filter((key) => !takes.includes(key) && file.agents?.[name]?.[key] !== undefined)
    return [
      ...missing.map((key) => report([...path, key], `is missing: the driver ${agent.driver} needs it`, key)),
      ...useless.map((key) =>
        report([...path, key], `has no meaning for the driver ${agent.driver}`, takes.join(', ')),
      ),
    ]
  })
}

function roleProblems({ agents, roles }: Settings, report: Report): Problem[] {
  const names = [...new Set([...Object.keys(agents), ...products, auto])]
  return Object.entries(roles).flatMap(([role, chain]) => {
    if ((chain ?? []).length > 1 && chain!.includes(auto))
      return [report(['roles', role], `names ${auto} beside others`, `${auto} alone, or a list of agents`)]
    return unknownAgents(chain ?? [], names, (...what) => report(['roles', role], ...what))
  })
}

function reviewerProblems({ agents, review }: Settings, report: Report): Problem[] {
  const names = [...new Set([...Object.keys(agents), ...products])]
  const seats = review.reviewers ?? []
  return seats.flatMap((reviewer, index) => {
    const path = ['review', 'reviewers', index]
    if (seats.findIndex(({ vantage }) => vantage === reviewer.vantage) !== index)
      return [report(path, `names the vantage ${reviewer.vantage} again`, 'each vantage once')]
    return unknownAgents(reviewer.agents, names, (...what) => report([...path, 'agents'], ...what))
  })
}

function unknownAgents(
  chain: string[],
  names: string[],
  told: (message: string, allowed: string) => Problem,
): Problem[] {
  const unknown = chain.filter((name) => !names.includes(name))
  return unknown.map((name) => {
    const meant = nearest(name, names)
    const hint = meant === null ? '' : `, did you mean "${meant}"?`
    return told(`names the agent "${name}", which does not exist${hint}`, names.join(', '))
  })
}

function commandProblems(settings: Settings, report: Report): Problem[] {
  const missing = settings.checks.filter((check) => check.run === '').map((check) => ['checks', check.name, 'run'])
  if (settings.setup?.run === '') missing.push(['setup', 'run'])
  return missing.map((path) => report(path, 'is missing', 'a command as one line of text'))
}

function judgeProblems(settings: Settings, report: Report): Problem[] {
  const known = judgesOf(settings)
  return settings.judges.flatMap((judge, index) => {
    if (!known.includes(judge)) return report(['judges', index], 'does not exist', known.join(', '))
    const isFirst = settings.judges.indexOf(judge) === index
    return isFirst ? [] : report(['judges', index], 'is there twice', 'each judge once')
  })
}

function routingProblems(settings: Settings, report: Report): Problem[] {
  if (settings.routing.fast <= settings.routing.balanced) return []
  return [report(['routing', 'fast'], 'is above routing.balanced', `at most ${settings.routing.balanced}`)]
}

/** What others have in the home of this machine is no matter of a repository. */
function keepProblems({ origins }: Merged, report: Report): Problem[] {
  const foreign = Object.keys(origins).filter((key) => key.startsWith('keep.') && origins[key] === 'repository')
  const what = 'is about all that this machine keeps, so a repository cannot set it'
  return foreign.map((key) => report(key.split('.'), what, 'move it to your user file, ~/.config/ropewalk/config.yaml'))
}
