import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../contract/user-repository.ts'
import { binary, exits, type Running, until } from './binary.ts'
import { processesOf } from './untouched.ts'
import { story, Yard } from './yard.ts'

const waits = `
echo $$ > "$HOME/begun"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
echo work > "src/$ROPEWALK_STORY.txt"
`
const begun = (yard: Yard) => until(() => existsSync(join(yard.person, 'begun')))
const letGo = (yard: Yard) => writeFileSync(join(yard.person, 'go'), '')

async function atWork(): Promise<{ yard: Yard; running: Running }> {
  const yard = new Yard({ agent: waits })
  const running = yard.start(yard.planArgs([story('one')]))
  await begun(yard)
  return { yard, running }
}

describe('who drives a delivery', () => {
  it('a detached driver outlives the shell that started it', async () => {
    const yard = new Yard({ agent: waits })
    const line = [process.execPath, binary, ...yard.planArgs([story('one')], '--detach')].map((one) => `'${one}'`)
    const shell = spawnSync('sh', ['-c', `${line.join(' ')}; kill -HUP -$$`], {
      cwd: yard.repo,
      env: yard.env(),
      encoding: 'utf8',
      detached: true,
    } as never)
    expect(shell.stdout).toMatch(/continues in the background \(process \d+\)/)
    expect(shell.signal).toBe('SIGHUP')
    await begun(yard)
    const watching = yard.start(['watch'])
    const following = yard.start(['log', '--follow', '--json'])
    letGo(yard)
    expect(exits(await watching.done, 0).stdout).toMatch(/Merged to main: 1 story/)
    await until(() => following.printed().includes('"DeliveryCompleted"'))
    following.child.kill('SIGINT')
    await following.done
    await until(() => processesOf(yard.home).length === 0)
    expect(yard.files()).toContain('src/one.txt')
  })

  it('one that stayed while it was paused goes on when somebody else resumes it', async () => {
    const yard = new Yard({ agent: waits })
    exits(await yard.ropewalk(...yard.planArgs([story('one')], '--detach')), 0)
    await begun(yard)
    expect(exits(await yard.ropewalk('pause'), 0).stdout).toMatch(/starts nothing more until/)
    letGo(yard)
    await until(async () => (await yard.eventsOf('StoryCoded')).length === 1)
    expect((await yard.status()).word).toBe('paused')
    expect(exits(await yard.ropewalk('resume', '--max-usd', '7'), 0).stdout).toMatch(/Resumed in process \d+/)
    exits(await yard.ropewalk('watch'), 0)
    const pinned = (await yard.eventsOf('PolicyPinned')).map(({ policy }) => policy.ceilings.usdPerDelivery)
    expect(pinned).toEqual([null, 7])
    await until(() => processesOf(yard.home).length === 0)
  })

  it('a second one is refused and told who the first is, also by unlock; the first goes on', async () => {
    const { yard, running } = await atWork()
    const refused = exits(await yard.ropewalk('resume'), 1)
    expect(refused.stderr).toMatch(new RegExp(`process ${running.child.pid} on .* is driving this`))
    const ahead = join(yard.person, 'ahead.cjs')
    writeFileSync(ahead, 'const now = Date.now; Date.now = () => now() + 300_000\n')
    for (const env of [{}, { NODE_OPTIONS: `--require=${JSON.stringify(ahead)}` }])
      expect(exits(await yard.start(['unlock'], { env }).done, 1).stderr).toMatch(
        new RegExp(`process ${running.child.pid} `),
      )
    letGo(yard)
    exits(await running.done, 0)
  })

  it('one that is gone leaves its place; unlock by force takes it from one that is not', async () => {
    const { yard, running } = await atWork()
    expect(exits(await yard.ropewalk('unlock', '--force'), 0).stdout).toMatch(/Taken from process/)
    const second = yard.start(['resume'])
    // The first hears that it has been fenced off, ends its agent and writes nothing.
    expect(exits(await running.done, 1).stderr).toMatch(/taken this delivery over/)
    letGo(yard)
    exits(await second.done, 0)
    expect(await yard.eventsOf('StoryCoded')).toHaveLength(1)
    const killed = new Yard({ agent: waits })
    const gone = killed.start(killed.planArgs([story('one')]))
    await begun(killed)
    gone.child.kill('SIGKILL')
    await gone.done
    letGo(killed)
    exits(await killed.ropewalk('resume'), 0)
  })
})

