// The delivery that is killed: a drafted plan of two stories, a red round, a set-up and a fix command.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import type { Recorded } from '../../../src/ports/event-log.ts'
import { git } from '../../contract/user-repository.ts'
import { processesOf } from '../untouched.ts'
import { Yard } from '../yard.ts'

/** Each turn is on record outside, and says so when another agent is alive in the same workspace. */
const agent = `
turns="$HOME/agents$(pwd | tr -c 'a-zA-Z0-9\\n' -)"
touch "$turns"
for pid in $(cat "$turns"); do
  if tr '\\0' ' ' < "/proc/$pid/cmdline" 2> /dev/null | grep -q agent.sh; then echo "$pid $$" >> "$HOME/overlaps"; fi
done
echo $$ >> "$turns"
if [ "$ROPEWALK_ROLE" = planner ]; then
  echo '{"stories":[{"id":"first","title":"First"},{"id":"second","title":"Second","dependsOn":["first"]}]}' > "$ROPEWALK_RESULT"
  exit 0
fi
test -e deps/ready || exit 9
sleep 0.1
if [ "$ROPEWALK_STORY-$ROPEWALK_ROUND" = first-1 ]; then echo 'BROKEN   ' > src/first.txt
else echo "$ROPEWALK_STORY is done   " > "src/$ROPEWALK_STORY.txt"
fi
echo '{"usd": 0.25}' > "$ROPEWALK_RESULT"
`

export const openWalk = (): Yard =>
  new Yard({
    agent,
    config: {
      setup: 'mkdir -p deps && echo ready > deps/ready',
      checks: { test: { run: 'sh check.sh', fix: 'sh fix.sh', parser: 'exit-code' } },
    },
    files: {
      '.gitignore': 'deps/\n',
      'check.sh': 'test -e deps/ready || exit 9\nif grep -rn BROKEN src; then exit 1; fi\n',
      'fix.sh': "sed -i 's/ *$//' src/*.txt\n",
    },
  })

export const walkArgs = ['run', 'Make it so', '--gates', 'auto']

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
  must((await yard.ropewalk('log', '--verify')).code === 0, 'the chain is broken')
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

const interim = new Set(['AgentStarted', 'SessionOpened', 'TurnSpent', 'StepParked', 'StepAborted', 'StepFailed'])

/** Whatever was started has exactly one outcome. */
function outcomeProblems(events: Recorded[]): string[] {
  const outcomes = new Map<string, string[]>()
  for (const { event } of events)
    if (isOutcome(event)) outcomes.set(event.step, [...(outcomes.get(event.step) ?? []), event.type])
  const started = events.flatMap(({ event }) => (event.type === 'StepStarted' ? [event.step] : []))
  return [...new Map(started.map((step) => [step.id, step.verb]))].flatMap(([id, verb]) => {
    const found = outcomes.get(id) ?? []
    return found.length === 1 ? [] : [`${verb} has ${found.length} outcomes: ${found.join(', ')}`]
  })
}

/** A commit that the log names and no ref of the clone holds. */
function unreachable(yard: Yard, events: Recorded[]): string[] {
  const [name] = readdirSync(join(yard.home, 'repositories'))
  const clone = join(yard.home, 'repositories', name!)
  const named = events.flatMap(({ event }) => {
    if (event.type === 'LineAdvanced' || event.type === 'Landed') return [event.to]
    if (event.type === 'ComposeConflicted') return [event.conflicted]
    return 'commit' in event ? [event.commit] : []
  })
  return [...new Set(named)].flatMap((commit) => {
    try {
      return git(clone, 'for-each-ref', '--count=1', '--contains', commit) === '' ? [`${commit} is unreachable`] : []
    } catch {
      return [`${commit} is gone`]
    }
  })
}
