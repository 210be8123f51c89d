import { noUsage, type Usage } from '../../../../delivery/money/ledger.ts'
import { parseJson } from '../../../../std/json.ts'
import { at } from '../../json.ts'
import { anthropicUsage, frameTokens, sumOf, tokensIn, usageBy } from '../../usage.ts'
import type { Say } from '../language.ts'
import type { AssistantPart, CallOptions, Model, StreamPart, ToolCall } from './api.ts'
import { CutOff } from './failure.ts'

export interface ModelStep {
  content: AssistantPart[]
  finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
  /** What the API calls the model that answered; null where it does not say. */
  model: string | null
}

interface Ask {
  model: Model
  call: CallOptions
  say: Say
  meter: Meter
}

/** One call of the model, heard to its end. Throws whatever went wrong, as it came. */
export async function takeStep({ model, call, say, meter }: Ask): Promise<ModelStep> {
  const { stream } = await model.doStream({ ...call, includeRawChunks: true })
  const answer = openAnswer(say)
  const alive = signsOfLife(say)
  let answered: string | null = null
  let finish: ModelStep['finish'] | null = null
  for await (const part of stream) {
    alive()
    answer.hear(part)
    if (part.type === 'error') throw part.error
    // Told as soon as it is known, for the case that nobody hears the end.
    if (part.type === 'raw' && meter.hear(part.rawValue)) say({ type: 'usage', usage: meter.total() })
    if (part.type === 'response-metadata') answered = part.modelId ?? answered
    if (part.type === 'finish') {
      meter.ended(part.usage)
      const { raw, unified } = part.finishReason
      // Nobody gave a reason: it is only the library that has finished.
      finish = raw === undefined && unified === 'other' ? null : unified
    }
  }
  if (finish === null) throw new CutOff('the connection ended in the middle of an answer')
  return { content: answer.content(), finish, model: answered }
}

/** A long answer is told when it is whole; until then something must be heard. */
function signsOfLife(say: Say): () => void {
  let spokeAt = Date.now()
  return () => {
    if (Date.now() - spokeAt < 2000) return
    spokeAt = Date.now()
    say({ type: 'progress' })
  }
}

type Block = Extract<AssistantPart, { type: 'text' | 'reasoning' }>

/** Puts an answer together from the pieces of its stream, and tells each part of it when it is whole. */
function openAnswer(say: Say) {
  const content: AssistantPart[] = []
  const blocks = new Map<string, Block>()

  return {
    hear(part: StreamPart): void {
      switch (part.type) {
        case 'text-start':
        case 'reasoning-start': {
          const block: Block = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' }
          blocks.set(`${block.type} ${part.id}`, block)
          content.push(mark(block, part.providerMetadata))
          return
        }
        case 'text-delta':
        case 'reasoning-delta':
        case 'text-end':
        case 'reasoning-end': {
          const block = blocks.get(`${part.type.split('-')[0]} ${part.id}`)
          if (block === undefined) return
          mark(block, part.providerMetadata)
          if ('delta' in part) block.text += part.delta
          else tell(block, say)
          return
        }
        case 'tool-call': {
          const { toolCallId, toolName, input } = part
          // Arguments that were cut off are no arguments; the tool will say what it lacks.
          const call: ToolCall = {
            type: 'tool-call',
            toolCallId,
            toolName,
            input: input === '' ? {} : (parseJson(input) ?? {}),
          }
          content.push(mark(call, part.providerMetadata))
        }
      }
    },
    content: (): AssistantPart[] => content.filter((part) => part.type !== 'text' || part.text !== ''),
  }
}

/** What the API wants to get back with this part later, such as its signature. */
function mark<Part extends AssistantPart>(part: Part, metadata: AssistantPart['providerOptions'] | undefined): Part {
  if (metadata !== undefined) part.providerOptions = metadata
  return part
}

function tell({ type, text }: Block, say: Say): void {
  if (text !== '') say({ type: type === 'text' ? 'text' : 'thinking', text })
}

type ToldUsage = Extract<StreamPart, { type: 'finish' }>['usage']

export type Meter = ReturnType<typeof openMeter>

interface Call {
  sentChars: number
  heardChars: number
  seen: Usage | null
}

/** Counts a turn. A call that never tells what it used counts with what was seen of it, or with what it must have been. */
export function openMeter() {
  let done = noUsage
  let call: Call | null = null
  let isExact = true
  const close = (): void => {
    if (call !== null) done = sumOf(done, reckoned(call))
    isExact &&= call === null
    call = null
  }
  return {
    /** A call is answered from here on, and so is paid; `sentChars`: what it was sent. */
    begun(sentChars: number): void {
      close()
      call = { sentChars, heardChars: 0, seen: null }
    },
    /** A piece of its answer, as the API sent it. Whether it is the first that tells what the call has used. */
    hear(raw: unknown): boolean {
      if (call === null) return false
      const usage = usageSeen(raw)
      const isFirst = usage !== null && call.seen === null
      call.heardChars += JSON.stringify(raw)?.length ?? 0
      call.seen = usage ?? call.seen
      return isFirst
    },
    /** A call has ended, and this is what it told to have used. */
    ended(told: ToldUsage): void {
      if (told.inputTokens.total === undefined || told.outputTokens.total === undefined) return close()
      done = sumOf(done, usageOf(told))
      call = null
    },
    total: (): Usage => (call === null ? done : sumOf(done, reckoned(call))),
    /** Whether each call has told what it used. */
    isExact: () => isExact && call === null,
  }
}

const reckoned = ({ sentChars, heardChars, seen }: Call): Usage => ({
  inputTokens: seen?.inputTokens ?? tokensIn(sentChars) + frameTokens,
  outputTokens: Math.max(seen?.outputTokens ?? 1, tokensIn(heardChars)),
  cachedTokens: seen?.cachedTokens ?? 0,
})

const usageOf = usageBy(['inputTokens.total'], ['outputTokens.total'], 'inputTokens.cacheRead')

/** Two of the APIs tell their usage while they still answer: Anthropic when it begins, Google with each piece. */
function usageSeen(raw: unknown): Usage | null {
  const begun = at(raw, 'type') === 'message_start' ? at(raw, 'message', 'usage') : undefined
  if (begun) return anthropicUsage(begun)
  const soFar = at(raw, 'usageMetadata')
  return soFar ? googleUsage(soFar) : null
}

const googleUsage = usageBy(
  ['promptTokenCount'],
  ['candidatesTokenCount', 'thoughtsTokenCount'],
  'cachedContentTokenCount',
)
