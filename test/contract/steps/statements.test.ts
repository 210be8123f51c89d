import { describe, expect, it } from 'vitest'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import { basisOf } from '../../../src/delivery/inputs/briefing.ts'
import { landedBy } from '../../../src/delivery/inputs/input.ts'
import type { Proof, Verdict } from '../../../src/delivery/judging/finding.ts'
import { type DeliveryState, initialState } from '../../../src/delivery/state.ts'
import type { Step } from '../../../src/delivery/step.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { Repository } from '../../../src/ports/repository/repository.ts'
import { statementsOf } from '../../../src/steps/statements.ts'
import type { StepWorld } from '../../../src/steps/world.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { policy, requested } from '../../simulation/sample.ts'

const id = (letter: string): string => letter.repeat(40)

/** Cars of a train, of which only the last two were judged; two stories have no change of their own. */
function landing(): DeliveryState {
  const requirement = { text: 'Make it so', source: 'text', submitter: 'somebody' }
  return {
    ...initialState('d1'),
    request: { repository: { id: 'r', path: '/r' }, requirement, target: 'main', base: id('0'), review: null, at: 0 },
    policy: policy(),
    proven: { 't-c': ['check:test'], 't-d': ['check:test'] },
    line: {
      ...initialState('d1').line,
      commits: [
        { story: 'empty', commit: id('0'), tree: 't-0' },
        { story: 'one', commit: id('b'), tree: 't-b' },
        { story: 'nothing', commit: id('b'), tree: 't-b' },
        { story: 'two', commit: id('c'), tree: 't-c' },
        { story: 'later', commit: id('d'), tree: 't-d' },
      ],
    },
  }
}

const proof = (given: Partial<Proof>): Proof => ({
  ...{ tree: 't-c', check: 'test', command: 'npm test', environmentKey: 'k', reused: false },
  ...{ counts: null, durationMs: 5, outputDigest: 'o' },
  ...given,
})
const judged = (made: Proof, concerns: string[] = []): DeliveryEvent => ({
  ...{ type: 'Judged', step: 's', story: 'two', judge: 'check:test', scope: 'line', commit: id('c'), tree: 't-c' },
  verdict: { status: 'passed', proof: made, concerns },
})

function reviewed(story: string, agent: string, verdict: Verdict): DeliveryEvent[] {
  const about = { story, judge: 'verifier', commit: id('c'), tree: 't-c' } as const
  const rest = { model: null, because: '', base: id('0'), revision: 1, attempt: 1, round: 1, retry: 0, policy: '' }
  const step: Step = { id: `${story}-${agent}`, verb: 'Review', agent, ...about, ...rest }
  return [
    { type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0 },
    { type: 'Judged', step: step.id, ...about, scope: 'story', verdict },
  ]
}

async function put(log: EventLog, delivery: string, events: DeliveryEvent[]): Promise<void> {
  const fresh = [...requested(policy(), null), ...events].map((event) => ({ at: 0, actor: '', cause: null, event }))
  const appended = await log.append({ delivery, expected: 0, events: fresh, fence: null, slots: [] })
  expect(appended.status).toBe('appended')
}

const step = { from: id('0'), to: id('c') }
const repository = {
  history: async () => ['a', 'b', 'c'].map((letter) => ({ commit: id(letter), parent: '', subject: '' })),
  readCommit: async (commit: string) => ({ tree: '', message: `Do\n\nRopewalk-Chain: chain-${commit[0]}\n` }),
} as unknown as Repository
const said = (log: EventLog) => {
  const state = landing()
  const input = { ...basisOf(state), landed: landedBy(state, step) }
  return statementsOf({ world: { log } as unknown as StepWorld, repository, input }, step)
}

describe('what is said of the commits of a landing', () => {
  it('names each commit once, and for one that was not judged alone the commit that it came with', async () => {
    const log = memoryLog({ isAlive: () => true })
    await put(log, 'd1', [judged(proof({ durationMs: 4, environmentKey: 'other' })), judged(proof({}))])
    const statements = await said(log)
    const told = statements.map(({ subject, predicate: { ropewalk_proof: of } }) => [
      ...[subject[0].digest.gitCommit, of.story, of.chain, of.provenBy.commit, of.parts],
    ])
    expect(told).toEqual([
      [id('b'), 'one', 'chain-b', id('c'), [id('a')]],
      [id('c'), 'two', 'chain-c', id('c'), undefined],
    ])
    for (const { predicate } of statements)
      expect(predicate.configuration).toMatchObject([{ name: 'test', annotations: { durationMs: 5, exitCode: 0 } }])
  })

  it('names the agent that judged a story last and found nothing', async () => {
    const found: Verdict = { status: 'findings', findings: [], failures: 1, proof: null, concerns: [] }
    const passed: Verdict = { status: 'passed', proof: null, concerns: [] }
    const log = memoryLog({ isAlive: () => true })
    await put(log, 'd1', [
      judged(proof({})),
      ...reviewed('one', 'hasty', found),
      ...reviewed('one', 'calm', passed),
      ...reviewed('two', 'calm', passed),
      ...reviewed('two', 'hasty', found),
    ])
    const reviewers = (await said(log)).map(({ predicate }) => predicate.ropewalk_proof.reviewers)
    expect(reviewers).toEqual([['agent calm'], []])
  })

  it('takes from the delivery that made a proof what was said about it there', async () => {
    const concerns = ['the base is red: adds up']
    const log = memoryLog({ isAlive: () => true })
    await put(log, 'd0', [judged(proof({}), concerns)])
    const counts = { total: 3, passed: 2, failed: 1, skipped: 0 }
    await put(log, 'd1', [judged(proof({ reused: true, counts }))])
    const [, last] = await said(log)
    expect(last?.predicate).toMatchObject({ result: 'WARNED', warnedTests: ['test'], ropewalk_proof: { concerns } })
    expect(last?.predicate.configuration[0]?.annotations.exitCode).toBeNull()
  })
})
