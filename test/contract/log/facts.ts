import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../../src/delivery/events.ts'
import type { Given } from './given.ts'
import { batch, judged, red, refused, requested, spent } from './samples.ts'

export function keepsFacts(given: Given): void {
  describe('facts across deliveries', () => {
    const key = { repository: 'repo-1', tree: 't1', command: 'npm test', environmentKey: 'e' }

    it('finds a proof by repository, tree, command and environment', async () => {
      await given.log.append(batch('d1', 0, [requested('x'), judged({ tree: 't1', reused: false })]))
      const counts = { total: 3, passed: 3, failed: 0, skipped: 0 }
      const proof = { delivery: 'd1', version: 2, durationMs: 12, outputDigest: 'o', counts }
      expect(await given.log.findProof(key)).toEqual(proof)
      for (const other of [{ repository: 'repo-2' }, { tree: 't2' }, { command: 'x' }, { environmentKey: 'f' }])
        expect(await given.log.findProof({ ...key, ...other })).toBeNull()
    })

    it('takes no proof from a reused one, from findings, or from a refused append', async () => {
      await given.log.append(batch('d1', 0, [requested('x'), judged({ tree: 't1', reused: true }), red('t1')]))
      await given.log.append(batch('d1', 0, [judged({ tree: 't1', reused: false })]))
      expect(await given.log.findProof(key)).toBeNull()
    })

    it('adds up what was spent on a day in UTC, over all deliveries', async () => {
      const midnight = Date.UTC(2026, 4, 11)
      const at = (instant: number, usd: number) => ({ at: instant, actor: 'e', cause: null, event: spent(usd, null) })
      await given.log.append({ ...batch('d1', 0, []), events: [at(midnight - 1, 1.5), at(midnight, 4)] })
      await given.log.append({ ...batch('d2', 0, []), events: [at(midnight - 2, 0.25)] })
      expect(await given.log.spentOn('2026-05-10')).toEqual({ usd: 1.75, tokens: 4, ms: 2 })
      expect(await given.log.spentOn('2026-05-11')).toEqual({ usd: 4, tokens: 2, ms: 1 })
      expect(await given.log.spentOn('2026-05-12')).toEqual({ usd: 0, tokens: 0, ms: 0 })
    })
    it('keeps how long a service refuses turns, and since when it was told', async () => {
      const told = (at: number, until: number | null, kind: Refusal = 'rate-limit') => ({
        ...{ at, actor: 'e', cause: null },
        event: { ...refused(until), kind },
      })
      await given.log.append({ ...batch('d1', 0, []), events: [told(1, 100), told(2, null), told(3, 200, 'quota')] })
      await given.log.append({ ...batch('d2', 0, []), events: [told(50, 100)] })
      const { message, remedy } = refused(100)
      expect(await given.log.refusalOf('account', 'model')).toEqual({
        ...{ since: 1, until: 100, kind: 'rate-limit', message, remedy },
      })
      expect(await given.log.refusalOf('account', null)).toMatchObject({ since: 3, until: 200, kind: 'quota' })
      await given.log.append({ ...batch('d2', 1, []), events: [told(150, 300)] })
      expect(await given.log.refusalOf('account', 'model')).toMatchObject({ since: 150, until: 300 })
      expect(await given.log.refusalOf('another', 'model')).toBeNull()
      expect(await given.log.refusalOf('account', 'other')).toBeNull()
    })
  })
}
