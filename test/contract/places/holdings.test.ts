import { spawn } from 'node:child_process'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAlive, processStart } from '../../../src/adapters/pool-files/claims.ts'
import { fileHoldings } from '../../../src/adapters/pool-files/holdings.ts'
import { bundled } from './bundled.ts'
import { freshHome, write } from './rig.ts'

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

it('is on record for us alone, also where the record was open to others', async () => {
  const home = freshHome()
  await fileHoldings(home).hold('/p/one', 1)
  const rights = (): number[] => readdirSync(home).map((name) => statSync(join(home, name)).mode & 0o777)
  expect(new Set(rights())).toEqual(new Set([0o600]))
  chmodSync(join(home, 'holdings.sqlite'), 0o644)
  await fileHoldings(home).hold('/p/two', 1)
  expect(statSync(join(home, 'holdings.sqlite')).mode & 0o777).toBe(0o600)
  await fileHoldings(join(home, 'made/by/us')).hold('/p/one', 1)
  expect(statSync(join(home, 'made/by/us')).mode & 0o777).toBe(0o700)
})

it('tells a process from a later one with its pid by when it was started, also without /proc', () => {
  const born = processStart(process.pid)
  expect(born).toMatch(/\d\d:\d\d:\d\d/)
  expect(isAlive({ pid: process.pid, born })).toBe(true)
  expect(isAlive({ pid: process.pid, born: 'Thu Jan  1 00:00:00 1970' })).toBe(false)
  expect(processStart(2 ** 22 + 1)).toBeNull()
})
