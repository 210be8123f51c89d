import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { complexities, type Plan, strategies, testKinds } from '../delivery/plan/plan.ts'
import { identifierProblem } from '../std/identifier.ts'
import { formatPlan, parsePlan } from './plan-file.ts'

const problemsOf = (text: string) => {
  const parsed = parsePlan(text, 'plan.yaml')
  return parsed.ok ? [] : parsed.problems
}

describe('parsePlan', () => {
  it('fills in everything but the id', () => {
    expect(parsePlan('stories: [{ id: a }]', 'plan.yaml')).toEqual({
      ok: true,
      plan: {
        outline: null,
        stories: [
          {
            id: 'a',
            title: 'a',
            description: '',
            criteria: [],
            dependsOn: [],
            complexity: 3,
            files: [],
            contextFiles: [],
            risks: [],
            mayChange: [],
            mayBeEmpty: false,
            strategy: null,
            noTestsBecause: '',
            tests: 'witnessed',
            proofs: [],
          },
        ],
      },
    })
  })

  it('reads JSON', () => {
    expect(parsePlan('{"stories": [{"id": "a", "complexity": 13}]}', 'plan.json')).toMatchObject({ ok: true })
  })

  it.each([
    ['stories: [{ id: a, complexity: 4 }]', 'stories.0.complexity'],
    ['stories: [{ id: a, depends: [b] }]', 'stories.0.depends'],
    ['stories: [{ title: a }]', 'stories.0.id'],
    ['stories: [{ id: 1 }]', 'stories.0.id'],
    ['stories: [{ id: ../x }]', 'stories.0.id'],
    ['stories: [{ id: a, criteria: "x" }]', 'stories.0.criteria'],
    ['stories: [{ id: a }]\noutline: { approach: 1 }', 'outline.approach'],
    ['stories: [{ id: a }]\noutline: { checklist: [{ item: x }] }', 'outline.checklist.0.must'],
    ['stories: [{ id: a }]\noutline: { goals: [] }', 'outline.goals'],
    ['stories: {}', 'stories'],
    ['story: []', 'stories'],
    ['', ''],
    ['just text', ''],
  ])('refuses %s', (text, key) => {
    expect(problemsOf(text).map((problem) => problem.key)).toContain(key)
  })

  it('says where', () => {
    expect(problemsOf('stories:\n  - id: a\n    files: x\n')[0]!.place).toBe('plan.yaml:3:5')
  })

  it('refuses a text of 10 MB by its size', () => {
    expect(problemsOf(`# ${'x'.repeat(10_000_000)}`)[0]!.message).toBe('the plan is 10.0 MB long')
  })

  it('reads back what formatPlan wrote', () => {
    const text = fc.string({ unit: 'grapheme' })
    const story = fc.record({
      id: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z]$/),
      title: text.filter((title) => title !== ''),
      description: text,
      criteria: fc.array(text),
      dependsOn: fc.array(text),
      complexity: fc.constantFrom(...complexities),
      files: fc.array(text),
      contextFiles: fc.array(text),
      risks: fc.array(text),
      mayChange: fc.array(text),
      mayBeEmpty: fc.boolean(),
      strategy: fc.constantFrom(...strategies, null),
      noTestsBecause: text,
      tests: fc.constantFrom(...testKinds),
      proofs: fc.array(fc.constant({ type: 'file-contains' as const, path: 'a.txt', text: 'a' })),
    })
    const outline = fc.record({
      approach: text,
      runnerUp: fc.record({ approach: text, lostBecause: text }),
      invariants: fc.array(text),
      nonGoals: fc.array(text),
      tradeOffs: fc.array(text),
      checklist: fc.array(fc.record({ must: fc.boolean(), item: text.filter((item) => item !== '') })),
      switchWhen: text,
      covers: fc.array(fc.record({ criterion: text.filter((one) => one !== ''), stories: fc.array(text) })),
      risks: fc.array(fc.record({ risk: text.filter((one) => one !== ''), decision: text })),
    })
    fc.assert(
      fc.property(fc.array(story), fc.option(outline), (stories, outline) => {
        fc.pre(stories.every((one) => identifierProblem(one.id) === null))
        const plan: Plan = { outline, stories }
        const back = parsePlan(formatPlan(plan), 'plan.yaml')
        expect(back).toEqual({ ok: true, plan })
      }),
      { numRuns: 100 },
    )
  })
})
