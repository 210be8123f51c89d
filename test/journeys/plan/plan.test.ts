// A plan that does not survive contact with the code: from the request to the target.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../../contract/user-repository.ts'
import { exits, until } from '../binary.ts'
import { story, Yard } from '../yard.ts'

const writes = (path: string) => [{ write: { [path]: 'done\n' } }]
const yardOf = (script: object[], limits: object = {}): Yard =>
  new Yard({
    config: {
      agents: { player: { driver: 'scripted', script: 'script.yaml' } },
      limits: { attemptsPerStory: 1, ...limits },
    },
    files: { 'script.yaml': JSON.stringify(script) },
  })
const outline = { approach: 'One by one.', runnerUp: { approach: 'At once.', lostBecause: 'It is too much.' } }
const plans = (...stories: object[]) => ({ role: 'planner', do: [{ result: { outline, stories } }] })

describe('a drafted plan', () => {
  it('has a contradictory story specified anew, and one that nobody can do split', async () => {
    const blocked = { kind: 'bad-spec', why: 'It asks for port 80 and port 8080.', evidence: '' }
    const amended = { cause: 'The port is 8080.', description: 'Listen on port 8080 only.' }
    const pieces = [story('read', { complexity: 1 }), story('write', { complexity: 1, dependsOn: ['read'] })]
    const yard = yardOf([
      plans(story('port', { complexity: 1 }), story('both', { complexity: 3 }), story('last', { dependsOn: ['both'] })),
      { role: 'planner', prompt: 'It asks for port 80 and port 8080', do: [{ result: amended }] },
      { role: 'planner', prompt: 'all attempts failed', do: [{ result: { cause: 'Two things.', stories: pieces } }] },
      { role: 'coder', story: 'port', do: [{ result: { blocked } }] },
      { role: 'coder', story: 'port', prompt: 'Listen on port 8080 only', do: writes('src/port.txt') },
      { role: 'coder', story: 'both', do: [] },
      ...['read', 'write', 'last'].map((id) => ({ role: 'coder', story: id, do: writes(`src/${id}.txt`) })),
    ])
    exits(await yard.ropewalk('run', 'Make it so'), 0)
    expect(yard.files()).toEqual(
      expect.arrayContaining(['src/port.txt', 'src/read.txt', 'src/write.txt', 'src/last.txt']),
    )
    const status = await yard.status()
    expect(status.word).toBe('done-with-concerns')
    expect(status.concerns).toEqual(
      expect.arrayContaining(['port was specified anew: The port is 8080.', 'both was split: Two things.']),
    )
    expect(status.stories.map(({ story: id, word }) => [id, word])).toEqual([
      ['port', 'merged'],
      ['both', 'split'],
      ['read', 'merged'],
      ['write', 'merged'],
      ['last', 'merged'],
    ])
    expect(status.stories.find((one) => one.story === 'last')?.dependsOn).toEqual(['read', 'write'])
    const exported = exits(await yard.ropewalk('plan', '--export'), 0).stdout
    expect(exported).toMatch(/id: read[\s\S]*id: write/)
    expect(exported).not.toMatch(/id: both/)
  })

  it.each([
    ['0 stories', [], /no stories/],
    ['600 stories', Array.from({ length: 600 }, (_, i) => story(`s${i}`)), /600 stories; at most 500/],
    ['a circle', [story('a', { dependsOn: ['b'] }), story('b', { dependsOn: ['a'] })], /in a circle/],
    ['a path elsewhere', [story('a', { files: ['/etc/passwd'] })], /"\/etc\/passwd", which is not a path inside/],
    ['a path of git', [story('a', { files: ['.git/hooks/pre-commit'] })], /not a path inside the repository/],
    ['our settings', [story('a', { mayChange: ['ropewalk.yaml'] })], /changed by people only/],
  ])('of %s ends the delivery before anybody codes', async (_, stories, why) => {
    const yard = yardOf([plans(...stories), { role: 'coder', do: writes('src/never.txt') }])
    expect(exits(await yard.ropewalk('run', 'Make it so'), 2).stdout).toMatch(why)
    expect(await yard.eventsOf('StoryCoded')).toEqual([])
    expect((await yard.eventsOf('TurnSpent')).length).toBeLessThanOrEqual(6)
  })
})

describe('a story that nobody can do', () => {
  it('is taken over by its human, whose work is judged and merged like any other', async () => {
    const yard = yardOf([{ role: 'coder', do: [{ write: { 'src/a.txt': 'BROKEN\n' } }] }], { roundsPerAttempt: 1 })
    exits(await yard.runPlan([story('one')], '--gates', 'plan'), 2)
    exits(await yard.ropewalk('approve'), 0)
    const driving = yard.start(['resume', '--attended'])
    await until(() => driving.printed().includes('escalation-one-1'))
    expect(exits(await yard.ropewalk('inbox'), 0).stdout).toMatch(/take-over/)
    exits(await yard.ropewalk('answer', 'escalation-one-1', 'take-over'), 0)
    exits(await driving.done, 2)
    const [lent] = await yard.eventsOf('WorkspaceLent')
    writeFileSync(join(lent!.path, 'src/mine.txt'), 'by hand\n')
    expect(readFileSync(join(lent!.path, 'src/a.txt'), 'utf8')).toBe('BROKEN\n')
    writeFileSync(join(lent!.path, 'src/a.txt'), 'alpha\n')
    exits(await yard.ropewalk('answer', 'take-over-one-2', 'done', 'I did it by hand', '--resume'), 0)
    expect(git(yard.repo, 'show', 'main:src/mine.txt')).toBe('by hand')
    expect((await yard.status()).stories).toMatchObject([{ story: 'one', word: 'merged' }])
    expect(readFileSync(join(yard.repo, 'src/a.txt'), 'utf8')).toBe('alpha\n')
  })
})
