import { hostname } from 'node:os'
import { afterEach, beforeEach, describe } from 'vitest'
import { appendsAndReads } from './appending.ts'
import { keepsPlaces } from './caching.ts'
import { keepsItsChain } from './chain.ts'
import { keepsFacts } from './facts.ts'
import type { Given, Subject } from './given.ts'
import { leasesDeliveries } from './leasing.ts'
import { answersQueries } from './querying.ts'
import { day } from './samples.ts'
import { countsSlots, setsMoneyAside } from './slots.ts'

/** What every log must do, whatever it is made of. */
export function eventLogContract(name: string, make: () => Promise<Subject>): void {
  describe(`event log: ${name}`, () => {
    const given: Given = {
      log: undefined as never,
      subject: undefined as never,
      make,
      lease: (delivery, worker, { at, pid = process.pid, ...watched } = { at: day }) =>
        given.log.takeLease({ delivery, worker, host: hostname(), pid, at, ttlMs: 1000, ...watched }),
    }
    beforeEach(async () => {
      given.subject = await make()
      given.log = await given.subject.open()
    })
    afterEach(async () => {
      await given.log.close()
      await given.subject.close()
    })
    appendsAndReads(given)
    answersQueries(given)
    leasesDeliveries(given)
    countsSlots(given)
    setsMoneyAside(given)
    keepsFacts(given)
    keepsPlaces(given)
    keepsItsChain(given)
  })
}
