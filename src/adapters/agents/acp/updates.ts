import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { asCount, asList, asNumber, asObject, asWords, at, type Json } from '../json.ts'
import { isUsed, openEstimate, sumOf, usageBy } from '../usage.ts'

export interface WatchedTool {
  kind: string
  title: string
  input: unknown
  isTold: boolean
  isOver: boolean
}

export interface ToldByUpdates {
  /** What was last said without a tool in between, and the last piece of it. */
  text: string
  lastPiece: string
  /** The sum of what was told beside the messages; null: nothing was. */
  usage: Usage | null
  /** How full it says its context is. */
  contextTokens: Course
  /** How many tools have done what they should. */
  toolsDone: number
  /** What it says that it has cost. */
  usd: Course
  /** How often it has asked its model, as far as that can be seen. */
  calls: number
  /** Reckoned: what one more call would have used. */
  call: Usage
  /** Reckoned: what it has not told of, if it is cut off here; nothing before it was prompted. */
  untold: Usage
}

/** A figure now, and when the turn began. */
interface Course {
  now: number | null
  before: number | null
}

const nothing = { text: '', lastPiece: '', usage: null, toolsDone: 0, calls: 0, call: noUsage, untold: noUsage }

/** What else it tells is not from its model, and comes when it likes. */
const ofModel: unknown[] = ['agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan']

const outputLength = 4_000

/** Reads what an agent tells while it works. Whatever it is, it does no harm. */
export class Updates {
  readonly #promptChars: number
  #estimate: ReturnType<typeof openEstimate>
  readonly #tell: (event: AgentEvent) => void
  readonly #tools = new Map<string, WatchedTool>()
  readonly #say: ReturnType<typeof openLines>
  readonly #think: ReturnType<typeof openLines>
  #told: ToldByUpdates = { ...nothing, contextTokens: { now: null, before: null }, usd: { now: null, before: null } }
  #isSaying = false
  #counts = false

  constructor(promptChars: number, tell: (event: AgentEvent) => void) {
    this.#promptChars = promptChars
    this.#estimate = openEstimate(promptChars)
    this.#tell = (event) => {
      this.#estimate.hear(0, [event])
      tell(event)
    }
    this.#say = openLines((text) => this.#tell({ type: 'text', text }))
    this.#think = openLines((text) => this.#tell({ type: 'thinking', text }))
  }

  hear(update: Json): void {
    const kind = update.sessionUpdate
    if (kind === 'usage_update') return this.#hearCost(update)
    if (!this.#counts || !ofModel.includes(kind)) return
    this.#estimate.hear(JSON.stringify(update).length, [])
    const id = asWords(update.toolCallId)
    if (kind === 'agent_message_chunk') this.#hearText(update)
    else if (kind === 'agent_thought_chunk') this.#think.add(asWords(at(update, 'content', 'text')) ?? '')
    else if ((kind === 'tool_call' || kind === 'tool_call_update') && id !== null) this.#hearTool(id, update)
  }

  /** From here on it counts: what came before was the session's past. */
  begin(): void {
    this.#counts = true
    this.#estimate = openEstimate(this.#promptChars)
    this.#told = { ...nothing, contextTokens: fromNow(this.#told.contextTokens), usd: fromNow(this.#told.usd) }
  }

  told(): ToldByUpdates {
    const { calls, call, untold } = this.#estimate
    return { ...this.#told, calls: calls(), call: call(), untold: this.#counts ? untold() : noUsage }
  }

  /** The last line may lack its end. */
  finish(): void {
    this.#think.end()
    this.#say.end()
  }

  isToolRunning(): boolean {
    return [...this.#tools.values()].some((tool) => !tool.isOver)
  }

  tool(id: string): WatchedTool | null {
    return this.#tools.get(id) ?? null
  }

  #hearText(chunk: Json): void {
    this.#think.end()
    const text = asWords(at(chunk, 'content', 'text')) ?? ''
    this.#told.text = this.#isSaying ? this.#told.text + text : text
    this.#told.lastPiece = text
    this.#isSaying = true
    this.#say.add(text)
    const usage = usageIn(at(chunk, '_meta', 'usage'))
    if (usage === null) return
    this.#told.usage = sumOf(this.#told.usage ?? noUsage, usage)
    this.#tell({ type: 'usage', usage: this.#told.usage })
  }

  #hearTool(id: string, update: Json): void {
    const tool = mergedTool(this.tool(id), update)
    this.#tools.set(id, tool)
    this.#isSaying = false
    this.#told.lastPiece = ''
    this.#say.end()
    const { status } = update
    // Some announce a tool before they know what it is to do.
    if (status !== 'pending' || Object.keys(asObject(tool.input) ?? {}).length > 0) this.#tellOf(id, tool)
    if (status === 'completed' || status === 'failed') this.endTool(id, status === 'completed', outputOf(update))
  }

  #tellOf(id: string, tool: WatchedTool): void {
    if (!tool.isTold) this.#tell({ type: 'tool-started', id, name: tool.kind, detail: detailOf(tool) })
    tool.isTold = true
  }

  endTool(id: string, ok: boolean, output: string | null): void {
    const tool = this.#tools.get(id)
    if (tool === undefined || tool.isOver) return
    this.#tellOf(id, tool)
    tool.isOver = true
    if (ok) this.#told.toolsDone += 1
    this.#tell({ type: 'tool-ended', id, ok, output })
  }

  #hearCost(update: Json): void {
    this.#told.contextTokens.now = asNumber(update.used)
    if (at(update, 'cost', 'currency') === 'USD') this.#told.usd.now = asNumber(at(update, 'cost', 'amount'))
  }
}

