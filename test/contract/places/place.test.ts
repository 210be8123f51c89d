// What a place and a workspace have besides their files, with real commands.
import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileHoldings } from '../../../src/adapters/pool-files/holdings.ts'
import type { Verdict } from '../../../src/delivery/judging/finding.ts'
import type { Policy, ServicePolicy } from '../../../src/delivery/policy.ts'
import { TerminalError, TransientError } from '../../../src/ports/errors.ts'
import { bringDownAbandoned } from '../../../src/steps/place/setup.ts'
import { defaults } from '../../default-settings.ts'
import { check, openYard, type Yard } from '../steps/yard.ts'
import { bundled } from './bundled.ts'
import { freshHome, project, write } from './rig.ts'

const tools = freshHome()
const path = process.env.PATH
beforeAll(() => {
  // Says that it ran, and where; and does what an installer does.
  write(tools, {
    npm: `#!/bin/sh\npwd >> ${tools}/ran\nmkdir -p node_modules/dep && echo dep > node_modules/dep/main.js\n`,
  })
  chmodSync(join(tools, 'npm'), 0o755)
  process.env.PATH = `${tools}:${path}`
})
afterAll(() => {
  process.env.PATH = path
})

const files = { ...project, '.gitignore': 'node_modules\n.env*\n*.out\n' }
const setup = { run: 'npm ci', timeoutMs: 20_000 }
const shell = (line: string) => [{ do: [{ shell: line }] }]
const runs = (): string[] => readFileSync(join(tools, 'ran'), 'utf8').split('\n').slice(0, -1)

const workspace = (changes: Partial<Policy['workspace']>): Policy['workspace'] => ({
  ...defaults.workspace,
  ...changes,
})

const upAndDown = (changes: Partial<ServicePolicy>): ServicePolicy => ({
  ...{ name: 'db', up: 'true', health: null, down: null, timeoutMs: 10_000 },
  ...changes,
})

async function coded(yard: Yard): Promise<string> {
  const { ending } = await yard.perform('CodeStory')
  if (ending.type !== 'StoryCoded') throw new Error(JSON.stringify(ending))
  return ending.commit
}

async function verdict(yard: Yard): Promise<Verdict> {
  const { ending } = await yard.perform('Judge')
  if (ending.type !== 'Judged') throw new Error(JSON.stringify(ending))
  return ending.verdict
}

const judges = ['check:test']

describe('set-up', () => {
  it('runs once for a workspace and the places of its checks, and not where the agent works', async () => {
    write(tools, { ran: '' })
    const policy = { setup, judges, checks: [check({ run: 'grep dep node_modules/dep/main.js' })] }
    const script = shell('cat node_modules/dep/main.js > seen.txt; echo spoilt > node_modules/dep/main.js')
    const yard = await openYard({ files, stories: [{}], script, policy })
    expect(await yard.repository.readFile(await coded(yard), 'seen.txt')).toBe('dep\n')
    expect(runs()).toEqual([expect.stringContaining('/places/d1/')])
    // The agent has spoilt its own copy, and nobody else's.
    expect(await verdict(yard)).toMatchObject({ status: 'passed', proof: { reused: false } })
    expect(runs()).toHaveLength(1)
  })

  it('runs again for a story that changes the lock file, and its proof is of that', async () => {
    write(tools, { ran: '' })
    const policy = { setup, judges, checks: [check({ run: 'test -e node_modules/dep' })] }
    const script = shell("echo '{}' > package-lock.json")
    const yard = await openYard({ files, stories: [{ mayChange: ['package-lock.json'] }], script, policy })
    await coded(yard)
    expect(await verdict(yard)).toMatchObject({ status: 'passed' })
    expect(runs()).toHaveLength(2)
  })
})

describe('a workspace for which there is no room', () => {
  const large = { run: 'mkdir -p node_modules && head -c 2000000 /dev/urandom > node_modules/large', timeoutMs: 20_000 }
  const there = (yard: Yard): boolean => existsSync(yard.world.places.workspace('d1', 's1', 1))

  it('is closed again and comes back later, which costs nothing', async () => {
    const policy = { judges, setup: large, workspace: workspace({ quotaMb: 6 }) }
    const yard = await openYard({ files, stories: [{}], script: shell('echo x > x.txt'), policy })
    const other = fileHoldings(yard.home)
    await other.makeRoom('/p/other', { quotaMb: 6, bytes: 3_000_000, like: 'other', by: 'other', lasting: false })
    // Its set-up is found to be too large when it is done, and is expected to be so large from then on.
    for (const number of [1, 2]) {
      await expect(yard.perform('CodeStory', { lose: true, try: number })).rejects.toThrow(TransientError)
      expect(there(yard)).toBe(false)
    }
    other.release('/p/other')
    const { ending } = await yard.perform('CodeStory', { try: 3 })
    expect([ending.type, (await yard.state()).stories.s1?.attempt]).toEqual(['StoryCoded', 1])
    expect(there(yard)).toBe(true)
  })

  it('also alone is closed, and a human is asked; what set-up has left in it is archived', async () => {
    const leaves = { ...large, run: `echo made > note.txt; ${large.run}` }
    const policy = { judges, setup: leaves, workspace: workspace({ quotaMb: 3 }) }
    const yard = await openYard({ files, stories: [{}], script: shell('echo x > x.txt'), policy })
    await expect(yard.perform('CodeStory', { lose: true })).rejects.toThrow(TerminalError)
    expect(there(yard)).toBe(false)
    const [archive] = await yard.repository.refs('refs/ropewalk/archive/')
    expect(await yard.repository.readFile(archive!.commit, 'note.txt')).toBe('made\n')
    const recorded = await yard.log.read('d1', 0)
    expect(recorded.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'WorkArchived', commit: archive!.commit }),
    )
  })
})

