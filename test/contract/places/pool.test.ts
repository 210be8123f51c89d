import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { bundled } from './bundled.ts'
import { freshHome, placeIn, plain, project, write } from './rig.ts'

const facts = { run: 'npm ci', reads: [], environment: 'here' }

/** What an installer makes: files, a program, a link, a folder within the project's own. */
function installed(place: string): void {
  write(place, { 'node_modules/dep/main.js': 'dep', 'node_modules/dep/run': '#!/bin/sh\n', 'src/gen/b.ts': 'b' })
  chmodSync(join(place, 'node_modules/dep/run'), 0o755)
  symlinkSync('dep/run', join(place, 'node_modules/run'))
}

function openPool() {
  const home = freshHome()
  const pool = filePool(home)
  let runs = 0
  const ready = async (name: string, files: Record<string, string> = project, make = installed) => {
    const place = placeIn(home, name, files)
    const key = (await pool.keyOf(place, facts))!
    const made = await pool.fill({
      ...{ ...plain, key, place },
      make: async () => {
        runs++
        make(place)
        return { ok: true }
      },
    })
    return { place, key, taken: made === null }
  }
  return { home, pool, ready, runs: () => runs, files: (key: string) => join(home, 'pools', key, 'files') }
}

const inodesIn = (root: string): number[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => lstatSync(join(root, name)).ino)