/** What it asks to be allowed tells of a tool, too, and for some that is the first word of it; null: it names none. */
export function askedFor({ toolCall }: Json): Json | null {
  const call = asObject(toolCall)
  return asWords(call?.toolCallId) === null ? null : { ...call, sessionUpdate: 'tool_call_update' }
}

const fromNow = ({ now }: Course): Course => ({ now, before: now })

/** An update tells only what is new, and may be the first to tell anything. */
export function mergedTool(known: WatchedTool | null, { kind, title, rawInput }: Json): WatchedTool {
  const tool = known ?? { kind: 'other', title: '', input: undefined, isTold: false, isOver: false }
  return {
    ...tool,
    kind: asWords(kind) ?? tool.kind,
    title: asWords(title) ?? tool.title,
    input: rawInput ?? tool.input,
  }
}

/** The command line itself where it is told, else the agent's words. */
export function detailOf({ input, title }: Pick<WatchedTool, 'input' | 'title'>): string {
  const command = asObject(input)?.command
  const words = asList(command).filter((word) => typeof word === 'string')
  return asWords(command) ?? asWords(words.join(' ')) ?? title
}

function outputOf(update: Json): string | null {
  const texts = asList(update.content).flatMap((part) => asWords(at(part, 'content', 'text')) ?? [])
  const raw = update.rawOutput
  const text = asWords(texts.join('\n')) ?? asWords(raw) ?? (asObject(raw) === null ? null : JSON.stringify(raw))
  return text === null ? null : text.slice(0, outputLength)
}

const longestSpoken = 4_000

/** Text that comes in pieces, as whole lines. */
function openLines(onLine: (line: string) => void) {
  let held = ''
  const release = (line: string): void => {
    if (line.trim() !== '') onLine(line)
  }
  return {
    add(piece: string): void {
      const lines = (held + piece).split('\n')
      held = lines.pop() ?? ''
      lines.forEach(release)
      if (held.length > longestSpoken) this.end()
    },
    end(): void {
      release(held)
      held = ''
    },
  }
}

/** What the answer to a prompt tells: as the protocol has it, or as gemini does. */
export function usageOfAnswer(answer: Json): Usage | null {
  return usageIn(answer.usage) ?? usageIn(at(answer, '_meta', 'usage')) ?? quotaIn(at(answer, '_meta', 'quota'))
}

/** Our input is the whole input. Whether theirs is, follows from their total. */
function usageIn(value: unknown): Usage | null {
  const told = asObject(value)
  if (told === null) return null
  const [input, output, total] = [asCount(told.inputTokens), asCount(told.outputTokens), asNumber(told.totalTokens)]
  const [read, written] = [asCount(told.cachedReadTokens), asCount(told.cachedWriteTokens)]
  const thought = asCount(told.thoughtTokens)
  const isApart = total !== null && total >= input + output + read + written
  const whole = isApart ? input + read + written : input
  const usage = {
    inputTokens: whole,
    outputTokens: total === whole + output + thought ? output + thought : output,
    cachedTokens: read,
  }
  return isUsed(usage) ? usage : null
}

const quotaUsage = usageBy(['input_tokens'], ['output_tokens'], '')

function quotaIn(quota: unknown): Usage | null {
  const usage = quotaUsage(at(quota, 'token_count'))
  return isUsed(usage) ? usage : null
}
