import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { StandardInput } from '../../../ports/shell.ts'
import { asObject, asText, type Json, objectOn } from '../told/json.ts'

/** Our side is closed: nothing that was asked will be answered any more. */
export class WireClosed extends Error {
  override name = 'WireClosed'
}

export interface Ears {
  onUpdate(update: Json): void
  /** An error after an answer to the same. */
  onAfterthought(error: Json): void
}

export interface Wire {
  stream: Stream
  /** One line of the agent's standard output. */
  hear(line: string): void
  close(): void
}

/**
 * The agent's lines as messages, and ours as lines. Only what fits is passed on: noise between the messages is
 * normal, and updates go past the library, which would refuse those that its schema does not know.
 */
export function openWire(stdin: StandardInput, ears: Ears): Wire {
  const asked = new Set<unknown>()
  const answered = new Set<unknown>()
  let inbox: ReadableStreamDefaultController<AnyMessage> | null = null
  const send = (message: Json): void => stdin.write(`${JSON.stringify(message)}\n`)
  const pass = (message: Json): void => inbox?.enqueue(message as AnyMessage)

  function hearMessage(message: Json): void {
    const call = typeof message.method === 'string'
    if (message.jsonrpc !== '2.0') return
    if (call && 'id' in message) pass(message)
    else if (message.method === 'session/update') ears.onUpdate(asObject(asObject(message.params)?.update) ?? {})
    else if (!call && asked.delete(message.id)) {
      answered.add(message.id)
      pass(message)
    } else if (!call && answered.has(message.id) && asObject(message.error) !== null)
      ears.onAfterthought(asObject(message.error) ?? {})
  }

  function hearHead(line: string): void {
    const head = headOf(line)
    if (head === null) return
    const error = { code: -32600, message: 'the message is longer than what is read' }
    if (head.isCall) send({ jsonrpc: '2.0', id: head.id, error })
    else if (asked.delete(head.id)) pass({ jsonrpc: '2.0', id: head.id, error })
  }

  return {
    stream: {
      readable: new ReadableStream<AnyMessage>({
        start(controller) {
          inbox = controller
        },
      }),
      writable: new WritableStream<AnyMessage>({
        write(message) {
          if ('method' in message && 'id' in message) asked.add(message.id)
          send(message as Json)
        },
      }),
    },
    hear(line) {
      const message = objectOn(line)
      if (message === null) hearHead(line)
      else hearMessage(message)
    },
    close() {
      inbox?.error(new WireClosed('the agent is gone'))
      inbox = null
    },
  }
}

const headLength = 400

/** Whose turn it is to answer a message that was too long to be kept whole. */
function headOf(line: string): { id: unknown; isCall: boolean } | null {
  if (!/… \[line cut: \d+ bytes\]$/.test(line)) return null
  const head = line.slice(0, headLength)
  const id = /^\{[^{]*"id"\s*:\s*(\d+|"[^"\\]*")/.exec(head)?.[1]
  if (id === undefined) return null
  const method = asText(/"method"\s*:\s*"([^"]*)"/.exec(head)?.[1])
  return { id: JSON.parse(id), isCall: method !== null }
}
