import { describe, expect, it } from 'vitest'
import type { Criterion, Story } from '../../../src/delivery/plan/plan.ts'
import type { CheckPolicy } from '../../../src/delivery/policy.ts'
import { runsCommands } from '../../../src/delivery/step.ts'
import { checkDefaults } from '../../default-settings.ts'
import { codes, composes, type Ending, finds } from '../endings.ts'
import { Player } from '../player.ts'
import { policy, story } from '../sample.ts'

const by = 'somebody'
const check = (name: string, given: Partial<CheckPolicy> = {}): CheckPolicy => ({
  ...checkDefaults,
  name,
  run: name,
  timeoutMs: 1000,
  ...given,
})
const test = check('test', { related: 'npm test {files}' })
const all = ['inspection', 'related:test', 'check:test', 'guard:test', 'witness', 'criteria']
const proofs: Criterion[] = [{ type: 'file-exists', path: 'a' }]
/** The names of all who judged, in order. */
const judgements = (player: Player) => player.performed.flatMap((step) => (step.verb === 'Judge' ? [step] : []))
const heard = (player: Player) => judgements(player).map(({ judge, scope }) => `${scope} ${judge}`)
const judged = (checks: CheckPolicy[], judges: string[], given: Partial<Story> = {}) =>
  heard(new Player(policy({ checks, judges }), [story('a', given)]).run())

describe('the judges of a story', () => {
  it('speak in order, on its own commit, and only checks and guards on what is composed', () => {
    const line = ['line check:test', 'line guard:test']
    expect(judged([test], all, { proofs })).toEqual([...all.map((judge) => `story ${judge}`), ...line])
  })
  it('have no witness where there are no tests to see fail', () => {
    expect(judged([test], all, { proofs, strategy: 'none', noTestsBecause: 'none fits' })).not.toContain(
      'story witness',
    )
    expect(judged([test], all, { proofs, tests: 'characterisation' })).toContain('story witness')
  })
  it('have nothing to say on criteria that it does not have', () => {
    expect(judged([test], all)).not.toContain('story criteria')
  })
  it('do not run some of the tests on a tree that all of them have passed', () => {
    const player = new Player(policy({ checks: [test], judges: all }), [story('a'), story('b')])
    for (const id of ['a', 'b']) player.perform(`CodeStory ${id}`, codes('t1'))
    for (const judge of ['inspection', 'related:test', 'check:test']) player.perform(`Judge a ${judge}`)
    player.perform('Judge b inspection')
    expect(player.due()).toContain('Judge b guard:test')
  })
  it('send it back, whoever they are, and only checks prove', () => {
    for (const judge of ['related:test', 'guard:test', 'witness', 'criteria']) {
      const player = new Player(policy({ checks: [test], judges: [judge] }), [story('a', { proofs })])
      player.perform('CodeStory a')
      player.perform(`Judge a ${judge}`, finds(1, 'no'))
      expect(player.find('CodeStory a')).toMatchObject({ findings: [{ message: 'no' }] })
      player.perform('CodeStory a')
      player.perform(`Judge a ${judge}`)
      expect(player.state.proven).toEqual({})
    }
  })
  it('take a place for checks each, but for the inspection', () => {
    const player = new Player(policy({ checks: [test], judges: all }), [story('a', { proofs })]).run()
    const running = judgements(player).filter(runsCommands)
    expect(running.map(({ judge }) => judge)).toEqual([...all.slice(1), 'check:test', 'guard:test'])
  })
})

const notes: Ending = (step) => {
  const found = finds(0, 'taken')(step)
  if (found.type === 'Judged' && found.verdict.status === 'findings')
    for (const one of found.verdict.findings) one.severity = 'note'
  return found
}

describe('the guard of a check', () => {
  it('waits for the end where its check does, but has a look at each story', () => {
    const judges = ['check:test', 'guard:test']
    const player = new Player(policy({ checks: [check('test', { full: 'end' })], judges }), [story('a'), story('b')])
    expect(heard(player.run()).sort()).toEqual([
      'story guard:test',
      'story guard:test',
      'whole check:test',
      'whole guard:test',
    ])
    expect(player.result()).toBe('done')
  })
  it('is content with notes, and speaks once for a train', () => {
    const judges = ['check:test', 'guard:test']
    const player = new Player(policy({ checks: [test], judges }), [story('a')])
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    player.perform('Judge a guard:test', notes)
    player.perform('ComposeLine a', composes('t2'))
    player.perform('Judge a line check:test')
    player.perform('Judge a line guard:test', notes)
    expect(player.state.proven.t2).toEqual(['check:test', 'guard:test'])
  })
})

describe('a check that runs in full', () => {
  it('at merge is not asked about a story, but about what is composed', () => {
    expect(judged([check('test', { full: 'merge' })], ['check:test'])).toEqual(['line check:test'])
  })
  it('at the end is asked once, about the result of all', () => {
    const player = new Player(policy({ checks: [check('test', { full: 'end' })] }), [story('a'), story('b')]).run()
    expect(heard(player)).toEqual(['whole check:test'])
    expect(player.result()).toBe('done')
  })
  it('at the end holds back every landing before it', () => {
    const checks = [check('lint'), check('test', { full: 'end' })]
    const judges = ['check:lint', 'check:test']
    const player = new Player(policy({ checks, judges, land: 'each' }), [story('a'), story('b')]).run()
    expect(player.times('Land')).toBe(1)
    expect(heard(player).filter((name) => name.endsWith('test'))).toEqual(['whole check:test'])
    expect(player.result()).toBe('done')
  })
  it('at merge needs no second run on a tree that it has passed', () => {
    const player = new Player(policy({ checks: [check('test', { full: 'merge' })] }), [story('a')])
    player.perform('CodeStory a')
    player.perform('ComposeLine a', composes('t1'))
    player.perform('Judge a line check:test')
    player.perform('AdvanceLine a')
    expect(player.due()).toEqual(['Land'])
  })
  it('elsewhere, says another policy, is asked there', () => {
    const player = new Player(policy({ checks: [check('test', { full: 'end' })] }), [story('a')])
    player.perform('CodeStory a')
    player.tell({ type: 'RepinPolicy', policy: policy(), policyHash: 'p2', by })
    expect(player.run().result()).toBe('done')
    expect(heard(player)).toEqual(['line check:test'])
  })
})