describe('signals', () => {
  it('INT ends the agent, exits with 3, and the delivery goes on later in the same attempt', async () => {
    const { yard, running } = await atWork()
    running.child.kill('SIGINT')
    expect(exits(await running.done, 3).stdout).toMatch(/Nothing is lost/)
    expect(processesOf(yard.home)).toEqual([])
    expect(await yard.eventsOf('StepAborted')).toHaveLength(1)
    letGo(yard)
    exits(await yard.ropewalk('resume'), 0)
    expect((await yard.status()).stories[0]).toMatchObject({ word: 'merged', attempt: 1, round: 1 })
  })

  it('a burst of INT, TERM and HUP is one orderly end', async () => {
    const { yard, running } = await atWork()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT', 'SIGTERM'] as const) running.child.kill(signal)
    const said = exits(await running.done, 3)
    expect(said.stdout.match(/Nothing is lost/g)).toHaveLength(1)
    expect(processesOf(yard.home)).toEqual([])
    // The base is tried beside it, and may come to its end, or not.
    const told = (await yard.events()).filter(
      ({ event }) => event.type !== 'BaseTried' && !(event.type === 'StepAborted' && event.story === null),
    )
    const types = told.map(({ event }) => event.type)
    expect(types.slice(types.indexOf('AgentStarted') + 1)).toEqual(['TurnSpent', 'StepAborted'])
  })

  it('an agent that ignores TERM, and its children, are gone as well', async () => {
    const yard = new Yard({
      agent: `trap '' TERM INT HUP; sh -c "trap '' TERM; sleep 600" & echo $$ > "$HOME/begun"; sleep 600`,
    })
    const running = yard.start(yard.planArgs([story('one')]))
    await begun(yard)
    running.child.kill('SIGTERM')
    exits(await running.done, 3)
    expect(processesOf(yard.home)).toEqual([])
  })

  it('a second INT does not wait for it any longer, and loses nothing either', async () => {
    const stubborn = `trap '' TERM; ${waits}`
    const yard = new Yard({ agent: stubborn })
    const running = yard.start(yard.planArgs([story('one')]))
    await begun(yard)
    running.child.kill('SIGINT')
    await until(() => running.printed().includes('Press Ctrl-C once more to kill it'))
    // Not the same burst any more.
    await new Promise((later) => setTimeout(later, 500))
    running.child.kill('SIGINT')
    expect(exits(await running.done, 3).stderr).toMatch(/Killed\. Nothing is lost/)
    expect(processesOf(yard.home)).toEqual([])
    letGo(yard)
    exits(await yard.ropewalk('resume'), 0)
  })
})

describe('gc', () => {
  it('frees the places of ended deliveries only, and archives a workspace first', async () => {
    const agent = `if [ $ROPEWALK_STORY = bad ]; then echo BROKEN > src/bad.txt; exit 0; fi${waits}`
    const config = { limits: { roundsPerAttempt: 1, attemptsPerStory: 1 } }
    const yard = new Yard({ agent, config })
    exits(await yard.runPlan([story('bad')]), 2)
    const { delivery } = await yard.status()
    const workspace = join(yard.home, 'workspaces', delivery, 'bad-1')
    // A human looked into it and left a note that nobody has seen.
    writeFileSync(join(workspace, 'note.txt'), 'do not lose me\n')
    const running = yard.start(yard.planArgs([story('good')]))
    await begun(yard)
    expect(exits(await yard.ropewalk('gc'), 0).stdout).toMatch(/would be freed/)
    expect(existsSync(join(workspace, 'note.txt'))).toBe(true)
    const { waste } = await yard.json<{ waste: { delivery: string }[] }>('gc', '--yes')
    expect(new Set(waste.map((one) => one.delivery))).toEqual(new Set([delivery]))
    expect(existsSync(workspace)).toBe(false)
    letGo(yard)
    exits(await running.done, 0)
    expect(archivesWith(yard, 'note.txt')).toHaveLength(1)
  })
})

function archivesWith(yard: Yard, file: string): string[] {
  const [name] = readdirSync(join(yard.home, 'repositories'))
  const clone = join(yard.home, 'repositories', name!)
  const refs = git(clone, 'for-each-ref', '--format=%(refname)', 'refs/ropewalk/archive').split('\n')
  return refs.filter((ref) => git(clone, 'ls-tree', '-r', '--name-only', ref).split('\n').includes(file))
}
