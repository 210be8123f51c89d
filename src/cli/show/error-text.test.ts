import { expect, it } from 'vitest'
import { describeError } from './error-text.ts'

it('tells a full disk from a defect of ours, whoever met it', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, open'), { code: 'ENOSPC' })
  const { text } = describeError(error, {})
  expect(text).toMatch(/^error: disk full: .*no space left/)
  expect(text).toMatch(/→ Free some space/)
  expect(text).not.toMatch(/defect/)
  expect(describeError(new Error('x is undefined'), {}).text).toMatch(/defect/)
})
