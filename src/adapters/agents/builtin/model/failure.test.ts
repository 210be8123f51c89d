import { describe, expect, it } from 'vitest'
import { CutOff, isContextTooLong, modelFailure, resetTime } from './failure.ts'

const now = Date.UTC(2026, 0, 1)

describe('when a limit is lifted', () => {
  const cases: [string, Record<string, string>, number | null][] = [
    ['in seconds', { 'retry-after': '30' }, now + 30_000],
    ['in milliseconds', { 'retry-after-ms': '1500' }, now + 1500],
    ['as a date', { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, now + 60_000],
    ['as a time', { 'anthropic-ratelimit-tokens-reset': '2026-01-01T00:02:00Z' }, now + 120_000],
    ['since 1970', { 'anthropic-ratelimit-unified-reset': String(now / 1000 + 7) }, now + 7000],
    ['as a length', { 'x-ratelimit-reset-requests': '1h6m0.5s' }, now + 3_960_500],
    ['nowhere', { 'content-type': 'text/plain' }, null],
    ['in no language', { 'retry-after': 'soon' }, null],
    [
      'where nothing is left',
      {
        ...{ 'x-ratelimit-reset-requests': '9m', 'x-ratelimit-remaining-requests': '5' },
        ...{ 'x-ratelimit-reset-tokens': '2s', 'x-ratelimit-remaining-tokens': '0' },
      },
      now + 2000,
    ],
  ]

  it.each(cases)('it may be told %s', (_, headers, at) => {
    expect(resetTime(headers, '', now)).toBe(at)
  })

  it('may be told in the error', () => {
    expect(resetTime({}, '{"error":{"details":[{"retryDelay": "34s"}]}}', now)).toBe(now + 34_000)
  })
})

describe('a failed call', () => {
  const api = (statusCode: number, error: object) =>
    Object.assign(new Error('library'), {
      name: 'AI_APICallError',
      ...{ statusCode, responseHeaders: {}, responseBody: JSON.stringify({ error }) },
    })
  const kind = (error: unknown) => modelFailure(error, now).kind

  it('is known by its status and the fields of the error', () => {
    expect(kind(api(404, { type: 'invalid_request_error', code: 'model_not_found', message: 'no' }))).toBe('model')
    expect(kind(api(429, { code: 'insufficient_quota', message: 'no' }))).toBe('quota')
    expect(
      kind(api(400, { status: 'INVALID_ARGUMENT', message: 'no', details: [{ reason: 'API_KEY_INVALID' }] })),
    ).toBe('auth')
    expect(kind(api(500, { type: 'rate_limit_error', message: 'made up by the library' }))).toBe('rate-limit')
    expect(kind(api(500, { message: 'broken' }))).toBe('overloaded')
  })

  it('is known inside a stream by what the API said', () => {
    expect(kind({ type: 'overloaded_error', message: 'busy' })).toBe('overloaded')
    expect(kind({ type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message: 'no' } } })).toBe(
      'rate-limit',
    )
    const unread = Object.assign(new Error('Type validation failed'), {
      value: { response: { error: { code: 'server_error', message: 'sorry' } } },
    })
    expect(modelFailure(unread, now)).toMatchObject({ kind: 'overloaded', message: 'server_error: sorry' })
  })

  it('is the network where nobody has said anything', () => {
    expect(kind(new CutOff('cut'))).toBe('network')
    expect(kind(new TypeError('fetch failed'))).toBe('network')
    expect(kind(Object.assign(new Error('Cannot connect'), { name: 'AI_APICallError' }))).toBe('network')
    expect(kind('odd')).toBe('unknown')
  })

  it('may be one that less input would cure', () => {
    const tooLong = [
      api(400, { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }),
      api(400, { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model' }),
      api(400, {
        status: 'INVALID_ARGUMENT',
        message: 'The input token count exceeds the maximum number of tokens allowed',
      }),
      api(413, { type: 'request_too_large', message: 'Request exceeds the maximum size' }),
    ]
    expect(tooLong.map((error) => isContextTooLong(modelFailure(error, now)))).toEqual([true, true, true, true])
    expect(isContextTooLong(modelFailure(api(400, { message: 'the name is too long' }), now))).toBe(false)
  })
})
