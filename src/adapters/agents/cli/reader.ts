import type { Usage } from '../../../delivery/money/ledger.ts'
import type { AgentError, AgentEvent } from '../../../ports/agent-driver.ts'
import { errorFrom } from '../failure.ts'
import { asObject, asText, at, brief, type Json, objectOn } from '../json.ts'
import { openEstimate } from '../usage.ts'

/** Reads one turn's lines. Keeps what it needs; never throws, whatever the line is. */
export interface LineReader {
  /** One line that is JSON; others never get here. */
  read(line: Record<string, unknown>): AgentEvent[]
  /** What is known so far; asked when the turn has ended, and for the usage of a turn that was cut off. */
  told(): ToldByLines
}

export interface ToldByLines {
  /** The agent's own last word on the turn; null while it has not come. It ends the turn: what still runs is ended. */
  ending: { ok: true } | { ok: false; error: Omit<AgentError, 'retryable'> } | null
  session: string | null
  text: string
  /**
   * What the agent summed up itself, of the turn or of the session as `totals` says; null: nothing. The input is the
   * whole input; what of it came from a cache is told again as cached. What single calls tell belongs into `usage` events.
   */
  usage: Usage | null
  usd: number | null
  model: string | null
  /** That what it summed up is reckoned in parts. */
  inexact?: boolean
}

type ReadLine = ((line: Json) => AgentEvent[]) | ((line: Json) => void)

/** What lines of a type tell. */
export type ReadersByType = Record<string, ReadLine>

/** Reads each line by its type; others tell nothing. What they tell may be in an object within them, under one key. */
export function readerBy(told: ToldByLines, by: ReadersByType, within = ''): LineReader {
  const known = new Map<unknown, ReadLine>(Object.entries(by))
  const read = (line: Json) => known.get(line.type)?.(asObject(line[within]) ?? line) ?? []
  return { read, told: () => ({ ...told }) }
}

export const nothingTold = (): ToldByLines => ({
  ...{ ending: null, session: null, text: '', usage: null, usd: null, model: null },
})

export const failedBy = (status: number | null, message: string): NonNullable<ToldByLines['ending']> => ({
  ok: false,
  error: errorFrom({ status, message, resetsAt: null }),
})

/** The first name that a session is told by is its name. */
export function opened(told: ToldByLines, session: unknown): AgentEvent[] {
  const name = asText(session)
  if (name === null || told.session !== null) return []
  told.session = name
  return [{ type: 'session', session: name }]
}

/** Of what a tool is given, what tells most about it. */
export const tellingOf = (given: unknown, ...keys: string[]): unknown =>
  keys.map((key) => asText(at(given, key))).find((text) => text !== null) ?? given

/** Nothing when it has no name by which its end could be known. */
export function toolStarted(id: unknown, name: unknown, detail: unknown): AgentEvent[] {
  const known = asText(id)
  if (known === null) return []
  return [{ type: 'tool-started', id: known, name: asText(name) ?? 'tool', detail: brief(detail, 300) }]
}

export function toolEnded(id: unknown, ok: boolean, output: unknown): AgentEvent[] {
  const known = asText(id)
  if (known === null) return []
  return [{ type: 'tool-ended', id: known, ok, output: output === undefined ? null : brief(output, 2_000) }]
}

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
      return {
        ...{ ...told, ending: failure ?? told.ending, trouble, resetsAt, sofar, worked: hasWorked, heardAny },
        ...{ broken: estimate.broken(), untold: estimate.untold() },
      }
    },
  }
}

const isWork = (event: AgentEvent): boolean =>
  event.type === 'text' || event.type === 'thinking' || event.type === 'tool-started' || event.type === 'tool-ended'
