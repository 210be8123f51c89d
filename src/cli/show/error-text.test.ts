import { expect, it } from 'vitest'
import { never } from '../../std/never.ts'
import { describeError } from './error-text.ts'

it('tells a full disk from a defect of ours, whoever met it', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, open'), { code: 'ENOSPC' })
  const { text } = describeError(error, {})
  expect(text).toMatch(/^error: disk full: .*no space left/)
  expect(text).toMatch(/→ Free some space/)
  expect(text).not.toMatch(/defect/)
  expect(describeError(new Error('x is undefined'), {}).text).toMatch(/defect/)
})

it('tells a value that no Ropewalk has written from a defect of ours', () => {
  const error = (() => {
    try {
      return never({ verb: 'Fly' } as never)
    } catch (thrown) {
      return thrown
    }
  })()
  expect(describeError(error, {}).text).toMatch(/^error: .*does not know what this is: {"verb":"Fly"}\n {2}→ .*backup/)
  expect(describeError(error, {}).text).not.toMatch(/defect/)
})
