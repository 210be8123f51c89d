// What the four wire formats have in common: a request as the fake understands it, and the answer it gives.
export interface WireFormat {
  name: FormatName
  /** Null when the request is not of this format. */
  read(request: RawRequest): Asked | null
  /** The whole answer as one JSON body. */
  whole(answer: Answer): unknown
  /** The answer as server-sent events; `null` as data means the closing mark of the format. */
  stream(answer: Answer): StreamPart[]
  /** How this API tells a failure: as the body of a response, and as an event inside a stream. */
  failed(problem: Problem): { body: unknown; inStream: StreamPart }
}

export type FormatName = 'anthropic' | 'responses' | 'chat' | 'gemini'

export interface RawRequest {
  path: string
  query: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: a request body is whatever the agent sends
  body: any
}

export interface Asked {
  format: FormatName
  model: string
  isStreamed: boolean
  /** The caller wants the usage at the end of a stream, in formats where that is a choice. */
  wantsUsage: boolean
  tools: Tool[]
  said: Said[]
  /** What might tell the session of the agent, where it sends such a thing. */
  session: string | null
}

export type Said =
  | { by: 'user'; text: string }
  | { by: 'model'; text: string }
  | { by: 'system'; text: string }
  | { by: 'tool'; text: string }

export interface Tool {
  name: string
  /** `custom`: takes one text instead of JSON. `code`: that text is JavaScript which calls the other tools. */
  shape: 'json' | 'custom' | 'code' | 'local-shell'
  /** The server that it is from, where it is told apart from its name. */
  namespace?: string
  properties: Record<string, Property>
  required: string[]
  /** For a `code` tool: what can be called from it. */
  description: string
}

export interface Property {
  type?: string | string[]
  enum?: unknown[]
  minimum?: number
}

export interface Answer {
  id: string
  model: string
  text: string
  call: Call | null
  usage: Tokens
  wantsUsage: boolean
}

export interface Call {
  id: string
  tool: Tool
  /** Arguments by name, or the one text of a custom tool. */
  input: Record<string, unknown> | string
}

/** The input is the whole input; what of it came from a cache is told again as cached. */
export interface Tokens {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
}

export interface StreamPart {
  event?: string
  data: unknown
}

export interface Problem {
  status: number
  /** `insufficient_quota`, `not_found_error` … */
  code: string
  message: string
  retryAfterSeconds: number | null
}

export function event(type: string, data: object): StreamPart {
  return { event: type, data: { type, ...data } }
}

/** All the text in a piece of content, whatever its shape. */
// biome-ignore lint/suspicious/noExplicitAny: content is whatever the agent sends
export function textOf(content: any): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('\n')
  if (content === null || typeof content !== 'object') return ''
  return textOf(content.text ?? content.content ?? content.output ?? '')
}

// biome-ignore lint/suspicious/noExplicitAny: a schema is whatever the agent sends
export function jsonTool(name: string, schema: any): Tool {
  const { properties = {}, required = [] } = schema ?? {}
  return { name, shape: 'json', properties, required, description: '' }
}
