import { expect, it } from 'vitest'
import { begin, type End } from './performing.ts'

const concluded = (thrown: Error): Promise<End> =>
  new Promise((ended) => {
    const perform = () => Promise.reject(thrown)
    const started = { step: { id: 's', story: null }, try: 1, mark: 'm' }
    const given = { state: {}, record: async () => {}, ended: (_: unknown, end: End) => ended(end) }
    begin({ perform } as never, started as never, given as never)
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
