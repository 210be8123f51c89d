// One git child that dies by a signal, at every place where one is asked: everything comes to the same end.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listening } from '../../../src/std/running.ts'
import { write } from '../../empty-repository.ts'
import { codeStory, message, openStory, openYard } from '../repository-walk.ts'
import { git, makeUserRepository } from '../user-repository.ts'
import { type Death, type FrailGit, frailGit, type Moment, shares } from './frail-git.ts'

const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'in/c.txt': 'c\n' }

/** What a delivery asks of the port, from the clone to the notes. */
async function walk(user: string, told: string[] = []): Promise<string> {
  const all = async (): Promise<string> => {
    const yard = await openYard(user)
    const { repository, base } = yard
    const commit = await codeStory(yard, 's', (path) => {
      write(path, { 'a.txt': 'aa\n', 'new/d.txt': 'd\n' })
      rmSync(join(path, 'b.txt'))
    })
    await repository.moveRef('refs/ropewalk/d1/story/s/1', null, commit)
    await repository.closeWorkspace({ path: yard.at('s'), archiveAs: 'd1/s/1', kept: [commit] })
    const place = yard.at('place')
    await repository.exportTree(commit, place)
    await repository.dressPlace({ path: place, commit, branch: 'main' })
    expect(readFileSync(join(place, 'a.txt'), 'utf8')).toBe('aa\n')
    await repository.leavePlace(place)
    const other = await openStory(yard, 'left')
    write(other, { 'left.txt': 'left\n' })
    const archived = await repository.closeWorkspace({ path: other, archiveAs: 'd1/left/1', kept: [] })
    expect(await repository.readFile(archived!.commit, 'left.txt')).toBe('left\n')
    expect((await repository.diff(base, commit)).map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'new/d.txt'])
    const { commit: to } = await repository.compose({ onto: base, base, commit, message: message() })
    expect(await repository.moveRef('refs/ropewalk/d1/line', null, to)).toBe(true)
    expect(await repository.land({ branch: 'main', from: base, to })).toEqual({ status: 'landed' })
    const notes = [{ commit: to, add: () => 'said\n' }]
    expect((await repository.addNotes({ at: 1, notes })).status).not.toBe('refused')
    expect(await repository.readNotes([to])).toEqual(new Map([[to, 'said\n']]))
    await repository.removePlaces(yard.at(''))
    await repository.deleteRef('refs/ropewalk/d1/line')
    expect(await repository.readRef('refs/ropewalk/d1/line')).toBeNull()
    return to
  }
  return await listening((text) => told.push(text), all)
}

async function withFrail<T>({ folder }: FrailGit, act: () => Promise<T>): Promise<T> {
  const before = process.env.PATH
  process.env.PATH = `${folder}:${before}`
  try {
    return await act()
  } finally {
    process.env.PATH = before
  }
}

function expectEnd(user: string, to: string): void {
  expect(git(user, 'rev-parse', 'main')).toBe(to)
  expect(git(user, 'status', '--porcelain')).toBe('')
  expect(git(user, 'ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual(['a.txt', 'in/c.txt', 'new/d.txt'])
  const locks = readdirSync(join(user, '.git'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.lock'),
  )
  expect(locks).toEqual([])
  expect(existsSync(join(user, 'b.txt'))).toBe(false)
}

/** All of them take minutes; some of them, others in each part, in every run. */
const every = Number(process.env.ROPEWALK_FRAIL_EVERY ?? 3)

async function expectSameEnd(deaths: Death[]): Promise<void> {
  const user = makeUserRepository(files)
  const dying = frailGit()
  dying.diesAt(...deaths)
  const told: string[] = []
  const where = (): string => deaths.map(({ place, moment }) => `${moment} place ${place}`).join(', ')
  const end = await withFrail(dying, () => walk(user, told)).catch((error) => {
    throw new Error(`${where()} (${dying.died().join('; ')}): ${error.message}`)
  })
  expectEnd(user, end)
  // A walk may ask once less than the calm one did: then nothing died.
  for (const command of dying.died()) {
    const words = command.split(' ').filter((word) => told.join().includes(`git ${word} was ended by SIGKILL`))
    expect(words, `${where()} (${command}): ${told.join()}`).not.toEqual([])
  }
}

describe('a git child that dies by a signal', () => {
  it.each<[Moment, number]>([
    ['before', 0],
    ['in', 1],
    ['after', 2],
  ])(
    '%s it has done its work is asked again, wherever that is, and it is told',
    { timeout: 1_800_000 },
    async (moment, first) => {
      const calm = makeUserRepository(files)
      const frail = frailGit()
      const to = await withFrail(frail, () => walk(calm))
      expectEnd(calm, to)
      const places = frail.asked()
      expect(places).toBeGreaterThan(15)
      const deaths: Death[] = []
      for (let place = 1 + (first % every); place <= places; place += every) deaths.push({ place, moment })
      for (const share of every === 1 ? deaths.map((death) => [death]) : shares(deaths)) await expectSameEnd(share)
    },
  )

  it('every time is a hiccup of the world in the end, and no defect', async () => {
    const user = makeUserRepository(files)
    const frail = frailGit()
    const always = frail.folder
    const { chmodSync, writeFileSync } = await import('node:fs')
    writeFileSync(join(always, 'git'), '#!/bin/sh\nkill -9 $$\n')
    chmodSync(join(always, 'git'), 0o755)
    await expect(withFrail(frail, () => walk(user))).rejects.toMatchObject({
      name: 'TransientError',
      message: expect.stringMatching(/was ended by SIGKILL/),
    })
  })
})
