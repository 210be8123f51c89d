// How a call goes wrong, by words in the prompt: FAIL:<what>[,times=n][,after=seconds][,reset=epoch][,step=n][,as=n].
import type { Problem } from './wire.ts'

export interface Failure {
  kind: 'status' | 'in-stream' | 'cut' | 'hang' | 'stall'
  problem: Problem
  headers: Record<string, string>
  /** How often before all is well. */
  times: number
  /** At which step of the scenario. */
  step: number
  /** Prompts with the same number are counted together; null: each for itself. */
  as: string | null
}

/** What: an HTTP status, `quota`, `stream` (an error inside it), `cut` (of the connection), `hang`, `stall` (in the stream). */
export function failureIn(prompt: string): Failure | null {
  const found = /\bFAIL:(\w+)((?:,\w+=\d+)*)/.exec(prompt)
  if (found === null) return null
  const options = Object.fromEntries(found[2]!.split(',').map((option) => option.split('=')))
  const retryAfterSeconds = options.after === undefined ? null : Number(options.after)
  return {
    kind: kinds[found[1]!] ?? 'status',
    problem: { ...problemOf(found[1]!), retryAfterSeconds },
    headers: headersFor(retryAfterSeconds, options.reset),
    times: Number(options.times ?? Number.POSITIVE_INFINITY),
    step: Number(options.step ?? 0),
    as: options.as ?? null,
  }
}

const kinds: Record<string, Failure['kind']> = { stream: 'in-stream', cut: 'cut', hang: 'hang', stall: 'stall' }

function problemOf(what: string): Omit<Problem, 'retryAfterSeconds'> {
  if (what === 'quota') return { status: 429, code: 'insufficient_quota', message: messages[402]! }
  const status = kinds[what] === undefined ? Number(what) : 529
  if (status === 404) return { status, code: 'model_not_found', message: messages[404]! }
  return { status, code: '', message: messages[status] ?? `fake failure ${what}` }
}

export const messages: Record<number, string> = {
  400: 'fake: the request is not valid',
  401: 'fake: invalid api key',
  402: 'You exceeded your current quota, please check your plan and billing details.',
  404: 'The model `no-such-model` does not exist or you do not have access to it.',
  429: 'fake: too many requests',
  500: 'fake: internal error',
  503: 'fake: the service is unavailable',
  529: 'Overloaded',
}

/** A reset time is told in the headers of a subscription, and those of an API key. */
function headersFor(retryAfterSeconds: number | null, reset: string | undefined): Record<string, string> {
  return {
    ...(retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(reset === undefined
      ? {}
      : {
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': reset,
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
          'anthropic-ratelimit-requests-reset': new Date(Number(reset) * 1000).toISOString(),
        }),
  }
}
