import { describe, expect, it } from 'vitest'
import type { AgentErrorKind } from '../../ports/agent-driver.ts'
import { errorFrom } from './failure.ts'

const kindOf = (status: number | null, message: string): AgentErrorKind =>
  errorFrom({ status, message, resetsAt: null }).kind

describe('the kind of an error', () => {
  it.each<[number, AgentErrorKind]>([
    [400, 'bad-request'],
    [401, 'auth'],
    [402, 'quota'],
    [403, 'auth'],
    [404, 'model'],
    [413, 'bad-request'],
    [422, 'bad-request'],
    [429, 'rate-limit'],
    [500, 'overloaded'],
    [502, 'overloaded'],
    [503, 'overloaded'],
    [504, 'overloaded'],
    [529, 'overloaded'],
    [418, 'unknown'],
    [200, 'unknown'],
  ])('follows from the status %i', (status, kind) => {
    expect(kindOf(status, 'it failed')).toBe(kind)
  })

  it.each<[number | null, string, AgentErrorKind]>([
    [429, 'You exceeded your current quota, please check your plan and billing details.', 'quota'],
    [400, 'Your credit balance is too low to access the API.', 'quota'],
    [null, "You've hit your usage limit. Try again in 3 days.", 'quota'],
    [null, '{"error":{"code":"insufficient_quota"}}', 'quota'],
    [429, 'Server is temporarily limiting requests (not your usage limit)', 'rate-limit'],
    [400, 'model gpt-9 is not supported', 'model'],
    [null, 'The model `no-such-model` does not exist or you do not have access to it.', 'model'],
    [null, 'connect ECONNREFUSED 127.0.0.1:1', 'network'],
    [null, 'stream disconnected before completion: error decoding response body', 'network'],
    [null, 'stream disconnected before completion: Overloaded', 'overloaded'],
    [null, '[API Error: terminated (cause: UND_ERR_SOCKET: other side closed)]', 'network'],
    [null, 'something else', 'unknown'],
  ])('follows from its own words where the status says less: %s %s', (status, message, kind) => {
    expect(kindOf(status, message)).toBe(kind)
  })

  it.each<[string, number]>([
    ['authentication_error', 401],
    ['rate_limit_error', 429],
    ['invalid_request_error', 400],
    ['not_found_error', 404],
    ['overloaded_error', 529],
    ['api_error', 500],
  ])('and its status from its type, when a stream had begun: %s', (type, status) => {
    expect(errorFrom({ status: null, message: `{"type":"${type}"}`, resetsAt: null }).status).toBe(status)
  })

  it('tells what may be tried again, and when', () => {
    const retryable = [401, 402, 404, 400, 418, 429, 529].filter(
      (status) => errorFrom({ status, message: '', resetsAt: null }).retryable,
    )
    expect(retryable).toEqual([429, 529])
    expect(errorFrom({ status: null, message: 'ECONNRESET', resetsAt: null }).retryable).toBe(true)
    expect(errorFrom({ status: 429, message: '', resetsAt: 7 }).resetsAt).toBe(7)
  })
})
