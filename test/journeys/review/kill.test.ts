// Killed with -9 while reviewers look, findings are sorted and tried: it goes on to the same end.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../binary.ts'
import { killedInEach, resumed, sameEnds, undisturbed } from '../kill/matrix.ts'
import type { Walk } from '../kill/walk.ts'
import { story, type Yard } from '../yard.ts'
import {
  approves,
  claim,
  coder,
  edge,
  open,
  refuses,
  repro,
  reviewer,
  right,
  rolesOf,
  sorts,
  testWriter,
  triager,
  wrong,
} from './cast.ts'

const go = (yard: Yard): void => writeFileSync(join(yard.person, 'go'), '')
const wait = (name: string) => ({ shell: `: > "$HOME/${name}"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done` })

const fix = { role: 'coder', prompt: 'The discount is ignored', do: [{ write: { 'src/total.mjs': right } }] }

const walk: Walk = {
  open() {
    const yard = open(
      [
        ...[coder(wrong), fix],
        reviewer([wait('one'), refuses(claim)]),
        reviewer([wait('other'), approves], edge),
        reviewer([approves], { round: 2 }),
        reviewer([approves], { round: 2, ...edge }),
        triager([sorts(['accepted', 'blocking'])]),
        testWriter(repro('7')),
      ],
      { review: { verifyByTest: true, rebuttal: false, followDiff: false, blocks: ['blocking'] } },
    )
    writeFileSync(join(yard.person, 'plan.yaml'), JSON.stringify({ stories: [story('total')] }))
    return yard
  },
  args: ['run', 'Make it so', '--plan', '../person/plan.yaml'],
  meanwhile: async (yard) => {
    if (!existsSync(join(yard.person, 'go'))) go(yard)
  },
}

describe('killed with -9 and resumed', () => {
  it('in the middle of two reviews, and around what follows, it comes to the same end', {
    timeout: 480_000,
  }, async () => {
    const calm = await undisturbed(walk)
    const deliveries = [
      ['reviewer:after-agent', 'triage:after-agent'],
      ['before:StoryReviewed:2', 'before:FindingsReproduced'],
    ]
    expect(await killedInEach(deliveries, { walk, calm })).toEqual(sameEnds(deliveries))

    const yard = walk.open()
    const running = yard.start(walk.args)
    await until(() => ['one', 'other'].every((name) => existsSync(join(yard.person, name))))
    running.child.kill('SIGKILL')
    await running.done
    go(yard)
    expect(await resumed(yard, walk, { point: 'in the reviews', calm })).toMatchObject({ problems: [] })
    expect((await rolesOf(yard)).filter((role) => role === 'reviewer')).toHaveLength(6)
    expect(await yard.eventsOf('StoryReviewed')).toHaveLength(4)
  })
})
