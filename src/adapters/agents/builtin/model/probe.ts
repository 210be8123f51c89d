import { never } from '../../../../std/never.ts'
import { type Address, baseUrl } from './api.ts'

/** What an address says when it is asked for its models, which costs nothing. */
export type ServiceAnswer =
  | { answers: true; accepted: boolean | null; models: string[]; status: number }
  | { answers: false; problem: string }

const timeoutMs = 15_000

export async function probeService(address: Address): Promise<ServiceAnswer> {
  try {
    const response = await fetch(`${baseUrl(address)}/models`, {
      headers: keyHeaders(address),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body: unknown = await response.json().catch(() => null)
    return { answers: true, accepted: accepted(response.status, body), models: namesIn(body), status: response.status }
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

function keyHeaders({ api, key }: Address): Record<string, string> {
  switch (api) {
    case 'anthropic':
      return { 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' }
    case 'google':
      return { 'x-goog-api-key': key ?? '' }
    case 'openai':
    case 'compatible':
      return key === null ? {} : { authorization: `Bearer ${key}` }
    default:
      return never(api)
  }
}

function namesIn(body: unknown): string[] {
  const { data, models } = (body ?? {}) as { data?: unknown; models?: unknown }
  const list = [data, models].find(Array.isArray) ?? []
  return list.flatMap((one: { id?: unknown; name?: unknown } | null) => {
    const name = one?.id ?? one?.name
    return typeof name === 'string' ? [name.replace(/^models\//, '')] : []
  })
}
