// What workspaces and places take of the machine, and what is left of that.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../contract/user-repository.ts'
import { exits } from './binary.ts'
import { processesOf } from './untouched.ts'
import { story, Yard } from './yard.ts'

const files = { '.gitignore': 'deps\n' }
/** Three megabytes in every place. */
const setup = { run: 'mkdir -p deps && head -c 3000000 /dev/urandom > deps/large', reads: ['README.md'] }
const work = 'echo work > "src/$ROPEWALK_STORY.txt"'

describe('a quota', () => {
  it('into which two stories fit only one after the other lets both land, and is kept', async () => {
    const measure =
      'du -ck $HOME/../home/workspaces $HOME/../home/places $HOME/../home/pools 2>/dev/null | tail -1 >> $HOME/used'
    const config = { setup, workspace: { quotaMb: 8 } }
    const yard = new Yard({ files, config, agent: `${measure}\n${work}\nsleep 1` })
    exits(await yard.runPlan([story('one'), story('two')]), 0)
    expect(yard.files()).toEqual(expect.arrayContaining(['src/one.txt', 'src/two.txt']))
    expect(await yard.eventsOf('StepFailed')).toEqual([])
    expect(readFileSync(join(yard.person, 'turns'), 'utf8').trim().split('\n').sort()).toEqual(['one', 'two'])
    const used = [...readFileSync(join(yard.person, 'used'), 'utf8').matchAll(/^\d+/gm)].map(Number)
    expect(Math.max(...used)).toBeLessThan(8_000_000 / 1024)
  })
})

const asRoot = process.getuid?.() === 0

describe('a full disk', () => {
  it.runIf(asRoot)(
    'while set-up is kept for others stops it with what to free, and it goes on from there',
    async () => {
      const yard = new Yard({ files, config: { setup }, agent: work })
      mkdirSync(yard.home)
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'tmpfs', yard.home])
      try {
        const said = await yard.runPlan([story('one')])
        expect(said.code).not.toBe(0)
        expect(said.stdout + said.stderr).toMatch(/disk full[\s\S]*ropewalk gc/)
        expect(said.stdout + said.stderr).not.toMatch(/defect/)
        execFileSync('mount', ['-o', 'remount,size=64m', yard.home])
        exits(await yard.ropewalk('retry', 'one'), 0)
        exits(await yard.ropewalk('resume'), 0)
        expect(yard.files()).toContain('src/one.txt')
      } finally {
        execFileSync('umount', ['-l', yard.home])
      }
    },
  )
})

/** A database that is a file, and a server: each place has its own. */
const database = {
  up: `python3 -c "import sqlite3,os; c=sqlite3.connect(os.environ['HOME']+'/'+os.environ['ROPEWALK_PLACE']+'.db'); c.execute('create table t(x)'); c.commit()"`,
  down: 'rm -f "$HOME/$ROPEWALK_PLACE.db"; echo down >> "$HOME/downs"',
}
const server = {
  up: 'exec python3 -m http.server "$ROPEWALK_PORT" --bind 127.0.0.1',
  health: `python3 -c "import urllib.request as u,os; u.urlopen('http://127.0.0.1:'+os.environ['ROPEWALK_PORT'])"`,
}
const insert = `python3 -c "import sqlite3,os; c=sqlite3.connect('file:'+os.environ['HOME']+'/'+os.environ['ROPEWALK_PLACE']+'.db?mode=rw',uri=True); c.execute('insert into t values(1)'); c.commit(); print(c.execute('select count(*) from t').fetchone()[0])"`
const databases = (yard: Yard): string[] => readdirSync(yard.person).filter((name) => name.endsWith('.db'))
const downs = (yard: Yard): number => readFileSync(join(yard.person, 'downs'), 'utf8').trim().split('\n').length

