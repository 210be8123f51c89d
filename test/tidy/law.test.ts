import { describe, expect, it } from 'vitest'
import { folderCycles, strayTransitions } from './law.ts'
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
})
