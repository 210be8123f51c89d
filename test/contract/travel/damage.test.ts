import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { fileBlobs } from '../../../src/adapters/blobs-files/blobs.ts'
import { systemClock } from '../../../src/adapters/clock-system/clock.ts'
import { keptRefs } from '../../../src/adapters/git/refs.ts'
import { openRepositories } from '../../../src/adapters/git/repositories.ts'
import { openSqliteLog } from '../../../src/adapters/log-sqlite/log.ts'
import { salvage } from '../../../src/adapters/log-sqlite/salvage.ts'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { filePulses } from '../../../src/adapters/pulses-files/pulses.ts'
import { fileWake } from '../../../src/adapters/wake-files/wake.ts'
import { type House, runProgram } from '../../../src/cli/program.ts'
import { describeError } from '../../../src/cli/show/error-text.ts'
import { openDesk } from '../../../src/desk/desk.ts'
import type { DeskWorld } from '../../../src/desk/world.ts'
import { sealed, stateShape } from '../../../src/engine/load.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { once } from '../../../src/std/once.ts'
import { Player } from '../../simulation/player.ts'
import { fold, policy, requested, story } from '../../simulation/sample.ts'
import { git, makeUserRepository } from '../user-repository.ts'

// Every damage to the log, and every verb that reads it.

const id = 'd'
const verbs = [
  ...[
    ['status'],
    ['status', '--all'],
    ['log'],
    ['cost'],
    ['why', 'one'],
    ['report'],
    ['inbox'],
    ['replay'],
    ['export'],
  ],
  ...[['plan'], ['resume'], ['retry', 'one'], ['stop'], ['gc'], ['doctor']],
]

/** Nothing can be told of any delivery. */
const whole: Record<string, (file: string) => void> = {
  emptied: (file) => truncateSync(file, 0),
  deleted: (file) => rmSync(file),
  'of garbage': (file) => writeFileSync(file, 'x'.repeat(20_000)),
  'of text': (file) => writeFileSync(file, '{"deliveries":[]}\n'),
  'a folder': (file) => {
    rmSync(file)
    mkdirSync(file)
  },
  'another database': (file) => {
    rmSync(file)
    sql('CREATE TABLE other(one TEXT)')(file)
  },
  'without its tables': sql('DROP TABLE events; DROP TABLE deliveries'),
  'without a list of its deliveries': sql('DELETE FROM deliveries'),
  'with a list of nonsense': sql("UPDATE deliveries SET title = 7, version = 'many', requestedAt = NULL"),
  'cut after its first page': (file) => truncateSync(file, 4096),
  'with a page of zeros': (file) => {
    const [{ page }] = rowsOf(file, "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'events'") as [
      { page: number },
    ]
    overwrite(file, (page - 1) * 4096)
  },
}

/** Something is wrong with an event: whoever meets it says so. */
const within: Record<string, (file: string) => void> = {
  'JSON that is no event': sql('UPDATE events SET record = \'[1,2]\n{"a":1}\' WHERE version = 3'),
  'JSON of null': sql("UPDATE events SET record = 'null\nnull' WHERE version = 3"),
  'a number': sql('UPDATE events SET record = 17 WHERE version = 3'),
  'wrong types': sql(
    "UPDATE events SET record = replace(record, '\"version\":', '\"vers\":') || ' ' WHERE version = 3",
  ),
  'a wrong hash': sql("UPDATE events SET hash = 'f00' WHERE version = 3"),
  'another head': sql("UPDATE deliveries SET head = 'f00'"),
  'another number of events': sql('UPDATE deliveries SET version = version + 5'),
  'an event missing': sql('DELETE FROM events WHERE version = 3'),
}

/** What is only kept to be fast is worth nothing when it was damaged. */
const beside: Record<string, (file: string) => void> = {
  'a snapshot of nonsense': sql("UPDATE snapshots SET state = 'nonsense'"),
  'a snapshot of something else': sql('UPDATE snapshots SET state = \'{"version":9999}\''),
  'a snapshot that was changed': sql("UPDATE snapshots SET state = replace(state, 'Make', 'Break')"),
}

let folder: string
let intact: string
let repository: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ropewalk-damage-'))
  intact = join(folder, 'intact')
  repository = makeUserRepository({ 'a.txt': 'a\n' }, 'main')
  const { find } = openRepositories({ home: intact })
  const begun = requested(policy(), [story('one')]).map((event) =>
    event.type === 'DeliveryRequested' ? { ...event, base: git(repository, 'rev-parse', 'HEAD').trim() } : event,
  )
  const here = await find(repository)
  const events = begun.map((event) => (event.type === 'DeliveryRequested' ? { ...event, repository: here } : event))
  const player = new Player(policy(), [story('one')], events)
  player.perform('CodeStory one')
  const log = await openSqliteLog(intact, fileBlobs(intact))
  const fresh = [...events, ...player.log].map((event) => ({ at: 1, actor: 'ada', cause: null, event }))
  await log.append({ delivery: id, expected: 0, events: fresh, fence: null, slots: [] })
  await log.saveSnapshot(id, 2, stateShape, sealed(fold(events.slice(0, 2))))
  await log.close()
  const clone = await openRepositories({ home: intact }).open(here)
  await clone.moveRef(`refs/ropewalk/${id}/line`, null, await clone.fetchTarget('main'))
  mkdirSync(join(intact, 'workspaces', id, 'one'), { recursive: true })
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000)