describe('what must be up', () => {
  const server = `node -e "require('net').createServer().listen(process.env.ROPEWALK_PORT)"`
  const knocks = `node -e "require('net').connect(process.env.ROPEWALK_PORT).on('connect',()=>process.exit(0)).on('error',()=>process.exit(1))"`

  it('is up for an agent and for a check, each with ports of its own, and down afterwards', async () => {
    const log = join(tools, 'services.log')
    const told = (what: string) => `echo ${what} $ROPEWALK_PLACE $ROPEWALK_PORT $ROPEWALK_PORTS >> ${log}`
    const services = [upAndDown({ up: `${told('up')}; ${server}`, health: knocks, down: told('down') })]
    const policy = { judges, workspace: workspace({ ports: 2, services }), checks: [check({ run: knocks })] }
    const yard = await openYard({ files, stories: [{}], script: shell(`${knocks} && echo yes > seen.txt`), policy })
    const commit = await coded(yard)
    expect(await yard.repository.readFile(commit, 'seen.txt')).toBe('yes\n')
    expect(await verdict(yard)).toMatchObject({ status: 'passed' })
    const lines = readFileSync(log, 'utf8').trim().split('\n')
    // For the agent, the check, and the base that it is compared with.
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['up', 'down', 'up', 'down', 'up', 'down'])
    expect(lines[0]?.slice(2)).toBe(lines[1]?.slice(4))
    expect(lines[2]).not.toBe(lines[0])
    expect(lines[0]).toMatch(/^up ropewalk_[0-9a-f]{16} \d+ 2$/)
    expect(yard.world.holdings.adoptInstances()).toEqual([])
    const ports = lines.map((line) => Number(line.split(' ')[2]))
    expect(await Promise.all(ports.map(answers))).toEqual(ports.map(() => false))
  })

  it('makes and drops something by command, such as a database', async () => {
    const up = `mkdir ${tools}/$ROPEWALK_PLACE`
    const services = [upAndDown({ up, down: `rmdir ${tools}/$ROPEWALK_PLACE` })]
    const run = `test -d ${tools}/$ROPEWALK_PLACE`
    const policy = { judges, workspace: workspace({ services }), checks: [check({ run })] }
    const yard = await openYard({ files, stories: [{}], script: shell('echo x > x.txt'), policy })
    await coded(yard)
    expect(await verdict(yard)).toMatchObject({ status: 'passed' })
    expect(readdirSync(tools).filter((name) => name.startsWith('ropewalk_'))).toEqual([])
  })

  it.each<[string, Partial<ServicePolicy>, RegExp]>([
    [
      'its command fails',
      { up: 'echo no such image >&2; exit 3' },
      /db did not come up: exit code 3, before any change; it printed:\n {2}no such image/,
    ],
    [
      'it is never well',
      { up: 'echo no port; sleep 60', health: 'echo refused; false', timeoutMs: 700 },
      /within 700 ms, before any change; it printed:\n {2}refused\n {2}no port/,
    ],
    ['it does not end', { up: 'sleep 60', timeoutMs: 500 }, /within 500 ms/],
  ])('is nobody’s work when %s', async (_, changes, problem) => {
    const policy = { judges, workspace: workspace({ services: [upAndDown(changes)] }) }
    const yard = await openYard({ files, stories: [{}], script: shell('echo x > x.txt'), policy })
    await expect(yard.perform('CodeStory', { lose: true })).rejects.toThrow(problem)
    expect(yard.world.holdings.instancesOf(yard.world.places.workspace('d1', 's1', 1))).toEqual([])
  })

  it('is charged to a story that keeps it from coming up, and to none when the base cannot either', async () => {
    const services = [upAndDown({ up: 'test ! -e broken' })]
    const policy = { judges, workspace: workspace({ services }) }
    const yard = await openYard({ files, stories: [{}], script: shell('echo x > broken'), policy })
    await coded(yard)
    expect(await verdict(yard)).toMatchObject({ status: 'findings', findings: [{ rule: 'set-up-failed' }] })
  })

  it('of one that was killed is brought down, although its place is gone', async () => {
    const yard = await openYard({ files, stories: [{}], script: shell('true') })
    const program = await bundled(new URL('holder.ts', import.meta.url))
    const env = { NODE_PATH: resolve('node_modules') }
    const child = spawn(process.execPath, [program, yard.home, `echo $ROPEWALK_PORT > ${tools}/dropped`], { env })
    const said = await new Promise<string>((done) => child.stdout.once('data', (data) => done(String(data))))
    child.kill('SIGKILL')
    await new Promise((done) => child.once('exit', done))
    await bringDownAbandoned(yard.world)
    expect(readFileSync(join(tools, 'dropped'), 'utf8').trim()).toBe(JSON.parse(said).ROPEWALK_PORT)
    expect(yard.world.holdings.instancesOf('/p/theirs')).toEqual([])
  })
})

