import type { Outcome, Refusal } from '../../../src/delivery/events.ts'
import type { Vantage } from '../../../src/delivery/review/review.ts'
import type { CodeStory, Land, Step } from '../../../src/delivery/step.ts'
import { whoTakes } from '../../../src/delivery/step.ts'
import { noHandoff } from '../../../src/delivery/story/handoff.ts'
import { TransientError } from '../../../src/ports/errors.ts'
import type { Ending, Perform, Performance } from '../../../src/ports/performer.ts'
import { departing, happily } from '../endings.ts'
import { finding, noVerdict, passed, red } from '../sample.ts'
import { opinion } from './opinions.ts'
import type { Shared, Worker } from './worker.ts'

type Coded = Extract<Outcome, { type: 'StoryCoded' }>

/** Performs steps on the ground, slowly, with bad luck, and safely when it is done again. */
export function performers(shared: Shared): (worker: Worker) => Perform {
  return (worker) => async (performance) => {
    const { clock, chance } = shared
    if (performance.step.verb === 'CodeStory') return await code(shared, worker, performance)
    if (performance.step.verb === 'Land') return await land(shared, worker, performance)
    await worker.alive(() => clock.until(clock.now() + chance.upTo(20), performance.signal))
    if (chance.oneIn(25)) throw new TransientError('hiccup')
    return await worker.risk(async () => act(shared, performance.step))
  }
}

/** The agent lives on when the process that started it dies, until somebody sweeps it away. */
async function code(shared: Shared, worker: Worker, { step, mark, signal }: Performance): Promise<Ending> {
  const { ground, clock, chance } = shared
  if (step.verb !== 'CodeStory') throw new Error('not a coder')
  const agent = { mark, story: step.story }
  await worker.risk(async () => ground.enter(agent))
  await worker.alive(() => clock.until(clock.now() + chance.upTo(200), signal))
  const swept = !ground.agents.delete(agent)
  const about = { step: step.id, story: step.story, session: null }
  if (swept) return { type: 'CodingFailed', ...about, kind: 'crash', message: 'it was killed', evidence: '' }
  if (signal.aborted) throw new Error('aborted')
  if (chance.oneIn(8)) return { type: 'CodingFailed', ...about, kind: 'empty', message: 'nothing', evidence: '' }
  if (chance.oneIn(12))
    return { type: 'StepParked', step: step.id, story: step.story, until: clock.now() + 50, reason: 'limit' }
  if (chance.oneIn(10)) return refusal(shared, step)
  const stories = [...ground.at(step.base).stories.filter((one) => one !== step.story), step.story]
  const { foreign } = ground.at(step.base)
  const commit = ground.commit({ stories, foreign, parent: step.base, faults: faults(shared, step) }, step.id)
  const handoff = chance.oneIn(4) ? departing : noHandoff
  return { type: 'StoryCoded', ...about, commit, tree: ground.at(commit).tree, summary: '', handoff }
}

/** The branch moves at once, the checkout file by file: a process that dies in between leaves it half written. */
async function land({ ground, clock, chance }: Shared, worker: Worker, performance: Performance): Promise<Ending> {
  if (performance.step.verb !== 'Land') throw new Error('not a landing')
  const { step, input, signal, record } = performance as Performance<Land>
  const { id, from, to } = step
  await worker.alive(() => clock.until(clock.now() + chance.upTo(20), signal))
  if (chance.oneIn(25)) throw new TransientError('hiccup')
  if (chance.oneIn(4)) ground.push()
  const isOurs = input.begunIn !== null
  if (!isOurs) await record({ type: 'LandingBegun', step: id, from, to, checkouts: ['here'] })
  const landed = await worker.risk(async () => ground.land(from, to))
  if (landed === 'moved')
    return { type: 'LandingRefused', step: id, reason: 'moved', target: ground.target, message: 'moved' }
  await worker.risk(async () => ground.follow(isOurs))
  await worker.risk(async () => ground.followed())
  return { type: 'Landed', step: id, from, to }
}

/** Who mends a red result mends all of it; the others do it right more often than not. */
function faults({ ground, chance }: Shared, { story, base, phase }: CodeStory): string[] {
  if (story.startsWith('mend-')) return []
  if (phase === 'tests') return ground.at(base).faults
  const others = ground.at(base).faults.filter((one) => one !== story)
  return chance.oneIn(5) ? [...others, story] : others
}

function refusal({ chance, clock }: Shared, step: CodeStory): Ending {
  const kind = chance.pick<Refusal>(['rate-limit', 'overloaded', 'network', 'quota', 'auth', 'model', 'session'])
  const until = chance.oneIn(2) && kind !== 'auth' && kind !== 'model' ? clock.now() + chance.upTo(2_000) : null
  const about = { step: step.id, story: step.story, ...whoTakes(step), account: 'one', kind, until }
  return { type: 'AgentRefused', ...about, message: 'no', remedy: 'mend it' }
}

const diffs: Vantage[][] = [[], ['security'], ['tests', 'ui', 'migration']]

function act(shared: Shared, step: Step): Outcome {
  const { ground, chance } = shared
  switch (step.verb) {
    case 'Review':
    case 'Judge': {
      const { id, story, judge, commit, tree } = step
      const scope = step.verb === 'Judge' ? step.scope : 'story'
      const bad = ground.isRed(commit, step.base) || chance.oneIn(12)
      const verdict = bad ? red(judge, 1) : chance.oneIn(15) ? noVerdict : passed
      if (verdict.status === 'passed') ground.prove(tree, judge)
      const called = judge === 'inspection' && chance.oneIn(3) ? { calls: chance.pick(diffs) } : {}
      return { type: 'Judged', step: id, story, judge, scope, commit, tree, verdict, ...called }
    }
    case 'ComposeLine': {
      const { id, story, onto } = step
      const { stories, foreign } = ground.at(onto)
      const content = { stories: [...stories, story], foreign, parent: onto, faults: ground.merged(onto, step) }
      const commit = ground.commit(content, step.commit)
      if (chance.oneIn(8))
        return { type: 'ComposeConflicted', step: id, story, onto, conflicted: onto, findings: [finding('compose')] }
      return { type: 'LineComposed', step: id, story, onto, commit, tree: ground.at(commit).tree }
    }
    case 'HarvestStory': {
      const { stories, foreign } = ground.at(step.base)
      const content = { stories: [...stories, step.story], foreign, parent: step.base, faults: [] }
      const commit = ground.commit(content, step.id)
      return { ...(happily(step) as Coded), commit, tree: ground.at(commit).tree }
    }
    default:
      return opinion(shared, step)
  }
}
