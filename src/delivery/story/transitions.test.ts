import { describe, expect, it } from 'vitest'
import { story } from '../../../test/simulation/sample.ts'
import { freshStory } from './story.ts'
import { areas, type Cause, moveStory, transitions } from './transitions.ts'

const rows = Object.entries(transitions) as [Cause, { from: readonly string[]; to: string }][]
/** Mermaid takes a dash for the beginning of an arrow. */
const nameOf = (status: string): string => status.replace('-', '_')

/** A whole area is one place; the largest areas come first. */
function placesOf(from: readonly string[]): string[] {
  let left = [...new Set(from)]
  const whole = Object.entries(areas).flatMap(([name, area]: [string, readonly string[]]) => {
    if (!area.every((status) => left.includes(status))) return []
    left = left.filter((status) => !area.includes(status))
    return [name]
  })
  return [...whole, ...left.map(nameOf)]
}

/** Every row of the table, drawn; causes that lead from one place to the same other one share an arrow. */
function picture(): string {
  const arrows = new Map<string, string[]>()
  for (const [cause, { from, to }] of rows)
    for (const place of placesOf(from)) {
      const arrow = `${place} --> ${nameOf(to)}`
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), cause])
    }
  return [
    '# Where a story can be',
    '',
    'Drawn from `src/delivery/story/transitions.ts`, the only place that moves a story; `npx vitest run src/delivery/story -u` draws it anew.',
    'An arrow names what happens. Three places stand for several:',
    '',
    '- `anywhere`: every state but `joined`, `merged` and `split`',
    ...(['inReview', 'waivable'] as const).map((area) => `- \`${area}\`: ${areas[area].join(', ')}`),
    '',
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> waiting',
    ...[...arrows].map(([arrow, causes]) => `  ${arrow} : ${causes.join(', ')}`),
    '```',
    '',
  ].join('\n')
}

describe('the table of transitions', () => {
  it('is what the picture shows', async () => {
    await expect(picture()).toMatchFileSnapshot('../../../docs/story-states.md')
  })

  it('leads from a new story to every state that it names', () => {
    const reached = new Set(['waiting'])
    for (const _ of rows)
      for (const [, { from, to }] of rows) if (from.some((status) => reached.has(status))) reached.add(to)
    expect([...reached].sort()).toEqual([...new Set([...areas.anywhere, 'joined', 'merged', 'split'])].sort())
  })

  it('refuses what cannot happen', () => {
    const fresh = freshStory(story('a'), 'story')
    expect(() => moveStory(fresh, 'landed', { onto: 'c0', commit: 'c1' })).toThrow(/a is waiting, and cannot be landed/)
    moveStory(fresh, 'turnBegan', { base: 'c0', from: 'c0' })
    expect(fresh.control).toEqual({ status: 'coding', base: 'c0', from: 'c0' })
  })
})
