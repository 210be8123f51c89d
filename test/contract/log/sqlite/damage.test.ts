import { readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, concern } from '../samples.ts'
import { failure, Home } from './home.ts'

let home: Home
beforeEach(async () => {
  home = await Home.make()
})
afterEach(() => home.remove())

describe('damage', () => {
  const changes: [string, string, RegExp][] = [
    ['a changed event', `UPDATE events SET record = replace(record, 'd1-15', 'd1-99') WHERE delivery = 'd1'`, /hash/],
    ['a torn event', `UPDATE events SET record = substr(record, 1, 90) WHERE delivery = 'd1' AND version = 16`, /hash/],
    ['no event', `UPDATE events SET record = NULL WHERE delivery = 'd1' AND version = 16`, /cannot be read/],
    ['a changed hash', `UPDATE events SET hash = hex(hash) WHERE delivery = 'd1' AND version = 16`, /hash/],
    ['a missing event', `DELETE FROM events WHERE delivery = 'd1' AND version = 16`, /missing/],
  ]
  for (const [what, sql, problem] of changes)
    it(`${what} in the middle is located, never skipped; the other delivery goes on`, async () => {
      await home.fill(31)
      home.tamper(sql)
      const log = await home.open()
      const report = await log.verify('d1')
      expect(report).toMatchObject({ status: 'broken', version: 16, problem: expect.stringMatching(problem) })
      const error = await failure(log.read('d1', 0).then(() => log.read('d1', 16)))
      expect(error.message).toContain(home.file)
      expect(error.message).toMatch(/version 16/)
      expect(error.remedy).toMatch(/unlock --salvage/)
      expect(await log.read('d2', 0)).toHaveLength(31)
      expect(await log.append(batch('d2', 31, [concern('on')]))).toMatchObject({ status: 'appended' })
      await log.close()
    })

  it('a lost end is noticed', async () => {
    await home.fill(31)
    home.tamper(`DELETE FROM events WHERE delivery = 'd1' AND version > 29`)
    const log = await home.open()
    expect((await failure(log.read('d1', 0))).message).toMatch(/version 30.*missing/)
    await log.close()
  })

  it('a file of garbage, an empty one and a truncated one are named as damaged, not taken for a log', async () => {
    await home.fill(501)
    const intact = await readFile(home.file)
    for (const content of [Buffer.alloc(20_000, 0xa5), Buffer.alloc(0), intact.subarray(0, intact.length / 2)]) {
      await writeFile(home.file, content)
      const error = await failure(home.open().then((log) => log.read('d1', 0).finally(() => log.close())))
      expect(error.message).toContain(`${home.file} is damaged`)
      expect(error.remedy).toMatch(/unlock --salvage/)
    }
  })
})
