import { problemsIn, type Submission } from '../roles/answer/shape.ts'

type Json = Record<string, unknown>

export interface Taker {
  /** Null: this turn needs no answer, so there is no tool. */
  submission: Submission | null
  version: string
  /** Why it could not be kept; null: it is. */
  keep(answer: unknown): string | null
}

/** The reply to one message of the Model Context Protocol; null: it needs none. */
export function replyTo(message: Json, taker: Taker): Json | null {
  const { id, method } = message
  if (id === undefined || id === null) return null
  const about = { jsonrpc: '2.0', id }
  const result = resultOf(message, taker)
  if (result !== null) return { ...about, result }
  return { ...about, error: { code: -32_601, message: `there is no method ${String(method)}` } }
}

function resultOf({ method, params }: Json, taker: Taker): Json | null {
  const given = (params ?? {}) as Json
  const { submission } = taker
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: given.protocolVersion ?? '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'ropewalk', version: taker.version },
      }
    case 'ping':
      return {}
    case 'tools/list':
      return { tools: submission === null ? [] : [submission.tool] }
    case 'tools/call':
      return submission === null || given.name !== submission.tool.name
        ? null
        : told(takeAnswer(submission, given.arguments, taker.keep))
    default:
      return null
  }
}

const told = ({ ok, text }: Submitted): Json => ({ content: [{ type: 'text', text }], isError: !ok })

interface Submitted {
  ok: boolean
  text: string
}

/** An answer that does not do is not kept: its author hears why, and gives another. */
export function takeAnswer(submission: Submission, answer: unknown, keep: Taker['keep']): Submitted {
  const problems = problemsIn(submission, answer)
  if (problems.length > 0)
    return { ok: false, text: ['It was not taken. Correct it and submit all of it again:', ...problems].join('\n- ') }
  const trouble = keep(answer)
  if (trouble !== null)
    return {
      ok: false,
      text: `It could not be kept: ${trouble}. End your reply with it instead, as JSON in one fenced block.`,
    }
  return { ok: true, text: `The ${submission.name} is taken. End your turn now.` }
}
