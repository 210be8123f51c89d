import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileHoldings } from '../../../src/adapters/pool-files/holdings.ts'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { TerminalError } from '../../../src/ports/errors.ts'
import { bundled, freshHome, never, placeIn, project, write } from './rig.ts'

const portsOf = ({ ROPEWALK_PORT, ROPEWALK_PORTS }: Record<string, string>): number[] =>
  Array.from({ length: Number(ROPEWALK_PORTS) }, (_, index) => Number(ROPEWALK_PORT) + index)

describe('ports', () => {
  it('are of one place only, and known in every folder of it', async () => {
    const holdings = fileHoldings(freshHome())
    const places = ['/p/one', '/p/two', '/p/three']
    await Promise.all(places.map((place) => holdings.hold(place, 3)))
    const ports = places.flatMap((place) => portsOf(holdings.environmentOf(join(place, 'packages/a'))))
    expect(new Set(ports).size).toBe(9)
    expect(new Set(places.map((place) => holdings.environmentOf(place).ROPEWALK_PLACE)).size).toBe(3)
    expect(holdings.environmentOf('/p')).toEqual({})
  })

  it('are passed over where something listens already', async () => {
    const home = freshHome()
    await fileHoldings(home).hold('/p/one', 2)
    const [free = 0] = portsOf(fileHoldings(home).environmentOf('/p/one')).concat(await firstOf(home))
    const server = createServer()
    await new Promise<void>((done) => server.listen(free + 1, '127.0.0.1', done))
    const holdings = fileHoldings(home)
    await holdings.hold('/p/two', 2)
    expect(portsOf(holdings.environmentOf('/p/two'))).not.toContain(free + 1)
    server.close()
  })

  it('are free again when they are released', async () => {
    const holdings = fileHoldings(freshHome())
    await holdings.hold('/p/one', 2)
    const before = portsOf(holdings.environmentOf('/p/one'))
    holdings.release('/p/one')
    expect(holdings.environmentOf('/p/one')).toEqual({})
    await holdings.hold('/p/two', 2)
    expect(portsOf(holdings.environmentOf('/p/two'))).toEqual(before)
  })

  it('of a process are held by it while it lives, and free when it was killed; what it had up is left to us', async () => {
    const home = freshHome()
    const program = await bundled(new URL('holder.ts', import.meta.url))
    const child = spawn(process.execPath, [program, home], { env: { NODE_PATH: resolve('node_modules') } })
    const said = await new Promise<string>((done) => child.stdout.once('data', (data) => done(String(data))))
    const theirs = portsOf(JSON.parse(said))
    const holdings = fileHoldings(home)
    await holdings.hold('/p/ours', 2)
    expect(theirs).toHaveLength(2)
    expect(portsOf(holdings.environmentOf('/p/ours')).some((port) => theirs.includes(port))).toBe(false)
    expect(holdings.adoptInstances()).toEqual([])
    child.kill('SIGKILL')
    await new Promise((done) => child.once('exit', done))
    await holdings.hold('/p/more', 2)
    expect(portsOf(holdings.environmentOf('/p/more'))).toEqual(theirs)
    expect(holdings.adoptInstances()).toMatchObject([{ place: '/p/theirs', name: 'db', down: 'dropdb' }])
    // They are ours now: nobody else brings them down, too.
    expect(holdings.adoptInstances()).toEqual([])
  })

  it('of a process that took over a place are not let go by the one that was replaced', async () => {
    const home = freshHome()
    const program = await bundled(new URL('holder.ts', import.meta.url))
    const child = spawn(process.execPath, [program, home], { env: { NODE_PATH: resolve('node_modules') } })
    const said = await new Promise<string>((done) => child.stdout.once('data', (data) => done(String(data))))
    const [holdings, place] = [fileHoldings(home), '/p/theirs']
    // The child has come later, and has the place.
    await holdings.hold(place, 2)
    expect(holdings.instancesOf(place)).toEqual([])
    holdings.release(place)
    await holdings.hold('/p/more', 2)
    expect(portsOf(holdings.environmentOf('/p/more')).some((port) => portsOf(JSON.parse(said)).includes(port))).toBe(
      false,
    )
    // Now it is we who come later.
    const ours = { place, name: 'db', down: null, environment: {}, timeoutMs: 1_000, mark: 'test:ours' }
    holdings.recordInstance(ours)
    expect(holdings.instancesOf(place)).toEqual([ours])
    child.kill('SIGKILL')
    await new Promise((done) => child.once('exit', done))
    expect(holdings.adoptInstances()).toEqual([])
  })
})

