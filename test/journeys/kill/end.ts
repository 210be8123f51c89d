import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import type { Recorded } from '../../../src/ports/event-log.ts'
import { git } from '../../contract/user-repository.ts'
import { processesOf } from '../untouched.ts'
import type { Yard } from '../yard.ts'

/** What must be the same however often it was killed. */
export interface End {
  trees: string[]
  subjects: string[]
  turns: number
  events: Recorded[]
}

export async function endOf(yard: Yard): Promise<End> {
  const log = (format: string) => git(yard.repo, 'log', '--reverse', `--format=${format}`, 'main').split('\n')
  const events = await yard.events()
  const turns = events.filter(({ event }) => event.type === 'AgentStarted').length
  return { trees: log('%T'), subjects: log('%s'), turns, events }
}

/** Every promise that a kill could break; empty when none is broken. */
export async function problemsOf(yard: Yard, end: End, calm: End): Promise<string[]> {
  const problems: string[] = []
  const must = (ok: boolean, problem: string) => void (ok || problems.push(problem))
  must(end.trees.join() === calm.trees.join(), `other trees: ${end.subjects.join(', ')}`)
  must(end.subjects.join() === calm.subjects.join(), `other commits: ${end.subjects.join(', ')}`)
  problems.push(...outcomeProblems(end.events), ...unreachable(yard, end.events))
  must(!existsSync(join(yard.person, 'overlaps')), 'two agents in one workspace')
  must(processesOf(yard.home).length === 0, 'a process is left')
  const chain = await yard.withLog((log) => log.verify(end.events[0]!.delivery))
  must(chain?.status === 'intact', `the chain is broken: ${JSON.stringify(chain)}`)
  const spent = end.events.flatMap(({ event }) => (event.type === 'TurnSpent' ? [event] : []))
  must(spent.length <= end.turns, 'more turns in the ledger than agents were started')
  for (const kind of ['workspaces', 'places'])
    must(leftIn(yard, kind).length === 0, `${kind} left: ${leftIn(yard, kind).join(', ')}`)
  try {
    await yard.userActs(() => {})
  } catch (error) {
    problems.push(`the user's repository: ${(error as Error).message}`)
  }
  return problems
}

const leftIn = (yard: Yard, kind: string): string[] => {
  const folder = join(yard.home, kind)
  return !existsSync(folder) ? [] : readdirSync(folder).flatMap((delivery) => readdirSync(join(folder, delivery)))
}

const isOutcome = (event: DeliveryEvent): event is Extract<DeliveryEvent, { step: string }> =>
  'step' in event && typeof event.step === 'string' && !interim.has(event.type)

const interim = new Set(
  ['AgentStarted', 'SessionOpened', 'TurnSpent', 'LandingBegun', 'HiccupNoted'].concat(
    ...['StepParked', 'StepAborted', 'StepFailed'],
  ),
)

/** Whatever was started has exactly one outcome; a judgement that a train no longer needs has none, nor an end that a human went on after. */
function outcomeProblems(events: Recorded[]): string[] {
  const unneeded = new Set(
    events.flatMap(({ event }) =>
      event.type === 'StepAborted' && event.reason === 'no longer due' ? [event.step] : [],
    ),
  )
  const failed = new Set(events.flatMap(({ event }) => (event.type === 'StepFailed' ? [event.step] : [])))
  const outcomes = new Map<string, string[]>()
  for (const { event } of events)
    if (isOutcome(event)) outcomes.set(event.step, [...(outcomes.get(event.step) ?? []), event.type])
  const started = events.flatMap(({ event }) => (event.type === 'StepStarted' ? [event.step] : []))
  return [...new Map(started.map((step) => [step.id, step.verb]))].flatMap(([id, verb]) => {
    const found = outcomes.get(id) ?? []
    if (found.length === 0 && ['Judge', 'CompleteDelivery'].includes(verb) && unneeded.has(id)) return []
    // It only tells early what is wrong: where it cannot, that is known too.
    if (found.length === 0 && verb === 'TryBase' && failed.has(id)) return []
    return found.length === 1 ? [] : [`${verb} has ${found.length} outcomes: ${found.join(', ')}`]
  })
}

/** A commit that the log names and no ref of the clone holds. */
function unreachable(yard: Yard, events: Recorded[]): string[] {
  const [name] = readdirSync(join(yard.home, 'repositories'))
  const clone = join(yard.home, 'repositories', name!)
  const named = events.flatMap(({ event }): [string, string][] => {
    if (event.type === 'LineAdvanced' || event.type === 'Landed') return [[event.to, event.type]]
    if (event.type === 'ComposeConflicted') return [[event.conflicted, event.type]]
    return 'commit' in event ? [[event.commit, event.type]] : []
  })
  const held = new Set(git(clone, 'rev-list', '--all').split('\n'))
  return [...new Map(named.reverse())].flatMap(([commit, type]) =>
    held.has(commit) ? [] : [`${commit} of ${type} is unreachable`],
  )
}
