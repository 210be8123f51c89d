import { describe, expect, it } from 'vitest'
import { crossedMachines, folderCycles, strayTransitions } from './law.ts'
import { moduleOf } from './module.ts'

const one = (path: string, text: string) => [moduleOf(path, text)]

describe('the law', () => {
  it.each([
    ['story.control = to', 1],
    ['story.control.retry += 1', 1],
    ['storyOf(state, id).control.passed.push(judge)', 1],
    ['state.plan.control = to', 0],
    ['intent.control = to', 0],
    ['a = story.control === to', 0],
  ])('finds a story that is moved by hand: %s', (text, count) => {
    expect(strayTransitions(one('src/delivery/story/a.ts', text))).toHaveLength(count)
    expect(strayTransitions(one('src/delivery/story/transitions.ts', text))).toEqual([])
  })

  it('finds folders that need each other, also by way of a file above them', () => {
    const [plan, story] = [
      one('src/delivery/plan/a.ts', "import './b.ts'\nimport '../story/a.ts'"),
      one('src/delivery/story/a.ts', ''),
    ].map(([module]) => module!)
    expect(folderCycles([plan!, story!])).toEqual([])
    expect(folderCycles([plan!, ...one('src/delivery/story/a.ts', "import '../plan/c.ts'")])).toHaveLength(1)
    const above = one('src/delivery/state.ts', "import './plan/c.ts'")
    expect(folderCycles([plan!, ...above, ...one('src/delivery/story/a.ts', "import '../state.ts'")])).toHaveLength(1)
  })

  it.each([
    ['src/delivery/plan/course/a.ts', '../../review/course/b.ts', 1],
    ['src/delivery/plan/course/a.ts', '../../intent/deciding/b.ts', 1],
    ['src/delivery/plan/course/a.ts', '../../review/review.ts', 0],
    ['src/delivery/plan/course/a.ts', '../../story/course/b.ts', 0],
    ['src/delivery/plan/course/a.ts', './b.ts', 0],
    ['src/delivery/due.ts', './plan/course/a.ts', 0],
  ])('finds a machine that reaches into another: %s and %s', (path, target, count) => {
    expect(crossedMachines(one(path, `import '${target}'`))).toHaveLength(count)
  })
})