describe('the pool', () => {
  it('gives a second place what set-up made in the first, as it was, and shares no inode', async () => {
    const { ready, runs, files } = openPool()
    const first = await ready('one')
    const second = await ready('two', { ...project, 'src/a.ts': 'changed by a story' })
    expect([first.taken, second.taken, runs()]).toEqual([false, true, 1])
    expect(second.key).toBe(first.key)
    expect(readFileSync(join(second.place, 'node_modules/dep/main.js'), 'utf8')).toBe('dep')
    expect(readFileSync(join(second.place, 'src/gen/b.ts'), 'utf8')).toBe('b')
    expect(readFileSync(join(second.place, 'src/a.ts'), 'utf8')).toBe('changed by a story')
    expect(statSync(join(second.place, 'node_modules/run')).mode & 0o777).toBe(0o755)
    const all = [first.place, second.place, files(first.key)].map(inodesIn)
    expect(new Set(all.flat()).size).toBe(all.flat().length)
  })

  it('leaves alone what a commit has where set-up makes something: that place runs it by itself', async () => {
    const { ready, runs } = openPool()
    const first = await ready('one')
    const committed = { ...project, 'node_modules/dep/main.js': 'of the commit' }
    const second = await ready('two', committed, () => {})
    expect([second.key === first.key, second.taken, runs()]).toEqual([true, false, 2])
    expect(readFileSync(join(second.place, 'node_modules/dep/main.js'), 'utf8')).toBe('of the commit')
    expect((await ready('three')).taken).toBe(true)
  })

  it.each<[string, Record<string, string>]>([
    ['the lock file', { 'package-lock.json': '{"packages":{"node_modules/x":{}}}' }],
    ['a manifest', { 'package.json': '{"name":"x","dependencies":{"y":"1"}}' }],
    ['the settings of the installer', { '.npmrc': 'omit=dev' }],
    ['a package of the project', { 'packages/p/package.json': '{}' }],
  ])('has another key when a story changes %s', async (_, changed) => {
    const { ready } = openPool()
    const { key } = await ready('one')
    const other = await ready('two', { ...project, ...changed })
    expect(other.key).not.toBe(key)
    expect(other.taken).toBe(false)
  })

  it('has another key when what an input links to has changed', async () => {
    const { home, pool } = openPool()
    const keys = ['1', '2'].map(async (name) => {
      const place = placeIn(home, name, { ...project, 'config/npm': `omit=${name}` })
      symlinkSync('config/npm', join(place, '.npmrc'))
      return await pool.keyOf(place, facts)
    })
    expect(new Set(await Promise.all(keys)).size).toBe(2)
  })

  it('has another key for another command and another machine', async () => {
    const { home, pool } = openPool()
    const place = placeIn(home, 'one', project)
    const keys = [facts, { ...facts, run: 'npm ci --omit=dev' }, { ...facts, environment: 'there' }]
    expect(new Set(await Promise.all(keys.map((one) => pool.keyOf(place, one)))).size).toBe(3)
  })

  it.each<[string, string, Record<string, string>]>([
    ['a command that it does not know', './setup.sh', project],
    ['an installer together with something else', 'npm ci && docker compose up -d', project],
    ['no lock file', 'npm ci', { 'package.json': '{}' }],
  ])('has no key for %s', async (_, run, files) => {
    const { home, pool } = openPool()
    expect(await pool.keyOf(placeIn(home, 'one', files), { ...facts, run })).toBeNull()
  })

  it.each<[string, string]>([
    ['runs code of the project', '{"scripts":{"postinstall":"node build.js"}}'],
    ['copies a folder of the project', '{"dependencies":{"y":"file:./y"}}'],
  ])('makes the whole place the key where the installer %s', async (_, manifest) => {
    const { ready } = openPool()
    const files = { ...project, 'package.json': manifest }
    const one = await ready('one', files)
    expect((await ready('same', files)).taken).toBe(true)
    expect((await ready('two', { ...files, 'src/a.ts': 'other' })).key).not.toBe(one.key)
  })

  it.each<[string, (place: string) => void]>([
    ['writes down where it is', (place) => write(place, { '.venv/bin/tool': `#!${place}/.venv/bin/python` })],
    [
      'links to where it is',
      (place) => [mkdirSync(join(place, 'm')), symlinkSync(join(place, 'src'), join(place, 'm/l'))],
    ],
    ['changes a tracked file', (place) => write(place, { 'package-lock.json': '{}', 'node_modules/x': 'x' })],
    ['removes a tracked file', (place) => [rmSync(join(place, 'src/a.ts')), write(place, { 'node_modules/x': 'x' })]],
    ['leaves nothing in the place', () => {}],
  ])('lets each place run a set-up by itself that %s', async (_, make) => {
    const { ready, runs } = openPool()
    for (const name of ['one', 'two', 'three']) expect((await ready(name, project, make)).taken).toBe(false)
    expect(runs()).toBe(3)
  })

  it.each<[string, (files: string) => void]>([
    ['changed, its size and age kept', (files) => keepingAge(join(files, 'node_modules/dep/main.js'), 'pwn')],
    ['cut off', (files) => writeFileSync(join(files, 'node_modules/dep/main.js'), '')],
    ['removed', (files) => rmSync(join(files, 'node_modules/dep/main.js'))],
    ['added', (files) => writeFileSync(join(files, 'node_modules/dep/more.js'), '')],
    [
      'led elsewhere',
      (files) => [rmSync(join(files, 'node_modules/run')), symlinkSync('/bin/sh', join(files, 'node_modules/run'))],
    ],
    ['removed with all the rest', (files) => rmSync(files, { recursive: true })],
    ['described by something else', (files) => writeFileSync(join(files, '../entry.json'), '{"status":"shared"')],
  ])('makes it anew when a file was %s', async (_, harm) => {
    const { ready, files, runs } = openPool()
    const { key } = await ready('one')
    harm(files(key))
    const second = await ready('two')
    expect([second.taken, runs()]).toEqual([false, 2])
    expect((await ready('three')).taken).toBe(true)
  })

  it('keeps nothing of a set-up that failed', async () => {
    const { home, pool } = openPool()
    const place = placeIn(home, 'one', project)
    const key = (await pool.keyOf(place, facts))!
    const request = { ...plain, key, place }
    expect(await pool.fill({ ...request, make: async () => ({ ok: false, why: 'no network' }) })).toMatchObject({
      ok: false,
    })
    expect(await pool.take({ ...plain, key, place })).toBe('none')
    expect(await pool.entries()).toEqual([])
  })

  it('makes what several need at once only once', async () => {
    const { home, ready, runs } = openPool()
    const made = await Promise.all(['one', 'two', 'three'].map((name) => ready(name)))
    expect(made.map(({ taken }) => taken).sort()).toEqual([false, true, true])
    expect(runs()).toBe(1)
    expect(readdirSync(join(home, 'pools'))).toHaveLength(1)
  })

  it('takes nothing from one that was killed half-way, and waits for nobody who is gone', async () => {
    const { home, ready, runs } = openPool()
    const place = placeIn(home, 'killed', project)
    const program = await bundled(new URL('half-way.ts', import.meta.url))
    const child = spawn(process.execPath, [program, home, place], { env: { NODE_PATH: resolve('node_modules') } })
    await new Promise<void>((done) => child.stdout.once('data', () => done()))
    child.kill('SIGKILL')
    await new Promise((done) => child.once('exit', done))
    write(join(home, 'pools', `${(await filePool(home).keyOf(placeIn(home, 'look', project), facts))!}.making-dead`), {
      'files/x': 'half',
    })
    const next = await ready('two')
    expect([next.taken, runs()]).toEqual([false, 1])
    expect(readdirSync(join(home, 'pools'))).toEqual([next.key])
  })

  it('copies nothing through a link that a story has put in the way', async () => {
    const { home, ready } = openPool()
    const files = { ...project, 'packages/p/package.json': '{}' }
    await ready('one', files, (place) => write(place, { 'packages/p/node_modules/x': 'x' }))
    const outside = join(home, 'outside')
    mkdirSync(join(outside, 'p'), { recursive: true })
    const pool = filePool(home)
    const key = (await pool.keyOf(placeIn(home, 'plain', files), facts))!
    const place = placeIn(home, 'two', project)
    symlinkSync(outside, join(place, 'packages'))
    expect(await pool.take({ ...plain, key, place })).toBe('none')
    expect(existsSync(join(outside, 'p/node_modules'))).toBe(false)
  })

  it('makes a copy ahead when told to, and gives it to the next one, unless somebody has touched it', async () => {
    const { home, pool, ready, files } = openPool()
    const { key } = await ready('one')
    const folder = join(files(key), '..')
    const spares = () => readdirSync(folder).filter((name) => name.startsWith('spare-'))
    const take = (name: string, ahead: boolean) => {
      const place = placeIn(home, name, project)
      return pool.take({ ...plain, key, place, ahead }).then((how) => ({ how, place }))
    }
    await take('two', true)
    // The next one waits for it, and has it.
    const three = await take('three', false)
    expect([three.how, spares()]).toEqual(['taken', []])
    expect(readFileSync(join(three.place, 'node_modules/dep/main.js'), 'utf8')).toBe('dep')
    expect(inodesIn(three.place).some((inode) => inodesIn(files(key)).includes(inode))).toBe(false)
    await take('four', true)
    while (spares().length === 0) await new Promise((later) => setTimeout(later, 10))
    keepingAge(join(folder, spares()[0]!, 'files/node_modules/dep/main.js'), 'pwn')
    const five = await take('five', false)
    expect([five.how, spares()]).toEqual(['taken', []])
    expect(readFileSync(join(five.place, 'node_modules/dep/main.js'), 'utf8')).toBe('dep')
    expect(readdirSync(folder).sort()).toEqual(['entry.json', 'files'])
  })

  it('leaves nothing half-made when it is closed', async () => {
    const { home, pool, ready, files } = openPool()
    const { key } = await ready('one')
    await pool.take({ ...plain, key, place: placeIn(home, 'two', project), ahead: true })
    await pool.close()
    expect(readdirSync(join(files(key), '..')).filter((name) => name.startsWith('making-'))).toEqual([])
  })

  it('gives files a life of their own that a store has linked into a place', async () => {
    const { home, pool } = openPool()
    const place = placeIn(home, 'one', project)
    write(home, { 'store/x': 'x' })
    mkdirSync(join(place, 'node_modules'))
    linkSync(join(home, 'store/x'), join(place, 'node_modules/x'))
    await pool.separate(place)
    writeFileSync(join(place, 'node_modules/x'), 'spoilt')
    expect(readFileSync(join(home, 'store/x'), 'utf8')).toBe('x')
  })
})

function keepingAge(file: string, text: string): void {
  const { atime, mtime, size } = statSync(file)
  expect(text).toHaveLength(size)
  execFileSync('sh', ['-c', 'printf %s "$1" > "$2"', 'sh', text, file])
  utimesSync(file, atime, mtime)
}
