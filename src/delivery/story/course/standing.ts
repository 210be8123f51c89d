import type { Finding } from '../../judging/finding.ts'
import type { DeliveryState } from '../../state.ts'
import { storiesOf } from '../../state.ts'
import type { PastAttempt, StoryState } from '../story.ts'
import { isOnLine, isSettled } from '../story.ts'

const mostLines = 15
const longestLine = 200

/**
 * Where it stands: done, remaining, decisions, open findings, next. From facts alone, so that whoever comes after a
 * crash, a limit or another agent reads the same. `id`: of a story, else of the delivery as a whole.
 */
export function transitionBlock(state: DeliveryState, id: string | null): string[] {
  const story = id === null ? undefined : state.stories[id]
  const parts = story === undefined ? ofDelivery(state) : ofStory(state, story)
  const shown = parts.flatMap(({ title, lines, most }) => (lines.length === 0 ? [] : listed(title, lines, most)))
  return shown.slice(0, mostLines).map((line) => line.replace(/\s+/g, ' ').trim().slice(0, longestLine))
}

interface Part {
  title: string
  lines: string[]
  most: number
}

/** The first lines, and how many more there are: never more than one line above what it may have. */
function listed(title: string, lines: string[], most: number): string[] {
  const [head, ...rest] = lines.slice(0, most)
  const more = lines.length - most
  return [`${title}: ${head}`, ...rest.map((line) => `- ${line}`), ...(more > 0 ? [`- and ${more} more`] : [])]
}

function ofStory(state: DeliveryState, story: StoryState): Part[] {
  const { past, former, findings, told, handoff, summary, attempt, round, phase } = story
  const changes = former.map(({ as, cause }) => `${as}: ${cause}`)
  const whole = story.origin === null ? [] : originOf(state, story.origin)
  return [
    { title: 'Done', lines: [...whole, ...changes, ...past.map(ended)].slice(-3), most: 3 },
    { title: 'Remaining', lines: handoff.limitations, most: 2 },
    { title: 'Decisions', lines: handoff.decisions.map(({ what, why }) => `${what}, because ${why}`), most: 3 },
    { title: 'Open findings', lines: findingsOf([...findings, ...told]), most: 3 },
    {
      title: 'Next',
      lines: [
        `${nextOf(story)}, attempt ${attempt}, round ${round}, ${phase}${summary === '' ? '' : `; last: ${summary}`}`,
      ],
      most: 1,
    },
  ]
}

const ended = ({ attempt, round, agent, ended: how }: PastAttempt): string =>
  `attempt ${attempt}.${round} (${agent || 'a human'}): ${how}`

/** What was tried before it was split off. */
function originOf({ stories }: DeliveryState, origin: string): string[] {
  const whole = stories[origin]
  const cause = whole?.former.at(-1)?.cause ?? ''
  return [...(whole?.past.slice(-1).map((one) => `${origin}, ${ended(one)}`) ?? []), `split off ${origin}: ${cause}`]
}

const nextOf = ({ control, findings }: StoryState): string =>
  control.status === 'coding' && findings.length > 0 ? 'mending what was found' : control.status

const findingsOf = (findings: Finding[]): string[] =>
  findings.map(
    ({ file, line, message }) => `${file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `}${message}`,
  )

function ofDelivery(state: DeliveryState): Part[] {
  const stories = storiesOf(state)
  const open = stories.filter((story) => !isSettled(story))
  const named = ({ spec, control }: StoryState): string => `${spec.id} (${control.status})`
  const decisions = stories.flatMap(({ spec, handoff }) => handoff.decisions.map(({ what }) => `${spec.id}: ${what}`))
  const findings = open.flatMap(({ spec, findings: all }) => findingsOf(all).map((text) => `${spec.id}: ${text}`))
  return [
    { title: 'Done', lines: oneLine(stories.filter(isOnLine).map(named)), most: 1 },
    { title: 'Remaining', lines: oneLine(open.map(named)), most: 1 },
    { title: 'Decisions', lines: decisions, most: 3 },
    { title: 'Open findings', lines: findings, most: 3 },
    { title: 'Next', lines: [open.length === 0 ? 'the result of all' : named(open[0]!)], most: 1 },
  ]
}

const oneLine = (names: string[]): string[] => (names.length === 0 ? [] : [names.join(', ')])
