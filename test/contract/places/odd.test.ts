// What set-up may leave in a place: the pool has a right copy of it, or none, and says why.
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openClaims } from '../../../src/adapters/pool-files/claims.ts'
import { chunks } from '../../../src/adapters/pool-files/copy.ts'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { TerminalError } from '../../../src/ports/errors.ts'
import { bundled } from './bundled.ts'
import { freshHome, placeIn, plain, project, write } from './rig.ts'

const facts = { run: 'npm ci', reads: [], environment: 'here' }
type Make = (place: string) => unknown

function openPool(home = freshHome()) {
  const pool = filePool(home)
  let runs = 0
  const ready = async (name: string, make: Make, changes: Partial<typeof plain> = {}) => {
    const place = placeIn(home, name, project)
    const key = (await pool.keyOf(place, facts))!
    const made = await pool.fill({
      ...{ ...plain, ...changes, key, place },
      make: async () => {
        runs++
        await make(place)
        await pool.separate(place)
        return { ok: true }
      },
    })
    return { place, key, taken: made === null }
  }
  return { home, pool, ready, runs: () => runs }
}

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => lstatSync(join(root, name)).isFile())

const inodesIn = (root: string): number[] => filesIn(root).map((name) => statSync(join(root, name)).ino)

const modules = (place: string): string => {
  mkdirSync(join(place, 'node_modules'), { recursive: true })
  return join(place, 'node_modules')
}

describe('set-up', () => {
  it.each<[string, Make, RegExp]>([
    ['a pipe', (p) => execFileSync('mkfifo', [join(modules(p), 'pipe')]), /a pipe.*node_modules\/pipe/],
    ['a pipe on top', (p) => execFileSync('mkfifo', [join(p, 'pipe')]), /a pipe.*: pipe/],
    ['a socket', (p) => listenOn(join(modules(p), 's')), /a socket.*node_modules\/s/],
    [
      'a link out of the place',
      (p) => symlinkSync('../../x', join(modules(p), 'x')),
      /works only where it is.*modules\/x/,
    ],
    [
      'a link out of the place and back into it',
      (p) => symlinkSync(`../../${basename(p)}/src/a.ts`, join(modules(p), 'x')),
      /works only where it is/,
    ],
    ['a link into the place by its name', (p) => symlinkSync(join(p, 'src'), join(modules(p), 'x')), /only where/],
  ])('that leaves %s is run in each place, and it is known why', async (_, make, why) => {
    const { ready, runs, pool } = openPool()
    for (const name of ['one', 'two']) expect((await ready(name, make)).taken).toBe(false)
    expect(runs()).toBe(2)
    expect((await pool.entries())[0]?.own).toMatch(why)
  })

  it('that links within what it makes, or to what is not ours, is shared with its links', async () => {
    const { ready } = openPool()
    const make = (place: string) => {
      write(place, { 'node_modules/a/index.js': 'a' })
      symlinkSync('../a/index.js', join(place, 'node_modules/a/self.js'))
      symlinkSync('/usr/bin/env', join(place, 'node_modules/env'))
      symlinkSync('../src/a.ts', join(place, 'node_modules/ours'))
    }
    await ready('one', make)
    const { place, taken } = await ready('two', make)
    expect(taken).toBe(true)
    expect(readFileSync(join(place, 'node_modules/a/self.js'), 'utf8')).toBe('a')
    expect(readFileSync(join(place, 'node_modules/ours'), 'utf8')).toBe(project['src/a.ts'])
  })

  it('that links its files to each other and to a store makes places that share no file', async () => {
    const { home, ready, pool } = openPool()
    write(home, { 'store/x': 'x' })
    const make = (place: string) => {
      for (const name of ['a', 'b']) linkSync(join(home, 'store/x'), join(modules(place), name))
      linkSync(join(place, 'src/a.ts'), join(place, 'node_modules/tracked'))
    }
    const first = await ready('one', make)
    const second = await ready('two', make)
    const [entry] = await pool.entries()
    const all = [first.place, second.place, join(home, 'store'), entry!.path].flatMap(inodesIn)
    expect(new Set(all).size).toBe(all.length)
    // Linking a tracked file has touched it, so that each place has run it.
    expect(second.taken).toBe(false)
  })

  it('that leaves folders which may not be written to is shared as it is, and can be removed', async () => {
    const { taken, mode, left, links } = await asNobody('0555')
    expect([taken, mode, left, links]).toEqual([true, 0o555, [], [1, 1]])
  })

  it('that leaves folders which may not be read is refused by name', async () => {
    const { failed } = await asNobody('0000')
    expect(failed).toMatch(/^TerminalError: .*node_modules\/closed may not be read/)
  })

  it('that leaves many long names is shared, and no command line is too long', async () => {
    const { ready } = openPool()
    const names = Array.from({ length: 800 }, (_, index) => `${'n'.repeat(200)}-${index}`)
    const lines = chunks(names)
    expect(lines.flat()).toEqual(names)
    expect(Math.max(...lines.map((line) => line.join(' ').length))).toBeLessThan(100_000)
    const make = (place: string) => {
      for (const name of names) writeFileSync(join(place, name), '')
    }
    await ready('one', make)
    const { place, taken } = await ready('two', make)
    expect(taken).toBe(true)
    expect(readdirSync(place).length).toBe(names.length + Object.keys(project).length)
  })
})

