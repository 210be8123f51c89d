import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../contract/user-repository.ts'
import { exits, until } from './binary.ts'
import { story, Yard } from './yard.ts'

const waits = `
: > "$HOME/begun-$ROPEWALK_STORY"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
echo work > "src/$ROPEWALK_STORY.txt"
`
const begun = (yard: Yard, id: string) => until(() => existsSync(join(yard.person, `begun-${id}`)))
const letGo = (yard: Yard) => writeFileSync(join(yard.person, 'go'), '')
const subjects = (repo: string) => git(repo, 'log', '--reverse', '--format=%s').split('\n')

describe('landing', () => {
  it('waits for uncommitted changes, touches none of them, and goes on when they are gone', async () => {
    const yard = new Yard()
    await yard.userActs((repo) => writeFileSync(join(repo, 'src/a.txt'), 'alpha, being written\n'))
    const waiting = exits(await yard.runPlan([story('one')]), 2)
    expect(waiting.stderr).toMatch(/uncommitted changes \(src\/a\.txt\)/)
    expect(waiting.stdout).toMatch(/commit or stash them/)
    expect(exits(await yard.ropewalk('land'), 2).stdout).toMatch(/src\/a\.txt/)
    expect(readFileSync(join(yard.repo, 'src/a.txt'), 'utf8')).toBe('alpha, being written\n')
    await yard.userActs((repo) => git(repo, 'checkout', '-q', '--', 'src/a.txt'))
    exits(await yard.ropewalk('land'), 0)
    expect(readFileSync(join(yard.repo, 'src/one.txt'), 'utf8')).toBe('work\n')
    expect(exits(await yard.ropewalk('land'), 1).stderr).toMatch(/no landing is waiting/)
  })

  it('on a target that moved meanwhile goes on top of it, proven again, and loses nothing', async () => {
    const yard = new Yard({ agent: waits })
    const running = yard.start(yard.planArgs([story('one'), story('two', { dependsOn: ['one'] })]))
    await begun(yard, 'one')
    await yard.userActs((repo) => {
      writeFileSync(join(repo, 'src/theirs.txt'), 'mine, says the user\n')
      git(repo, 'add', '-A')
      git(repo, 'commit', '-qm', 'Meanwhile')
    })
    letGo(yard)
    exits(await running.done, 0)
    expect(subjects(yard.repo)).toEqual(['Begin', 'Meanwhile', 'Story one', 'Story two'])
    expect(await yard.eventsOf('LandingRefused')).toMatchObject([{ reason: 'moved' }])
    const { to } = (await yard.eventsOf('Landed'))[0]!
    const whole = git(yard.repo, 'rev-parse', `${to}^{tree}`)
    const judged = (await yard.eventsOf('Judged')).filter(({ tree }) => tree === whole)
    expect(judged.map(({ judge, verdict }) => [judge, verdict.status])).toContainEqual(['check:test', 'passed'])
    expect(yard.files()).toEqual(expect.arrayContaining(['src/theirs.txt', 'src/one.txt', 'src/two.txt']))
  })

  it('story by story moves the target while others are still at work', async () => {
    const agent = `[ $ROPEWALK_STORY = one ] || { : > "$HOME/begun-two"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; }
echo work > "src/$ROPEWALK_STORY.txt"`
    const yard = new Yard({ agent, config: { land: 'each' } })
    const running = yard.start(yard.planArgs([story('one'), story('two', { dependsOn: ['one'] })]))
    await begun(yard, 'two')
    await until(() => subjects(yard.repo).length === 2)
    letGo(yard)
    exits(await running.done, 0)
    expect(subjects(yard.repo)).toEqual(['Begin', 'Story one', 'Story two'])
    expect(await yard.eventsOf('Landed')).toHaveLength(2)
  })

  it('of two deliveries at the same time brings both', async () => {
    const yard = new Yard({ agent: waits })
    const first = yard.start(yard.planArgs([story('one')]))
    await begun(yard, 'one')
    const second = yard.start(yard.planArgs([story('two')]))
    await begun(yard, 'two')
    letGo(yard)
    exits(await first.done, 0)
    exits(await second.done, 0)
    expect(subjects(yard.repo).sort()).toEqual(['Begin', 'Story one', 'Story two'])
    expect(await yard.json('status', '--all')).toMatchObject([
      { word: 'done-with-concerns' },
      { word: 'done-with-concerns' },
    ])
  })

  it('never comes to a branch that is not the target', async () => {
    const yard = new Yard()
    await yard.userActs((repo) => git(repo, 'checkout', '-qb', 'mine'))
    exits(await yard.runPlan([story('one')], '--target', 'main'), 0)
    expect(yard.files('main')).toContain('src/one.txt')
    expect(yard.files('mine')).not.toContain('src/one.txt')
    expect(git(yard.repo, 'status', '--porcelain')).toBe('')
  })
})
