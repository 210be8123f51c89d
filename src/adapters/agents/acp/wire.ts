import { setTimeout as wait } from 'node:timers/promises'
import type { AgentError } from '../../../ports/agent-driver.ts'
import type { StandardInput } from '../../../ports/shell.ts'
import { parseJson } from '../../../std/json.ts'
import { asNumber, asObject, asText, at, type Json, objectOn } from '../json.ts'
import { type AcpRefusal, errorOfRefusal } from './failure.ts'

/** The agent says no; what it means is in `error`. */
export class Refused extends Error {
  override name = 'Refused'
  readonly error: AgentError
  constructor(error: AgentError) {
    super(error.message)
    this.error = error
  }
}

/** Our side is closed: nothing that was asked will be answered any more. */
export class WireClosed extends Error {
  override name = 'WireClosed'
}

export interface Ears {
  onUpdate(update: Json): void
  /** What the agent is to hear when it asks to be allowed something. */
  onPermission(params: Json): Json
  /** An error after an answer to the same. */
  onAfterthought(error: AgentError): void
  /** It does not do what it was asked, and so nothing more is asked of it. */
  onRefusal(error: AgentError): void
}

/** Asks an agent one thing after the other, from the moment when there is somebody to talk to until all is said. */
export function openTalk(ears: Ears, converse: (wire: Wire) => Promise<void>) {
  let wire: Wire | null = null
  let talking: Promise<void> = Promise.resolve()
  let end = (): void => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  const talk = (): Promise<void> =>
    converse(wire as Wire).catch((error: unknown) => {
      if (error instanceof Refused) ears.onRefusal(error.error)
      else if (!(error instanceof WireClosed)) throw error
    })
  return {
    /** Everything has been said. */
    done,
    end: (): void => end(),
    begin(stdin: StandardInput): void {
      wire = openWire(stdin, ears)
      talking = talk().finally(() => {
        stdin.end()
        end()
      })
      // Looked at when the agent is gone; until then it must not count as unhandled.
      talking.catch(() => {})
    },
    hear: (line: string): void => wire?.hear(line),
    notify: (method: string, params: Json): void => wire?.notify(method, params),
    /** When the agent is gone. Rejects only for what is not the agent's doing. */
    async over(): Promise<void> {
      // What it has answered is still to be thought about.
      await wait(0)
      wire?.close()
      await talking
    },
  }
}

export type Wire = ReturnType<typeof openWire>

const notThere = { code: -32601, message: 'there is no such method' }
const headLength = 400
const tooLong = { code: -32600, message: 'the message is longer than what is read' }

interface Question {
  answer(result: Json): void
  refuse(refusal: AcpRefusal): void
  close(): void
}

/** JSON-RPC, a message on each line. Noise between the messages is normal, and what fits nothing is passed over. */
export function openWire(stdin: StandardInput, ears: Ears) {
  const asked = new Map<unknown, Question>()
  let isClosed = false
  let lastId = 0
  const send = (message: Json): void => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

  function take(id: unknown): Question | undefined {
    const question = asked.get(id)
    asked.delete(id)
    return question
  }

  function hearMessage({ jsonrpc, id, method, params, result, error }: Json): void {
    if (jsonrpc !== '2.0') return
    if (method === 'session/request_permission' && id !== undefined)
      send({ id, result: ears.onPermission(asObject(params) ?? {}) })
    else if (typeof method === 'string' && id !== undefined) send({ id, error: notThere })
    else if (method === 'session/update') ears.onUpdate(asObject(at(params, 'update')) ?? {})
    else if (typeof method !== 'string') hearAnswer(id, result, error ?? null)
  }

  function hearAnswer(id: unknown, result: unknown, error: unknown): void {
    const question = take(id)
    const wasAsked = typeof id === 'number' && id > 0 && id <= lastId
    if (question === undefined) {
      if (wasAsked && asObject(error) !== null) ears.onAfterthought(errorOfRefusal(refusalOf(error)))
    } else if (error === null) question.answer(asObject(result) ?? {})
    else question.refuse(refusalOf(error))
  }

  /** Whose turn it is to answer a message that was too long to be kept whole. */
  function hearHead(line: string): void {
    const head = /… \[line cut: \d+ bytes\]$/.test(line) ? line.slice(0, headLength) : ''
    const id = parseJson(/^\{[^{]*"id"\s*:\s*(\d+|"[^"\\]*")/.exec(head)?.[1] ?? '')
    if (/"method"\s*:\s*"[^"]/.test(head) && id !== null) send({ id, error: tooLong })
    else take(id)?.refuse(tooLong)
  }

  return {
    /** What a no means depends on what was asked. */
    ask: (method: string, params: Json, meaning: (refusal: AcpRefusal) => AgentError = errorOfRefusal) =>
      new Promise<Json>((resolve, reject) => {
        const close = () => reject(new WireClosed('the agent is gone'))
        if (isClosed) return close()
        lastId += 1
        asked.set(lastId, { answer: resolve, refuse: (refusal) => reject(new Refused(meaning(refusal))), close })
        send({ id: lastId, method, params })
      }),
    notify: (method: string, params: Json): void => send({ method, params }),
    /** One line of the agent's standard output. */
    hear(line: string): void {
      const message = objectOn(line)
      if (message === null) hearHead(line)
      else hearMessage(message)
    },
    close(): void {
      isClosed = true
      for (const id of asked.keys()) take(id)?.close()
    },
  }
}

const refusalOf = (error: unknown): AcpRefusal => ({
  code: asNumber(at(error, 'code')) ?? 0,
  message: asText(at(error, 'message')) ?? '',
  data: at(error, 'data'),
})
