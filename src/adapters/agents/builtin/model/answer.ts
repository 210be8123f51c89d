import type { Say } from '../line.ts'
import type { AssistantPart, StreamPart, ToolCall } from './api.ts'

type Block = Extract<AssistantPart, { type: 'text' | 'reasoning' }>

/** Puts an answer together from the pieces of its stream, and tells each part of it when it is whole. */
export function openAnswer(say: Say) {
  const content: AssistantPart[] = []
  const blocks = new Map<string, Block>()
  const blockOf = (part: { type: string; id: string }) => blocks.get(`${part.type.split('-')[0]} ${part.id}`)

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
        case 'reasoning-delta': {
          const block = blockOf(part)
          if (block !== undefined) mark(block, part.providerMetadata).text += part.delta
          return
        }
        case 'text-end':
        case 'reasoning-end': {
          const block = blockOf(part)
          if (block !== undefined) tell(mark(block, part.providerMetadata), say)
          return
        }
        case 'tool-call': {
          const { toolCallId, toolName, input } = part
          const call: ToolCall = { type: 'tool-call', toolCallId, toolName, input: parsed(input) }
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

/** Arguments that were cut off are no arguments; the tool will say what it lacks. */
function parsed(input: string): unknown {
  try {
    return JSON.parse(input === '' ? '{}' : input)
  } catch {
    return {}
  }
}