/** Root may do everything, so that another user has to try it. */
async function asNobody(
  rights: string,
): Promise<{ taken: boolean; mode: number; left: string[]; links: number[]; failed: string }> {
  const home = freshHome()
  const program = await bundled(new URL('closed.ts', import.meta.url))
  const who = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null
  if (who !== null) for (const path of [home, dirname(program), program]) chownSync(path, who.uid, who.gid)
  const env = { NODE_PATH: resolve('node_modules'), PATH: process.env.PATH }
  return JSON.parse(execFileSync(process.execPath, [program, home, rights], { ...who, env, encoding: 'utf8' }))
}

const listenOn = (path: string): Promise<void> =>
  new Promise((done) => {
    const server = createServer().unref()
    server.listen(path, done)
  })

describe('the pool', () => {
  it('waits so long for one who may be gone, and then each place makes its own', async () => {
    const { home, pool, ready, runs } = openPool()
    const key = (await pool.keyOf(placeIn(home, 'look', project), facts))!
    // As on a system that does not tell when a process was started: the pid is somebody else's by now.
    const { DatabaseSync } = await import('@photostructure/sqlite')
    openClaims(home).take('pool', 'another', '')
    const database = new DatabaseSync(join(home, 'holdings.sqlite'))
    database.prepare('INSERT INTO claims VALUES (?, ?, ?, NULL, ?)').run('pool', key, process.ppid, '')
    const { taken } = await ready('one', (place) => write(place, { 'node_modules/x': 'x' }), { longestMs: 300 })
    expect([taken, runs()]).toEqual([false, 1])
    database.close()
  })

  it('keeps nothing where there is no room for it', async () => {
    const { home, ready } = openPool()
    const make = (place: string) => write(place, { 'node_modules/x': 'x' })
    await ready('one', make, { keeping: async () => null })
    expect(existsSync(join(home, 'pools'))).toBe(false)
  })

  const asRoot = process.getuid?.() === 0
  it.runIf(asRoot)(
    'says so when the disk is full, leaves nothing half-made, and goes on when there is space',
    async () => {
      const home = freshHome()
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'tmpfs', home])
      try {
        const { pool, ready } = openPool(home)
        const make = (place: string) => write(place, { 'node_modules/large': 'x'.repeat(2_000_000) })
        // A place and its copy fit; two places and a copy do not.
        const first = await ready('one', make)
        await expect(ready('two', make)).rejects.toMatchObject({
          name: TerminalError.name,
          message: expect.stringContaining('disk full'),
          remedy: expect.stringContaining('ropewalk gc'),
        })
        expect(existsSync(join(home, 'places/d1/two/node_modules'))).toBe(false)
        execFileSync('rm', ['-rf', join(first.place, 'node_modules')])
        expect((await ready('two', make)).taken).toBe(true)
        // Nor is there space for the copy of something else.
        execFileSync('rm', ['-rf', join(home, 'places')])
        write(home, { filler: 'x'.repeat(2_000_000) })
        await pool.remove(first.key)
        await expect(ready('three', (p) => write(p, { 'node_modules/large': 'x'.repeat(2_500_000) }))).rejects.toThrow(
          /disk full/,
        )
        expect(readdirSync(join(home, 'pools'))).toEqual([])
      } finally {
        execFileSync('umount', ['-l', home])
      }
    },
  )
})
