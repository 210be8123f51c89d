import { expect, it } from 'vitest'
import { TransientError } from '../ports/errors.ts'
import { begin, type End } from './performing.ts'

const concluded = (thrown: Error, tries = 1): Promise<End> =>
  new Promise((ended) => {
    const perform = () => Promise.reject(thrown)
    const clock = { now: () => 0, until: async () => {} }
    const started = { step: { id: 's', verb: 'AskQuestion', story: null }, try: tries, mark: 'm' }
    const given = {
      state: { request: {}, policy: {} },
      record: async () => {},
      ended: (_: unknown, end: End) => ended(end),
    }
    begin({ perform, clock } as never, started as never, given as never)
  })

it('knows a full disk by whatever says so, and what helps', async () => {
  const byCode = Object.assign(new Error('write'), { code: 'ENOSPC' })
  for (const error of [byCode, new Error('cp: No space left on device'), new Error('database or disk is full')])
    expect(await concluded(error)).toMatchObject({
      type: 'StepFailed',
      message: expect.stringContaining('disk full'),
      remedy: expect.stringContaining('ropewalk gc'),
    })
  expect(await concluded(new Error('else'))).toMatchObject({ remedy: expect.stringContaining('defect') })
})

it('knows that another version was installed while it ran, and charges nobody', async () => {
  const gone = await import(`./no-such-${'part'}.ts`).catch((error: Error) => error)
  expect(await concluded(Object.assign(gone, { code: 'ERR_MODULE_NOT_FOUND' }))).toMatchObject({
    type: 'StepFailed',
    environment: true,
    message: expect.stringMatching(/a part of Ropewalk is gone.*no-such-part/),
    remedy: expect.stringContaining('ropewalk resume'),
  })
})

it('looks again at a hiccup of the world after seconds, then more and more rarely, and at least each minute', async () => {
  const pauses = await Promise.all([1, 2, 3, 4, 5, 6, 49].map((tries) => concluded(new TransientError('busy'), tries)))
  const untils = pauses.map((end) => (end.type === 'StepParked' ? [end.until, end.reason] : end))
  expect(untils).toEqual([2, 5, 15, 30, 60, 60, 60].map((seconds) => [seconds * 1_000, 'busy']))
})