/** The range that a further place would get. */
async function firstOf(home: string): Promise<number[]> {
  const holdings = fileHoldings(home)
  await holdings.hold('/p/look', 2)
  const ports = portsOf(holdings.environmentOf('/p/look'))
  holdings.release('/p/look')
  return ports
}

it('says what to do when the record of who holds what is damaged', async () => {
  const home = freshHome()
  write(home, { 'holdings.sqlite': 'x'.repeat(4096) })
  await expect(fileHoldings(home).hold('/p/one', 1)).rejects.toMatchObject({
    remedy: expect.stringContaining('Remove'),
  })
})

const megabyte = 'x'.repeat(1_000_000)

describe('the quota', () => {
  it('lets a place be made while there is room', async () => {
    const home = freshHome()
    placeIn(home, 'one', { large: megabyte })
    const holdings = fileHoldings(home)
    await holdings.makeRoom(join(home, 'places/d1/two'), 3)
    await holdings.settle(join(home, 'places/d1/two'), 3)
  })

  it('is not asked for once more by a place that is there', async () => {
    const home = freshHome()
    const place = placeIn(home, 'one', { large: megabyte })
    await fileHoldings(home).makeRoom(place, 1.5)
    await expect(fileHoldings(home).makeRoom(join(home, 'places/d1/two'), 1.5)).rejects.toThrow(TerminalError)
  })

  it('frees spare places, then the pool entry that was not used for longest, and no other', async () => {
    const home = freshHome()
    const pool = filePool(home)
    const keys: string[] = []
    for (const name of ['a', 'b']) {
      const place = placeIn(home, name, { ...project, 'package.json': `{"name":"${name}"}` })
      const key = (await pool.keyOf(place, { run: 'npm ci', reads: [], environment: 'here' }))!
      const make = async () => {
        write(place, { 'node_modules/large': megabyte })
        return { ok: true }
      }
      await pool.fill({ key, place, mark: 'test', ahead: false, signal: never, make })
      keys.push(key)
    }
    placeIn(home, 'spare-1', { large: megabyte })
    // a was used later than b.
    expect(await pool.take({ key: keys[0]!, place: placeIn(home, 'c', project), mark: 'test', ahead: false })).toBe(
      'taken',
    )
    // Three places, two entries and the spare one are 6 MB, and one more place is to come.
    await fileHoldings(home).makeRoom(join(home, 'places/d1/more'), 6.5)
    expect(existsSync(join(home, 'places/d1/spare-1'))).toBe(false)
    expect(await pool.entries()).toHaveLength(2)
    await fileHoldings(home).makeRoom(join(home, 'places/d1/more'), 5.5)
    expect((await pool.entries()).map(({ name }) => name)).toEqual([keys[0]])
  })

  it('counts what others are about to make', async () => {
    const home = freshHome()
    placeIn(home, 'one', { large: megabyte })
    const holdings = fileHoldings(home)
    await holdings.makeRoom('/p/two', 2.5)
    await expect(holdings.makeRoom('/p/three', 2.5)).rejects.toThrow(TerminalError)
    holdings.release('/p/two')
    await holdings.makeRoom('/p/three', 2.5)
  })

  it('refuses, names what helps, and removes nothing that somebody uses', async () => {
    const home = freshHome()
    const place = placeIn(home, 'one', { large: megabyte })
    mkdirSync(join(home, 'workspaces/d1/s1-1'), { recursive: true })
    writeFileSync(join(home, 'workspaces/d1/s1-1/large'), megabyte)
    const refused = fileHoldings(home).makeRoom('/p/two', 2)
    await expect(refused).rejects.toThrow(/workspace\.quotaMb is 2/)
    await expect(refused).rejects.toMatchObject({ remedy: expect.stringContaining('ropewalk gc') })
    await expect(fileHoldings(home).settle(place, 1)).rejects.toThrow(/quotaMb/)
    expect(existsSync(join(place, 'large'))).toBe(true)
  })
})