describe('files of the user’s', () => {
  const secret = 'correct-horse-battery'

  it('are there for agents and checks, in no commit, and their secrets are known', async () => {
    const learned: string[] = []
    const policy = {
      judges,
      workspace: workspace({ copy: ['.env.*', 'conf/*.out'] }),
      checks: [check({ run: 'grep -q horse .env.test && test ! -e .env' })],
    }
    const spoils = `echo '!.env.test' > .gitignore; git add -f conf/x.out .env.test; git commit -qm mine`
    const script = shell(`cp .env.test seen.txt; ls -a > list.txt; ${spoils}`)
    const yard = await openYard({ files, stories: [{}], script, policy })
    yard.world.learnSecrets = (text) => void learned.push(text)
    write(yard.user, { '.env': 'KEY=live', '.env.test': `API_KEY=${secret}`, 'conf/x.out': 'x', 'loose.txt': 'l' })
    const commit = await coded(yard)
    expect(await yard.repository.listFiles(commit)).toEqual(
      expect.arrayContaining(['list.txt', 'seen.txt', '.gitignore']),
    )
    expect((await yard.repository.listFiles(commit)).filter((one) => /env|conf/.test(one))).toEqual([])
    expect((await yard.repository.readFile(commit, 'list.txt'))?.split('\n')).not.toContain('.env')
    expect(learned).toContain(`API_KEY=${secret}`)
    expect(await verdict(yard)).toMatchObject({ status: 'passed' })
  })

  it('may be very many', async () => {
    const yard = await openYard({ files, stories: [{}], script: shell('git add -f 1.out; echo x > x.txt') })
    write(yard.user, { '1.out': 'lent' })
    const place = join(yard.home, 'place')
    expect(await yard.repository.lendFiles({ patterns: ['*.out'], place })).toHaveLength(1)
    // As many as no command line takes.
    const clones = readdirSync(yard.home, { recursive: true, encoding: 'utf8' })
    const record = join(yard.home, clones.find((name) => name.endsWith('ropewalk/lent'))!)
    appendFileSync(record, Array.from({ length: 12_000 }, (_, i) => `${'d/'.repeat(100)}${i}.out\0`).join(''))
    const commit = await coded(yard)
    expect(await yard.repository.listFiles(commit)).toContain('x.txt')
    expect(await yard.repository.listFiles(commit)).not.toContain('1.out')
  })

  it('are not read through links, nor written through them, nor over what the commit has', async () => {
    const yard = await openYard({ files: { ...files, 'kept.out.d/x': '' }, stories: [{}], script: [] })
    const outside = freshHome()
    write(outside, { secret: 'theirs', 'folder/a.out': 'a' })
    symlinkSync(join(outside, 'secret'), join(yard.user, 'link.out'))
    symlinkSync(join(outside, 'folder'), join(yard.user, 'linked.out'))
    write(yard.user, { 'real.out': 'mine', 'in/b.out': 'b' })
    const place = join(yard.home, 'place')
    write(place, { 'real.out': 'of the commit' })
    symlinkSync(outside, join(place, 'in'))
    const lent = await yard.repository.lendFiles({ patterns: ['**/*.out', 'linked.out/**'], place })
    expect(lent.map(({ path: one }) => one)).toEqual(['real.out'])
    expect(readdirSync(place).sort()).toEqual(['in', 'real.out'])
    expect(readFileSync(join(place, 'real.out'), 'utf8')).toBe('of the commit')
    expect(existsSync(join(outside, 'b.out'))).toBe(false)
  })
})

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => [socket.destroy(), done(true)])
    socket.on('error', () => done(false))
  })