const opened: EventLog[] = []
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close()
})

it('a log that has forgotten all is not taken for a new one, and what is left is listed', async () => {
  const home = damaged(sql('DELETE FROM events; DELETE FROM deliveries'))
  for (const verb of [['status'], ['status', '--all'], ['log'], ['cost'], ['resume'], ['inbox'], ['doctor']])
    expect(await says(home, verb), verb.join(' ')).toMatch(/knows no delivery(.|\n)*work of 1(.|\n)*unlock --salvage/)
  expect(await says(home, ['unlock', '--salvage'])).toContain(`refs/ropewalk/${id}/line`)
})

describe.each(Object.keys(whole))('a log that is %s', (damage) => {
  it('is named as damaged by every verb, with what helps; and salvage keeps and lists what is left', async () => {
    const home = damaged(whole[damage]!)
    for (const verb of verbs) {
      const said = await says(home, verb)
      expect(said, verb.join(' ')).toMatch(/the log \S+ is damaged: (.|\n)*ropewalk unlock --salvage/)
      expect(said, verb.join(' ')).not.toMatch(/unexpected|defect of|no deliver(?:y|ies) yet|\n +at /)
    }
    const salvaged = await says(home, ['unlock', '--salvage'])
    expect(salvaged).toMatch(/usable again|There is a log again/)
    if (!/d +\d+ kept/.test(salvaged))
      expect(salvaged).toMatch(
        /knows nothing of these(.|\n)*d\n(.|\n)*git --git-dir \S+ log refs\/ropewalk\/d\/line(.|\n)*workspaces\/d/,
      )
    expect(existsSync(join(home, 'workspaces', id, 'one'))).toBe(true)
    expect(await says(home, ['status', '--all'])).not.toMatch(/damaged|unexpected/)
  }, 60_000)
})

describe.each(Object.keys(within))('a log with %s', (damage) => {
  it('is told apart by every verb that meets it, and the rest is kept by salvage', async () => {
    const home = damaged(within[damage]!)
    const said = new Map<string, string>()
    for (const verb of verbs) said.set(verb.join(' '), await says(home, verb))
    for (const [verb, text] of said)
      expect(text, verb).not.toMatch(/unexpected|defect of|no deliver(?:y|ies) yet|\n +at /)
    for (const verb of ['status', 'why one', 'report', 'replay', 'export', 'plan', 'resume', 'retry one', 'cost'])
      expect(said.get(verb), verb).toMatch(/the log \S+ is damaged: (.|\n)*ropewalk unlock --salvage/)
    expect(await says(home, ['unlock', '--salvage'])).toMatch(/d +\d+ kept/)
    expect(await says(home, ['status'])).not.toMatch(/damaged|unexpected/)
  }, 60_000)
})

describe.each(Object.keys(beside))('a log with %s', (damage) => {
  it('is read as if it had none', async () => {
    const [sound, home] = [damaged(() => {}), damaged(beside[damage]!)]
    for (const verb of [['status'], ['why', 'one'], ['report']])
      expect((await says(home, verb)).replaceAll(home, ''), verb.join(' ')).toBe(
        (await says(sound, verb)).replaceAll(sound, ''),
      )
  }, 60_000)
})

let count = 0

function damaged(damage: (file: string) => void): string {
  const home = join(folder, `home-${++count}`)
  cpSync(intact, home, { recursive: true })
  damage(join(home, 'log.sqlite'))
  return home
}

/** All that a verb prints, also when it ends badly. */
async function says(home: string, args: string[]): Promise<string> {
  let text = ''
  const write = (chunk: unknown) => {
    text += String(chunk)
    return true
  }
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(write)
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(write)
  try {
    const desk: House['desk'] = (visitor) => openDesk(worldOf(home), { ...visitor, folder, user: 'ada' })
    await runProgram(args, { version: 'test', home, examples: '', desk })
  } catch (error) {
    text += describeError(error, {}).text
  } finally {
    out.mockRestore()
    err.mockRestore()
  }
  return text
}

/** Of the parts that these verbs use, as main puts them together. */
function worldOf(home: string): DeskWorld {
  const log = once(async () => {
    const open = await openSqliteLog(home, fileBlobs(home))
    opened.push(open)
    return open
  })
  const parts: Partial<DeskWorld> = {
    ...{ home, env: {}, userFile: join(home, 'none.yaml'), log },
    intake: async () => ({ log: await log(), clock: systemClock(), wake: fileWake(home) }),
    repositories: async () => openRepositories({ home }),
    repositoryId: async () => null,
    pulses: async () => filePulses(home),
    pool: async () => filePool(home),
    abandoned: async () => [],
    gitVersion: async () => '2.40.0',
    folders: (delivery) => ({ workspaces: join(home, 'workspaces', delivery) }) as never,
    housed: () => [id],
    salvage: () => salvage(home, fileBlobs(home)),
    keptRefs: () => keptRefs(home),
  }
  return parts as DeskWorld
}

function sql(text: string): (file: string) => void {
  return (file) => {
    const db = new DatabaseSync(file)
    db.exec(text)
    db.close()
  }
}

function rowsOf(file: string, text: string): unknown[] {
  const db = new DatabaseSync(file)
  const rows = db.prepare(text).all()
  db.close()
  return rows
}

function overwrite(file: string, at: number): void {
  const bytes = Buffer.alloc(4096)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, at)
  closeSync(handle)
}
