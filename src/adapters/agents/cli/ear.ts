import type { Usage } from '../../../delivery/money/ledger.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { objectOn } from '../json.ts'
import { openEstimate } from '../usage.ts'
import type { LineReader, ToldByLines } from './reader.ts'

export interface HeardRun extends ToldByLines {
  /** What it last said about trying again, when nothing came of it since. */
  trouble: { status: number | null } | null
  resetsAt: number | null
  /** What the turn had used by what its calls told; null: they told nothing. */
  sofar: Usage | null
  /** Whether the model has said or done anything. */
  worked: boolean
  /** Whether it has said anything that is its own. */
  heardAny: boolean
  /** Reckoned: what calls have used that broke off, and what nobody has told of when the turn is cut off. */
  broken: Usage
  untold: Usage
}

type Tell = (event: AgentEvent) => Promise<void>

/** Hears a turn's lines: tells its events, and knows at any time what has been said. */
export function openEar(reader: LineReader, promptChars: number, tell: Tell) {
  const estimate = openEstimate(promptChars)
  const running = new Set<string>()
  let resolve = (): void => {}
  const done = new Promise<void>((end) => {
    resolve = end
  })
  let failure: ToldByLines['ending'] = null
  let trouble: HeardRun['trouble'] = null
  let resetsAt: number | null = null
  let sofar: Usage | null = null
  let worked = false
  let heardAny = false
  let recorded: Promise<void> = Promise.resolve()

  function note(event: AgentEvent): void {
    if (event.type === 'tool-started') running.add(event.id)
    if (event.type === 'tool-ended') running.delete(event.id)
    // A tool whose end was lost is over when the model goes on.
    if (event.type === 'text' || event.type === 'thinking') running.clear()
    if (event.type === 'limit') resetsAt = event.resetsAt ?? resetsAt
    if (event.type === 'usage') sofar = event.usage
    if (event.type === 'retry') trouble = { status: event.status }
    if (isWork(event)) {
      worked = true
      trouble = null
    }
  }

  return {
    hear(line: string): void {
      const json = objectOn(line)
      if (json === null) return
      heardAny = true
      const events = reader.read(json)
      estimate.hear(line.length, events)
      for (const event of events) {
        note(event)
        const told = tell(event.type === 'usage' ? { ...event, model: reader.told().model } : event)
        if (event.type === 'session') recorded = told
      }
      const { ending } = reader.told()
      if (ending?.ok === false) failure = ending
      if (ending !== null) resolve()
    },
    done,
    isWaiting: () => running.size > 0,
    /** When the session that the agent chose is on record. */
    recorded: () => recorded,
    /** One failure among several last words outweighs the rest. */
    heard: (): HeardRun => {
      const told = reader.told()
      // Also what is told piece by piece and is not whole yet.
      const hasWorked = worked || told.text !== ''
      const reckoned = { broken: estimate.broken(), untold: estimate.untold() }
      return {
        ...told,
        ending: failure ?? told.ending,
        trouble,
        resetsAt,
        sofar,
        worked: hasWorked,
        heardAny,
        ...reckoned,
      }
    },
  }
}

const isWork = (event: AgentEvent): boolean =>
  event.type === 'text' || event.type === 'thinking' || event.type === 'tool-started' || event.type === 'tool-ended'
