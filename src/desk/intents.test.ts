import { describe, expect, it } from 'vitest'
import { finds } from '../../test/simulation/endings.ts'
import { Player } from '../../test/simulation/player.ts'
import { fold, policy, requested, story, suite } from '../../test/simulation/sample.ts'
import { dueSteps } from '../delivery/due.ts'
import type { DeliveryEvent } from '../delivery/events.ts'
import type { Outline } from '../delivery/plan/plan.ts'
import { amendments, findQuestion, optionNamed } from './intents.ts'

const gate = {
  id: 'plan-1',
  kind: 'plan-gate' as const,
  options: [
    { id: 'approve', label: 'go ahead' },
    { id: 'reject', label: 'no' },
  ],
}

describe('an option', () => {
  it('is meant by its number or its name', () => {
    expect(optionNamed(gate, '1')).toBe('approve')
    expect(optionNamed(gate, '2')).toBe('reject')
    expect(optionNamed(gate, 'reject')).toBe('reject')
  })

  it.each(['0', '3', '-1', 'yes', '', '1.0'])('is not meant by %j', (given) => {
    expect(() => optionNamed(gate, given)).toThrow(`"${given}" is not an answer to plan-1`)
  })

  it('is told when it was nearly named', () => {
    expect(() => optionNamed(gate, 'aprove')).toThrow(
      expect.objectContaining({ remedy: 'did you mean approve? One of: 1 approve, 2 reject' }),
    )
  })

  it('of a coder may be anything but a number that is not there', () => {
    const coder = { id: 'coder-a-1', kind: 'coder' as const, options: [{ id: '1', label: 'red' }] }
    expect(optionNamed(coder, '1')).toBe('1')
    expect(optionNamed(coder, 'blue')).toBe('blue')
    expect(() => optionNamed(coder, '2')).toThrow(
      expect.objectContaining({ remedy: 'one of: 1 red; or say it in words' }),
    )
    expect(optionNamed({ ...coder, options: [] }, '2')).toBe('2')
  })
})

function atTheGate() {
  const events: DeliveryEvent[] = requested(policy({ gates: 'plan' }), [story('a')])
  const [step] = dueSteps(fold(events), { at: 0, day: '', open: true, changesAt: null }).steps
  if (step?.verb !== 'AskQuestion') throw new Error('the gate asks')
  events.push({ type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0 })
  events.push({ type: 'QuestionAsked', step: step.id, question: step.question })
  return fold(events)
}

describe('findQuestion', () => {
  it('needs no name when only one question waits', () => {
    expect(findQuestion(atTheGate(), 'approve', undefined).id).toBe('plan-1')
  })

  it('takes an id, and lists what there is for a wrong one', () => {
    expect(findQuestion(atTheGate(), 'approve', 'plan-1').id).toBe('plan-1')
    expect(() => findQuestion(atTheGate(), 'approve', 'plan-2')).toThrow(
      expect.objectContaining({ remedy: 'name one of: plan-1' }),
    )
  })

  it('says when nothing waits', () => {
    const state = fold(requested(policy(), [story('a')]))
    expect(() => findQuestion(state, 'approve', undefined)).toThrow('no question is waiting for "approve"')
  })
})

const state = fold(requested(policy(), [story('a'), story('b', { dependsOn: ['a'] })]))
const b = story('b', { dependsOn: ['a'] })

describe('amendments', () => {
  it('are what differs, story by story', () => {
    expect(amendments(state, { outline: null, stories: [story('a', { title: 'Better' }), b] })).toEqual([
      { story: 'a', changes: { title: 'Better' } },
    ])
    expect(amendments(state, { outline: null, stories: [story('a'), b] })).toEqual([])
  })

  it('need not name the story that was added to mend the result, and may', () => {
    const player = new Player(policy({ checks: [suite('end')] }), [story('a')])
    while (!player.due().includes('Judge whole check:test')) player.performFirst({})
    player.perform('Judge whole check:test', finds())
    player.perform('AddFixStory')
    const mend = { ...player.story('mend-1').spec, title: 'Mend it' }
    expect(amendments(player.state, { outline: null, stories: [story('a')] })).toEqual([])
    expect(amendments(player.state, { outline: null, stories: [story('a'), mend] })).toEqual([
      { story: 'mend-1', changes: { title: 'Mend it' } },
    ])
  })

  it('cannot add or remove stories, nor turn the graph around', () => {
    expect(() => amendments(state, { outline: null, stories: [story('a')] })).toThrow(/neither come nor go: b/)
    expect(() => amendments(state, { outline: null, stories: [story('a'), b, story('c')] })).toThrow(
      /neither come nor go: c/,
    )
    expect(() => amendments(state, { outline: null, stories: [story('a'), story('b')] })).toThrow(
      /depends on cannot be changed/,
    )
  })

  it('cannot change the outline that was approved; a file without one leaves it alone', () => {
    const given = { outline, stories: [story('a', { title: 'Better' }), b] }
    expect(() => amendments(state, given)).toThrow(/its outline stays as it was approved/)
    const outlined = { ...state, plan: { ...state.plan, plan: { outline, stories: [story('a'), b] } } }
    expect(amendments(outlined, given)).toHaveLength(1)
    expect(amendments(outlined, { ...given, outline: null })).toHaveLength(1)
  })
})

const outline: Outline = {
  approach: 'A table of currencies',
  runnerUp: { approach: 'A service', lostBecause: 'it is slow' },
  invariants: [],
  nonGoals: ['Rates'],
  tradeOffs: [],
  checklist: [
    { must: true, item: 'rounds half up' },
    { must: false, item: 'drop cents' },
  ],
  switchWhen: '',
  covers: [{ criterion: 'Prices are shown', stories: ['a'] }],
  risks: [{ risk: 'Old orders', decision: 'left as they are' }],
}
