// Killed at each moment of filling the pool and taking from it: gc frees what is left, and the next one goes on.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { gc } from '../../../src/desk/gc/gc.ts'
import type { Visit } from '../../../src/desk/world.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { bundled } from './bundled.ts'
import { freshHome, placeIn, plain, project, write } from './rig.ts'

let program = ''
beforeAll(async () => {
  program = await bundled(new URL('half-way.ts', import.meta.url))
})

async function killedAt(moment: string): Promise<string> {
  const home = freshHome()
  const args = [program, home, placeIn(home, 'first', project), moment]
  const child = spawn(process.execPath, args, { env: { NODE_PATH: resolve('node_modules'), PATH: process.env.PATH } })
  const signal = await new Promise((done) => child.once('exit', (_, by) => done(by)))
  expect(signal).toBe('SIGKILL')
  return home
}

async function freed(home: string): Promise<{ kind: string; path: string }[]> {
  const pool = filePool(home)
  const world = {
    ...{ home, log: async () => memoryLog({ isAlive: () => true }), pool: async () => pool },
    ...{ abandoned: async () => [], bringDownAbandoned: async () => {}, housed: () => [] },
    folders: () => ({}),
  }
  const flags = { all: false, transcripts: false, sessions: false, archives: false }
  return (await gc({ world } as unknown as Visit, { ...flags, free: true, olderThanMs: null })).waste
}

const innerNames = (home: string): string[] =>
  readdirSync(join(home, 'pools')).flatMap((name) => [name, ...readdirSync(join(home, 'pools', name))])

describe('a kill', () => {
  it.each<[moment: string, left: RegExp | null]>([
    ['pool:made', null],
    ['pool:copied', /\.making-/],
    ['pool:described', /\.making-/],
    ['pool:kept', null],
    ['pool:spare-copied', /\/making-/],
    ['pool:taking', /\/taking-/],
    ['pool:taken', /\/taking-/],
  ])('at %s leaves nothing that gc does not free, and nothing that anybody waits for', async (moment, left) => {
    const home = await killedAt(moment)
    const waste = (await freed(home)).filter(({ kind }) => kind === 'pools')
    expect(waste.map(({ path }) => path)).toEqual(left === null ? [] : [expect.stringMatching(left)])
    if (existsSync(join(home, 'pools')))
      expect(innerNames(home).filter((name) => /making-|taking-|leaving-/.test(name))).toEqual([])
    const pool = filePool(home)
    const place = placeIn(home, 'next', project)
    const key = (await pool.keyOf(place, { run: 'npm ci', reads: [], environment: 'here' }))!
    const make = async () => {
      write(place, { 'node_modules/half': '' })
      return { ok: true }
    }
    await pool.fill({ ...plain, key, place, make })
    expect(readFileSync(join(place, 'node_modules/half'), 'utf8')).toBe('')
    expect((await pool.entries()).map(({ name }) => name)).toEqual([key])
  })
})
