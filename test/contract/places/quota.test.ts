import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileHoldings } from '../../../src/adapters/pool-files/holdings.ts'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { TerminalError, TransientError } from '../../../src/ports/errors.ts'
import type { DiskRoom } from '../../../src/ports/holdings.ts'
import { freshHome, placeIn, plain, project, write } from './rig.ts'

const megabyte = 'x'.repeat(1_000_000)

/** A clean place of 1 MB, unless told otherwise. */
const room = (changes: Partial<DiskRoom>): DiskRoom => ({
  ...{ quotaMb: 10, bytes: 1_000_000, like: 'x', by: 'me', lasting: false },
  ...changes,
})

const workspaceIn = (home: string, name: string): string => join(home, 'workspaces/d1', name)

describe('the quota', () => {
  it('lets a place be made while there is room, and a workspace while its checks have room, too', async () => {
    const home = freshHome()
    placeIn(home, 'one', { large: megabyte })
    const holdings = fileHoldings(home)
    await holdings.makeRoom(join(home, 'places/d1/two'), room({ quotaMb: 2.5 }))
    holdings.release(join(home, 'places/d1/two'))
    const ours = workspaceIn(home, 's1-1')
    await expect(holdings.makeRoom(ours, room({ quotaMb: 2.5, lasting: true }))).rejects.toThrow(TransientError)
    await holdings.makeRoom(ours, room({ quotaMb: 3.5, lasting: true }))
  })

  it('is not asked for once more by a place that is there', async () => {
    const home = freshHome()
    const place = placeIn(home, 'one', { large: megabyte })
    await fileHoldings(home).makeRoom(place, room({ quotaMb: 1.5, lasting: true }))
    const other = fileHoldings(home).makeRoom(join(home, 'places/d1/two'), room({ quotaMb: 1.5 }))
    await expect(other).rejects.toThrow(TransientError)
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
      await pool.fill({ ...plain, key, place, make })
      keys.push(key)
    }
    placeIn(home, 'spare-1', { large: megabyte })
    // a was used later than b.
    expect(await pool.take({ ...plain, key: keys[0]!, place: placeIn(home, 'c', project) })).toBe('taken')
    // Three places, two entries and the spare one are 6 MB, and one more place is to come.
    await fileHoldings(home).makeRoom(join(home, 'places/d1/more'), room({ quotaMb: 6.5 }))
    expect(existsSync(join(home, 'places/d1/spare-1'))).toBe(false)
    expect(await pool.entries()).toHaveLength(2)
    await fileHoldings(home).makeRoom(join(home, 'places/d1/more'), room({ quotaMb: 5.5 }))
    expect((await pool.entries()).map(({ name }) => name)).toEqual([keys[0]])
  })

  it('counts what others are about to make until they leave, and has the next one come again', async () => {
    const holdings = fileHoldings(freshHome())
    const how = { quotaMb: 1.5 }
    await holdings.makeRoom('/p/two', room({ ...how, by: 'other' }))
    await expect(holdings.makeRoom('/p/three', room(how))).rejects.toThrow(TransientError)
    holdings.release('/p/two')
    await holdings.makeRoom('/p/three', room(how))
  })

  it('counts a place that is made by what it takes, and keeps that for it until it is released', async () => {
    const home = freshHome()
    const [holdings, place] = [fileHoldings(home), join(home, 'places/d1/one')]
    await holdings.makeRoom(place, room({ bytes: 2_000_000, quotaMb: 4.5, by: 'other' }))
    write(place, { large: megabyte })
    // Half of it is there, and the other half is still to come.
    const two = join(home, 'places/d1/two')
    await expect(holdings.makeRoom(two, room({ bytes: 3_000_000, quotaMb: 4.5 }))).rejects.toThrow(TransientError)
    await holdings.settle(place)
    await holdings.makeRoom(two, room({ bytes: 3_000_000, quotaMb: 4.5 }))
  })

  it('expects of a place what set-up has added to another like it', async () => {
    const home = freshHome()
    const [holdings, one, two] = [fileHoldings(home), placeIn(home, 'one', {}), join(home, 'places/d1/two')]
    await holdings.makeRoom(one, room({ bytes: 1_000, by: 'other' }))
    write(one, { 'node_modules/large': megabyte })
    await holdings.settle(one)
    await expect(holdings.makeRoom(two, room({ bytes: 1_000, quotaMb: 1.5 }))).rejects.toThrow(TransientError)
    await holdings.makeRoom(two, room({ bytes: 1_000, quotaMb: 1.5, like: 'something else' }))
  })

  it('gives up a place that has become too large, and knows it the next time', async () => {
    const home = freshHome()
    const [holdings, place] = [fileHoldings(home), workspaceIn(home, 's1-1')]
    await holdings.makeRoom(place, room({ bytes: 1_000, quotaMb: 1.5, lasting: true }))
    write(place, { large: megabyte })
    // It fits, and its checks would not.
    await expect(holdings.settle(place)).rejects.toThrow(/3 MB, and workspace\.quotaMb is 1\.5/)
    holdings.release(place)
    const again = holdings.makeRoom(workspaceIn(home, 's2-1'), room({ bytes: 1_000, quotaMb: 1.5, lasting: true }))
    await expect(again).rejects.toThrow(TerminalError)
  })

  it('refuses for good what would not fit alone, and names what helps', async () => {
    const holdings = fileHoldings(freshHome())
    await holdings.makeRoom('/p/one', room({ by: 'other' }))
    const refused = holdings.makeRoom('/p/two', room({ bytes: 11_000_000 }))
    await expect(refused).rejects.toThrow(/would take 11 MB, and workspace\.quotaMb is 10/)
    await expect(refused).rejects.toMatchObject({ remedy: expect.stringContaining('ropewalk gc') })
  })

  it('waits for workspaces that are only there until nobody has moved for long, and removes none', async () => {
    const home = freshHome()
    let now = 1_000_000_000
    const holdings = fileHoldings(home, () => now)
    write(workspaceIn(home, 's1-1'), { large: megabyte })
    const ask = () => holdings.makeRoom('/p/two', room({ quotaMb: 1.5 }))
    await expect(ask()).rejects.toThrow(TransientError)
    now += 170_000
    // Somebody else still works.
    await holdings.makeRoom('/p/small', room({ bytes: 1_000, quotaMb: 1.5, by: 'other' }))
    now += 170_000
    await expect(ask()).rejects.toThrow(TransientError)
    holdings.release('/p/small')
    now += 170_000
    await expect(ask()).rejects.toThrow(TransientError)
    // Others who wait, too, are nobody to wait for.
    holdings.release('/p/two')
    await expect(holdings.makeRoom('/p/three', room({ quotaMb: 1.5, by: 'third' }))).rejects.toThrow(TransientError)
    holdings.release('/p/three')
    now += 20_000
    await expect(ask()).rejects.toThrow(TerminalError)
    expect(existsSync(join(workspaceIn(home, 's1-1'), 'large'))).toBe(true)
  })

  it('waits for nobody where the same step has all of it', async () => {
    let now = 1_000_000_000
    const holdings = fileHoldings(freshHome(), () => now)
    const ask = () => holdings.makeRoom('/p/clean', room({ quotaMb: 2.5, bytes: 2_000_000 }))
    await holdings.makeRoom('/p/workspace', room({ quotaMb: 2.5, lasting: true }))
    await expect(ask()).rejects.toThrow(TransientError)
    now += 200_000
    await holdings.makeRoom('/p/workspace', room({ quotaMb: 2.5, lasting: true }))
    await expect(ask()).rejects.toThrow(TerminalError)
  })

  it('is asked before a copy is taken from the pool, also by one who has waited for it', async () => {
    const home = freshHome()
    const pool = filePool(home)
    const asked: number[] = []
    const ready = async (name: string) => {
      const place = placeIn(home, name, project)
      const key = (await pool.keyOf(place, { run: 'npm ci', reads: [], environment: 'here' }))!
      const make = async () => {
        write(place, { 'node_modules/large': megabyte })
        return { ok: true }
      }
      const enlarge = async (bytes: number) => {
        asked.push(bytes)
        throw new TransientError('no room')
      }
      return await pool.fill({ ...plain, key, place, make, enlarge })
    }
    const ends = await Promise.allSettled([ready('one'), ready('two')])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(asked.map((bytes) => bytes > 1_000_000)).toEqual([true])
    const large = (name: string): boolean => existsSync(join(home, 'places/d1', name, 'node_modules'))
    expect([large('one'), large('two')].filter(Boolean)).toHaveLength(1)
  })

  it('keeps no copy that it has no room for', async () => {
    const home = freshHome()
    const holdings = fileHoldings(home)
    const place = placeIn(home, 'one', { large: megabyte })
    await holdings.makeRoom(place, room({ quotaMb: 1.5 }))
    let kept = 0
    const keep = async () => ++kept
    expect(await holdings.besides(place, 1_000_000, keep)).toBeNull()
    expect(await holdings.besides(place, 1_000, keep)).toBe(1)
    // Nobody counts there.
    expect(await holdings.besides('/p/free', 1_000_000_000, keep)).toBe(2)
  })
})
