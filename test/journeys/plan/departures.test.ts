// Work that is not what the plan says: what builds on it is looked at again, before anybody codes it.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exits, until } from '../binary.ts'
import { killedInEach, resumed, sameEnds, undisturbed } from '../kill/matrix.ts'
import type { Walk } from '../kill/walk.ts'
import { story, Yard } from '../yard.ts'

const writes = (path: string) => ({ write: { [path]: 'done\n' } })
const stories = [
  story('store', { files: ['src/store.txt'] }),
  story('read', { dependsOn: ['store'] }),
  story('names', { files: ['src/store.txt'], dependsOn: ['read'] }),
]
const long = (number: number) => ({ from: `point ${number}`, why: 'so '.repeat(300), material: true })
const cached = { from: 'there is no cache', why: 'without one it is too slow', material: true }
const anew = { holds: false, cause: 'There is a cache now.', description: 'Read through the cache.' }

const outline = { approach: 'One by one.', runnerUp: { approach: 'At once.', lostBecause: 'It is too much.' } }

const script = (deviations: object[], read: object[] = [{ result: anew }]): object[] => [
  { role: 'planner', do: [{ result: { outline, stories } }] },
  { role: 'planner', story: 'read', prompt: 'too slow', do: read },
  { role: 'planner', story: 'names', do: [{ result: { holds: true, cause: 'It only names things.' } }] },
  { role: 'coder', story: 'store', do: [writes('src/store.txt'), { result: { decisions: [], deviations } }] },
  { role: 'coder', story: 'read', prompt: 'Read through the cache', do: [writes('src/read.txt')] },
  { role: 'coder', story: 'names', do: [writes('src/names.txt')] },
]

const yardOf = (entries: object[]): Yard =>
  new Yard({
    config: { agents: { player: { driver: 'scripted', script: 'script.yaml' } } },
    files: { 'script.yaml': JSON.stringify(entries) },
  })

describe('a departure from the plan', () => {
  it('has what builds on it specified anew or upheld, on record, however much there is to be told', async () => {
    const yard = yardOf(script([cached, ...Array.from({ length: 19 }, (_, number) => long(number))]))
    exits(await yard.ropewalk('run', 'Make it so'), 0)
    expect(yard.files()).toEqual(expect.arrayContaining(['src/store.txt', 'src/read.txt', 'src/names.txt']))
    const { concerns, stories: told } = await yard.status()
    expect(told.map(({ word }) => word)).toEqual(['merged', 'merged', 'merged'])
    expect(concerns).toContain('store departs from the plan (there is no cache): without one it is too slow')
    expect(concerns).toContain('read was specified anew: There is a cache now.')
    expect(await yard.eventsOf('StoryUpheld')).toMatchObject([{ story: 'names', why: 'It only names things.' }])
    expect(exits(await yard.ropewalk('log'), 0).stdout).toMatch(/names\s.*still right as it was planned: It only/)
    const coder = exits(await yard.ropewalk('prompt', 'coder', 'read'), 0).stdout
    expect(coder).toMatch(/there is no cache: without one it is too slow/)
    expect(coder).toMatch(/\d+ of 20 left out for length; read all of it in /)
    expect(exits(await yard.ropewalk('prompt', 'planner-story', 'read'), 0).stdout).toMatch(/looked at again/)
  })

  it('holds up nothing when the planner has nothing to say', async () => {
    const entries = script([cached], [{ say: 'I would think so.' }]).map((entry) =>
      'prompt' in entry && JSON.stringify(entry).includes('src/read') ? { ...entry, prompt: 'Story read' } : entry,
    )
    const yard = yardOf(entries)
    exits(await yard.ropewalk('run', 'Make it so'), 0)
    expect((await yard.status()).concerns).toContainEqual(
      expect.stringMatching(/^read stays as it was planned, though store departed: no better specification was found/),
    )
    expect(yard.files()).toContain('src/read.txt')
  })
})

describe('killed with -9 and resumed', () => {
  const wait = { shell: ': > "$HOME/asked"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done' }
  const go = (yard: Yard): void => writeFileSync(join(yard.person, 'go'), '')
  const walk: Walk = {
    open: () => yardOf(script([cached], [wait, { result: anew }])),
    args: ['run', 'Make it so'],
    meanwhile: async (yard) => go(yard),
  }

  it('while a story is looked at again, and around it, it comes to the same end', { timeout: 480_000 }, async () => {
    const calm = await undisturbed(walk)
    const deliveries = [['after:LineAdvanced', 'after:StoryRespecified'], ['before:StoryRespecified']]
    expect(await killedInEach(deliveries, { walk, calm })).toEqual(sameEnds(deliveries))

    const yard = walk.open()
    const running = yard.start(walk.args)
    await until(() => existsSync(join(yard.person, 'asked')))
    running.child.kill('SIGKILL')
    await running.done
    expect(await resumed(yard, walk, { point: 'in the planner', calm })).toMatchObject({ problems: [] })
    expect(await yard.eventsOf('StoryRespecified')).toHaveLength(1)
  })
})

describe('a story that waits for a human', () => {
  it('fails when it is resumed where nobody is there any more, and the rest is merged', async () => {
    const yard = new Yard({
      agent: 'test "$ROPEWALK_STORY" = one && exit 0; echo work > src/two.txt',
      config: { limits: { attemptsPerStory: 1 } },
    })
    exits(await yard.runPlan([story('one'), story('two')], '--gates', 'plan'), 2)
    exits(await yard.ropewalk('approve'), 0)
    const driving = yard.start(['resume', '--attended'])
    await until(() => driving.printed().includes('escalation-one-1'))
    driving.child.kill('SIGKILL')
    await driving.done
    expect(exits(await yard.ropewalk('resume', '--attended', '--unattended'), 1).stderr).toMatch(
      /--attended and --unattended cannot be used together/,
    )
    exits(await yard.ropewalk('resume', '--unattended'), 2)
    const { stories: told } = await yard.status()
    expect(told.map(({ story: id, word }) => [id, word])).toEqual([
      ['one', 'failed'],
      ['two', 'merged'],
    ])
  })
})
