// The model API refuses, breaks off or says nothing: each is a failure of its own kind, and no work is lost.
import { expect } from 'vitest'
import type { AgentErrorKind, AgentResult } from '../../../../src/ports/agent-driver.ts'
import { marked } from '../../shell.ts'
import type { Case } from '../case.ts'
import type { Rig, Trouble } from '../rig.ts'
import type { Open } from '../stage.ts'
import { expectSpent } from './working.ts'

const patient = { timeoutMs: 75_000, idleTimeoutMs: 40_000 }
/** For an agent that would try again for minutes. */
const soon = { timeoutMs: 25_000, idleTimeoutMs: 20_000 }
/** Silence ends it; the start of an agent is not silent. */
const impatient = { timeoutMs: 75_000, idleTimeoutMs: 4_000 }

export const refusals: Case[] = [
  { title: '400', run: refused('400', ['bad-request'], 400) },
  { title: '401', run: refused('401', ['auth'], 401) },
  { title: '404 model', run: unknownModel },
  { title: '429 without a time', run: refused('429', ['rate-limit'], 429) },
  { title: '429 for an hour', run: refused('429-after', ['rate-limit'], 429) },
  { title: '429 with a reset time', run: limited },
  { title: 'quota', run: refused('quota', ['quota'], null) },
  { title: '529 for ever', run: refused('529', ['overloaded'], 529) },
  { title: 'error inside the stream', run: refused('stream', ['overloaded'], null) },
  { title: 'cut mid-stream for ever', run: refused('cut', ['network'], null) },
  { title: 'cut mid-stream once', run: cutOnce },
  { title: 'never answers', run: refused('hang', ['idle'], null) },
  { title: 'falls silent in the stream', run: refused('stall', ['idle'], null) },
  { title: 'a turn that fails midway is charged', run: failsMidway },
]

/** After a status in the API's own words the status is told too, unless the turn was ended by us. */
function refused(trouble: Trouble, kinds: AgentErrorKind[], status: number | null): Case['run'] {
  return async (open) => {
    const stage = await open()
    const { differs } = stage.rig
    const words = trouble === '429-after' ? '429,after=3600' : trouble
    const { result, turn } = await stage.play(stage.turn(`SCENARIO:hello FAIL:${words}`, limitsFor(trouble, stage.rig)))
    expectFailed(result, differs[trouble] ?? kinds)
    if (status !== null && differs[trouble] === undefined) expect(result.error?.status).toBe(status)
    expect(stage.fake.calls().some(({ isHidden }) => !isHidden)).toBe(true)
    expect(marked(turn.mark)).toEqual([])
    return result
  }
}

function limitsFor(trouble: Trouble, { differs }: Rig) {
  if (trouble === 'hang' || trouble === 'stall') return impatient
  return differs[trouble]?.includes('timeout') ? soon : patient
}

function expectFailed(result: AgentResult, kinds: AgentErrorKind[]): void {
  expect(result.status).toBe('failed')
  expect(kinds, JSON.stringify(result.error)).toContain(result.error?.kind)
  expect(result.error?.retryable).toBe(['rate-limit', 'overloaded', 'network'].includes(result.error!.kind))
  expect(result.error?.message).not.toBe('')
}

async function unknownModel(open: Open): Promise<AgentResult> {
  const stage = await open()
  const { result } = await stage.play(stage.turn('SCENARIO:hello', { ...patient, model: stage.rig.wrongModel }))
  expectFailed(result, stage.rig.differs['404'] ?? ['model'])
  expect(result.spent.usage.outputTokens).toBe(0)
  return result
}

/** Few agents tell when a limit ends; of the others it is only asked that they name the limit. */
async function limited(open: Open): Promise<AgentResult> {
  const stage = await open((rig) => rig.tellsReset ?? {})
  const seconds = Math.ceil(Date.now() / 1000) + 7_200
  const { result, events } = await stage.play(
    stage.turn(`SCENARIO:hello FAIL:429,after=7200,reset=${seconds}`, limitsFor('429-after', stage.rig)),
  )
  expectFailed(result, stage.rig.differs['429-after'] ?? ['rate-limit'])
  if (stage.rig.tellsReset === null) return result
  // A time that is told as "so long from now" is not exact to the second.
  expect(Math.abs(result.error!.resetsAt! - seconds * 1000)).toBeLessThan(60_000)
  expect(events.some((event) => event.type === 'limit')).toBe(true)
  return result
}

async function cutOnce(open: Open): Promise<AgentResult> {
  const stage = await open()
  const { result } = await stage.play(stage.turn('SCENARIO:hello FAIL:cut,times=1', limitsFor('cut', stage.rig)))
  if (stage.rig.recovers) expect(result).toMatchObject({ status: 'finished', error: null })
  else expectFailed(result, stage.rig.differs.cut ?? ['network'])
  return result
}

async function failsMidway(open: Open): Promise<AgentResult> {
  const stage = await open()
  const { result } = await stage.play(stage.turn('SCENARIO:edit FAIL:400,step=1', patient))
  expectFailed(result, stage.rig.differs['400'] ?? ['bad-request'])
  expect(stage.fake.calls().some(({ step, outcome }) => step === 0 && outcome === 200)).toBe(true)
  // Where its word is not taken for a refusal, its last call may have been one that broke off.
  if (stage.rig.differs['400'] === undefined) expectSpent(result, stage, 0)
  return result
}
