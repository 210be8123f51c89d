import { readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, concern, judged, red, requested } from '../samples.ts'
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

  const key = { repository: 'repo-1', tree: 't1', command: 'npm test', environmentKey: 'e' }
  const forgeries: [string, string][] = [
    ['for a tree that nobody judged', `UPDATE proofs SET tree = 't9'`],
    ['for another command', `UPDATE proofs SET command = 'make'`],
    ['for another environment', `UPDATE proofs SET environmentKey = 'f'`],
    ['with other counts', `UPDATE proofs SET counts = '{"total":9,"passed":9,"failed":0,"skipped":0}'`],
    ['without counts', 'UPDATE proofs SET counts = NULL'],
    ['with another output', `UPDATE proofs SET outputDigest = 'p'`],
    ['that names another event', 'UPDATE proofs SET version = 1'],
    ['that names findings', 'UPDATE proofs SET version = 3'],
    ['that names no event', 'UPDATE proofs SET version = 99'],
    ['that names no delivery', `UPDATE proofs SET delivery = 'd9'`],
    ['of an event that was altered', `UPDATE events SET record = replace(record, '"passed":3', '"passed":4')`],
    ['of an event with a hash of its own', `UPDATE events SET record = replace(record, '"e"', '"f"'), hash = 'h'`],
  ]
  for (const [what, sql] of forgeries)
    it(`a row of a proof ${what} is worth nothing`, async () => {
      const log = await home.open()
      await log.append(batch('d1', 0, [requested('x'), judged({ tree: 't1', reused: false }), red('t2')]))
      expect(await log.findProof(key)).not.toBeNull()
      home.tamper(sql)
      for (const other of [{}, { tree: 't9' }, { command: 'make' }, { environmentKey: 'f' }])
        expect(await log.findProof({ ...key, ...other })).toBeNull()
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