describe('what must be up', () => {
  it('is a database and a server of its own for each agent and check, and is gone afterwards', async () => {
    const checks = { test: { run: `test "$(${insert})" = 1 && ${server.health}`, parser: 'exit-code' } }
    const config = { checks, workspace: { ports: 1, services: { database, server } } }
    const yard = new Yard({ config, agent: `${server.health} || exit 1\n${insert} > "src/$ROPEWALK_STORY.txt"` })
    exits(await yard.runPlan([story('one'), story('two')]), 0)
    for (const name of ['one', 'two']) expect(git(yard.repo, 'show', `main:src/${name}.txt`)).toBe('1')
    expect(databases(yard)).toEqual([])
    // Two agents, and at least one check.
    expect(downs(yard)).toBeGreaterThan(2)
  })

  it.each<[string, object]>([
    ['never ends', { up: 'sleep 600 & sleep 600' }],
    ['is never well', { up: 'sleep 600', health: 'false' }],
    ['never says how it is', { up: 'sleep 600', health: 'sleep 600' }],
  ])('and %s is named, brought down, and leaves nothing alive', async (_, service) => {
    const hangs = { ...service, down: database.down, timeoutMs: 1_500 }
    const yard = new Yard({ config: { workspace: { services: { database: hangs } } }, agent: work })
    const said = await yard.runPlan([story('one')])
    expect(said.code).not.toBe(0)
    expect(said.stdout).toMatch(/database did not come up: it was not ready within 1500 ms/)
    expect(downs(yard)).toBe(1)
    expect(processesOf(yard.home)).toEqual([])
  })

  it('and was left by a kill is shown and brought down by gc, and the next delivery has its ports', async () => {
    const config = { workspace: { ports: 1, services: { database, server } } }
    const yard = new Yard({ config, agent: `echo $ROPEWALK_PORT >> "$HOME/ports"\n${work}` })
    const args = yard.planArgs([story('one')])
    expect((await yard.start(args, { env: { ROPEWALK_CRASH_AT: 'code:before-agent' } }).done).signal).toBe('SIGKILL')
    expect(databases(yard)).toHaveLength(1)
    const shown = await yard.json<{ waste: { kind: string; path: string }[] }>('gc')
    expect(shown.waste.filter(({ kind }) => kind === 'services').map(({ path }) => path.split(' ')[0])).toEqual([
      'database',
      'server',
    ])
    // The base was tried beside it, and its database is down.
    const down = downs(yard)
    exits(await yard.ropewalk('gc', '--yes'), 0)
    expect([databases(yard), downs(yard), processesOf(yard.home)]).toEqual([[], down + 1, []])
    exits(await yard.runPlan([story('two')]), 0)
    exits(await yard.ropewalk('resume', (await yard.events())[0]!.delivery), 0)
    expect(yard.files()).toEqual(expect.arrayContaining(['src/one.txt', 'src/two.txt']))
    // What a dead process held is free: both have the first one of this home.
    expect(new Set(readFileSync(join(yard.person, 'ports'), 'utf8').trim().split('\n')).size).toBe(1)
    expect(databases(yard)).toEqual([])
  })
})

describe('a kill', () => {
  it.each(['code:after-workspace', 'repository.exportTree:after', 'repository.openWorkspace:before'])(
    'at %s leaves what gc shows; the next delivery and the killed one both end well',
    async (moment) => {
      const yard = new Yard({ files, config: { setup }, agent: work })
      const args = yard.planArgs([story('one')])
      expect((await yard.start(args, { env: { ROPEWALK_CRASH_AT: moment } }).done).signal).toBe('SIGKILL')
      exits(await yard.ropewalk('gc', '--yes', '--all'), 0)
      exits(await yard.runPlan([story('two')]), 0)
      const killed = (await yard.json<{ delivery: string; result: string | null }[]>('status', '--all')).find(
        ({ result }) => result === null,
      )
      exits(await yard.ropewalk('resume', killed!.delivery), 0)
      expect(yard.files()).toEqual(expect.arrayContaining(['src/one.txt', 'src/two.txt']))
      exits(await yard.ropewalk('gc', '--yes', '--all'), 0)
      for (const kind of ['workspaces', 'places', 'pools']) expect(filesBelow(join(yard.home, kind))).toEqual([])
    },
  )
})

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []))
    : []
