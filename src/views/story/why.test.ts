import { describe, expect, it } from 'vitest'
import { begunOn, finding, fold, policy, story } from '../../../test/simulation/sample.ts'
import { dueSteps } from '../../delivery/due.ts'
import type { DeliveryEvent, Envelope } from '../../delivery/events.ts'
import type { Step } from '../../delivery/step.ts'
import { noHandoff } from '../../delivery/story/handoff.ts'
import { statusView, whyView } from '../status.ts'

const dueStep = (events: DeliveryEvent[], verb: Step['verb'], of: string): Step => {
  const { steps } = dueSteps(fold(events), { at: 0, day: '', open: true, changesAt: null })
  const step = steps.find((one) => one.verb === verb && one.story === of)
  if (step === undefined) throw new Error(`${verb} of ${of} is not due`)
  return step
}

function history(): DeliveryEvent[] {
  const events = begunOn(policy(), [story('a'), story('b', { dependsOn: ['a'] })])
  const start = (step: Step): void => {
    events.push({ type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0 })
  }
  const coding = dueStep(events, 'CodeStory', 'a')
  start(coding)
  const at = { commit: 'c1', tree: 't1' }
  events.push({
    type: 'StoryCoded',
    step: coding.id,
    story: 'a',
    ...at,
    summary: 'did it',
    handoff: noHandoff,
    session: null,
  })
  const judging = dueStep(events, 'Judge', 'a')
  start(judging)
  const findings = [finding('check:test', 'one is red'), finding('check:test', 'two is red')]
  const verdict = { status: 'findings', findings, failures: 2, proof: null, concerns: [] } as const
  events.push({
    type: 'Judged',
    step: judging.id,
    story: 'a',
    judge: 'check:test',
    scope: 'story',
    ...at,
    verdict: { ...verdict, findings, concerns: [] },
  })
  return events
}

const enveloped = (events: DeliveryEvent[]): Envelope[] =>
  events.map((event, i) => ({ delivery: 'd', version: i + 1, at: i, event }))

describe('whyView', () => {
  it('tells a story from its own facts alone', () => {
    const events = history()
    const view = whyView(fold(events), 'a', enveloped(events))
    expect(view.history.map((entry) => entry.text)).toEqual([
      'coding by mine (attempt 1, round 1)',
      'coded as c1: did it',
      'check:test: 2 findings: one is red',
    ])
    expect(view.history.at(-1)?.findings).toHaveLength(2)
    expect(view.story).toMatchObject({ word: 'coding', round: 2, detail: 'sent back: 2 findings' })
  })

  it('says what a story waits for', () => {
    const events = history()
    const view = whyView(fold(events), 'b', enveloped(events))
    expect(view.history).toEqual([])
    expect(view.story).toMatchObject({ word: 'waiting', detail: 'after a' })
  })
})

describe('statusView', () => {
  it('shows each story with its word, and what is running', () => {
    const events = history().slice(0, 6)
    const view = statusView(fold(events, 7), 10)
    expect(view).toMatchObject({ word: 'working', target: 'main', questions: [], endedAt: null })
    expect(view.stories.map((one) => [one.story, one.word, one.step])).toEqual([
      ['a', 'coding', { verb: 'CodeStory', text: 'coding', since: 7, try: 1 }],
      ['b', 'waiting', null],
    ])
  })
})
