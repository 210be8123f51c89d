import { describe, expect, it } from 'vitest'
import { dueSteps } from '../../../../src/delivery/due.ts'
import type { DeliveryState } from '../../../../src/delivery/state.ts'
import { type AgentStep, type Step, usesAgent } from '../../../../src/delivery/step.ts'
import { openPrompts, promptNameOf } from '../../../../src/steps/preview.ts'
import { defaults } from '../../../default-settings.ts'
import { said, shop } from '../intent/sample.ts'
import { agentOf, openYard, type Yard } from '../yard.ts'

const moment = { at: Date.now(), day: 'today', open: true, changesAt: null }
const commit = '$ROPEWALK_COMMIT'
const finding = { severity: 'blocking', file: 'a.txt', line: 1, message: 'It says the wrong thing.', evidence: 'alpha' }
const story = { id: 'one', title: 'Say it', criteria: ['Given a.txt, then it says beta'], files: ['a.txt'] }

const outline = {
  ...{
    approach: 'Write it',
    runnerUp: { approach: 'Generate it', lostBecause: 'It is one word.' },
    nonGoals: ['No tool'],
  },
  checklist: [{ must: true, item: 'a.txt says beta' }],
  covers: [{ criterion: 'C1', stories: ['one'] }],
}

const script = [
  { role: 'interpreter', do: [{ result: said('It is said') }] },
  { role: 'planner', do: [{ result: { stories: [story], outline } }] },
  { role: 'challenger', do: [{ result: { nonce: '$ROPEWALK_NONCE', verdict: 'sound' } }] },
  { role: 'coder', round: 1, do: [{ write: { 'a.txt': 'alpha\n' } }] },
  { role: 'reviewer', do: [{ result: { commit, verdict: 'needs-work', findings: [finding], checked: [] } }] },
  {
    role: 'triager',
    do: [
      {
        result: {
          commit,
          verdict: 'needs-work',
          sorted: [{ finding: 'F1', fate: 'accepted', severity: 'blocking', because: 'It does.' }],
        },
      },
    ],
  },
  { role: 'coder', do: [{ write: { 'a.txt': 'beta\n' } }] },
]

const roles = { coder: ['mine'], planner: ['mine'], testWriter: [], verifier: [], triager: ['mine'] }

/** What is printed for a step, and what its agent is then told. */
async function compared(yard: Yard, state: DeliveryState, step: AgentStep) {
  const wanted = promptNameOf(state, step)
  const look = () => openPrompts(yard.world).look({ state, moment, wanted, story: step.story })
  const printed = await look()
  const again = await look()
  const { interims } = await yard.perform(step.verb, step.story === null ? {} : { story: step.story })
  const started = interims.find((event) => event.type === 'AgentStarted')!
  const sent = Buffer.from((await yard.world.blobs.get(started.promptDigest))!).toString('utf8')
  expect(printed).toMatchObject({ status: 'due', source: started.promptSource, agent: 'mine' })
  expect(printed.text).toBe(sent)
  expect(again).toEqual(printed)
  return wanted
}

describe('what is printed', () => {
  it('is what is sent, byte for byte, to every role on the way to a mended story', async () => {
    const yard = await openYard({
      files: { ...shop, 'a.txt': 'nothing\n' },
      stories: null,
      script: [],
      requirement: 'The file a.txt says beta instead of nothing',
      policy: {
        agents: { mine: agentOf(script) },
        roles: { ...roles, interpreter: ['mine'], challenger: ['mine'] },
        review: { ...defaults.review, reviewers: [{ vantage: 'correctness', agents: ['mine'] }] },
        judges: ['inspection'],
        unattended: true,
      },
    })
    const seen: string[] = []
    for (let steps = 0; steps < 40; steps++) {
      const state = await yard.state()
      const [step] = dueSteps(state, moment).steps as (Step | undefined)[]
      if (step === undefined || step.verb === 'CompleteDelivery' || step.verb === 'ComposeLine') break
      if (usesAgent(step)) seen.push(await compared(yard, state, step))
      else await yard.perform(step.verb, step.story === null ? {} : { story: step.story })
      if (seen.filter((name) => name === 'coder').length === 2) break
    }
    expect(seen).toEqual(['interpreter', 'planner', 'challenger-plan', 'coder', 'reviewer', 'triager', 'coder'])
  })
})
