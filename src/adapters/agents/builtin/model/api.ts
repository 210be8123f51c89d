import type { AnthropicProvider } from '@ai-sdk/anthropic'
import { listOf } from '../../../../std/json.ts'
import { never } from '../../../../std/never.ts'
import { at } from '../../json.ts'

export type Api = 'anthropic' | 'openai' | 'google' | 'compatible'

/** Where the model is, and what opens the door. */
export interface Address {
  api: Api
  /** Null: the vendor's own. */
  url: string | null
  /** Null: none is needed. */
  key: string | null
}

export type Model = ReturnType<AnthropicProvider['languageModel']>
export type CallOptions = Parameters<Model['doStream']>[0]
export type StreamPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never
export type Message = CallOptions['prompt'][number]
export type AssistantPart = Extract<Message, { role: 'assistant' }>['content'][number]
export type ToolCall = Extract<AssistantPart, { type: 'tool-call' }>
export type FunctionTool = Extract<NonNullable<CallOptions['tools']>[number], { type: 'function' }>

type OnAnswered = (sentChars: number) => void

/** The libraries are large, so each is loaded only where it is spoken to. None of them tries again by itself. */
export async function openModel(address: Address, model: string, onAnswered: OnAnswered): Promise<Model> {
  const given = { baseURL: baseUrl(address), apiKey: address.key ?? '', fetch: telling(onAnswered) }
  switch (address.api) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(given).languageModel(model)
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(given).responses(model)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(given).languageModel(model)
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ ...given, name: 'compatible', includeUsage: true }).languageModel(model)
    }
    default:
      return never(address.api)
  }
}

/** What is answered is paid, although a library may read on, and tell only that it went wrong. */
const telling =
  (onAnswered: OnAnswered): typeof fetch =>
  async (to, request) => {
    const answer = await fetch(to, request)
    if (answer.ok) onAnswered(String(request?.body ?? '').length)
    return answer
  }

const vendors: Record<Api, string> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  compatible: 'http://127.0.0.1:11434/v1',
}

/** An address without a path means the usual path of its kind. */
export function baseUrl({ api, url }: Pick<Address, 'api' | 'url'>): string {
  if (url === null) return vendors[api]
  const given = new URL(url)
  if (given.pathname === '/') given.pathname = new URL(vendors[api]).pathname
  return given.href.replace(/\/$/, '')
}

/**
 * A local model may think for longer than the five minutes after which `fetch` gives up; whoever supervises us knows
 * better when it is enough. Node has no other door to this than the place where `fetch` looks for its connections.
 */
export function waitForSlowModels(): void {
  // Named once, so that it is there.
  void globalThis.Headers
  const place = Symbol.for('undici.globalDispatcher.1')
  const connections = globalThis as { [place]?: { constructor: Connections } }
  const present = connections[place]
  if (present !== undefined) connections[place] = new present.constructor({ headersTimeout: 0, bodyTimeout: 0 })
}

type Connections = new (options: { headersTimeout: number; bodyTimeout: number }) => { constructor: Connections }

/** What an address says when it is asked for its models, which costs nothing. */
export type ServiceAnswer =
  | { answers: true; accepted: boolean | null; models: number; status: number }
  | { answers: false; problem: string }

const timeoutMs = 15_000

export async function askService(address: Address): Promise<ServiceAnswer> {
  try {
    const headers = address.key === null ? {} : keyHeaders[address.api](address.key)
    const response = await fetch(`${baseUrl(address)}/models`, { headers, signal: AbortSignal.timeout(timeoutMs) })
    const body: unknown = await response.json().catch(() => null)
    const { status } = response
    const models = listOf(at(body, 'data') ?? at(body, 'models')).length
    return { answers: true, accepted: accepted(status, body), models, status }
  } catch (error) {
    const { message, cause } = error as Error
    return { answers: false, problem: cause instanceof Error ? `${message}: ${cause.message}` : message }
  }
}

/** Null: the address does not know the question, so it cannot be told. */
function accepted(status: number, body: unknown): boolean | null {
  if (status === 401 || status === 403 || JSON.stringify(body)?.includes('API_KEY_INVALID')) return false
  return status >= 200 && status < 300 ? true : null
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const keyHeaders: Record<Api, (key: string) => Record<string, string>> = {
  anthropic: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  google: (key) => ({ 'x-goog-api-key': key }),
  openai: bearer,
  compatible: bearer,
}
