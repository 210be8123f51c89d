import { describe, expect, it } from 'vitest'
import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import type { Exit } from '../../../ports/shell.ts'
import type { FiledTurn } from '../filed.ts'
import type { Said } from './conversation.ts'
import { knownAgent } from './known-agents.ts'
import { resultOfTalk } from './result.ts'

const tokens = (inputTokens: number): Usage => ({ inputTokens, outputTokens: 0, cachedTokens: 0 })
const turn = { session: null, signal: new AbortController().signal, resultFile: '/nowhere/answer.json', prompt: '' }
const known = knownAgent(['qwen']).agent
const course = { now: null, before: null }
const silent: Said = {
  ...{ ending: null, session: 's1', model: null, asked: null, text: '', lastPiece: '', usage: null },
  ...{ contextTokens: course, usd: course, toolsDone: 0, calls: 0, call: tokens(20_000), untold: tokens(20_000) },
}
const nothing: FiledTurn = {
  usage: noUsage,
  model: null,
  broken: 0,
  hidden: 0,
  context: 0,
  trouble: null,
  whole: false,
}
const cut = { status: null, message: 'terminated (cause: UND_ERR_SOCKET: other side closed)' }
const limit = { status: 429, message: '429 fake: too many requests' }

function ended(filed: Partial<FiledTurn>, { said = {}, reason = 'idle' as Exit['reason'] } = {}) {
  const exit = { reason, code: null, signal: null, durationMs: 9, stdoutTail: '', stderrTail: '' } as Exit
  const given = { turn: turn as AgentTurn, known, said: { ...silent, ...said }, filed: { ...nothing, ...filed } }
  return resultOfTalk({ ...given, exit })
}

describe('an agent that was kept waiting until its time was over', () => {
  it.each([
    [limit, 'rate-limit', 429],
    [{ status: 429, message: '429 You exceeded your current quota, check your billing details' }, 'quota', 429],
    [{ status: 529, message: '529 Overloaded' }, 'overloaded', 529],
    [cut, 'network', null],
  ])('was so by what its files say: %j', (trouble, kind, status) => {
    const message = `${trouble.message} (no sign of life for too long)`
    expect(ended({ trouble }).error).toMatchObject({ kind, status, message })
    expect(ended({ trouble }, { reason: 'timeout' }).error).toMatchObject({ kind, status })
  })

  it('was so by nothing that is known, or by what it took for passing', () => {
    expect(ended({}).error).toMatchObject({ kind: 'idle', retryable: false })
    expect(ended({ trouble: { status: null, message: 'something else' } }).error).toMatchObject({ retryable: true })
  })

  it('may have asked once more when it was ended', () => {
    const { usage, exact } = ended({ trouble: limit, usage: tokens(1200), broken: 2 }).spent
    expect({ inputTokens: usage.inputTokens, exact }).toEqual({ inputTokens: 1200 + 3 * 20_000, exact: false })
  })
})

it('what it only sums up is told in the words of the service', () => {
  const told = { kind: 'rate-limit', status: 429, message: 'Try again later.', retryable: true, resetsAt: null }
  const trouble = { status: 429, message: '429 You exceeded your current quota, check your billing details' }
  expect(ended({ trouble }, { said: { ending: { error: told } }, reason: 'exited' }).error).toMatchObject({
    ...{ kind: 'quota', status: 429, retryable: false },
    message: `${trouble.message} (Try again later.)`,
  })
})

it('an end that is plain is not told otherwise', () => {
  expect(ended({ trouble: limit }, { reason: 'signalled' }).error?.kind).toBe('crash')
  const auth = { kind: 'auth', status: 401, message: 'no', retryable: false, resetsAt: null }
  expect(ended({ trouble: limit }, { said: { ending: { error: auth } }, reason: 'exited' }).error).toEqual(auth)
})
