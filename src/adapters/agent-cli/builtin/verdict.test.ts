import { expect, it } from 'vitest'
import { verdictOn } from './verdict.ts'

it('speaks of an address only where one was set', () => {
  const remedy = (url: string | null) => {
    const found = verdictOn({ type: 'anthropic', url, key: 'KEY' }, { problem: 'ENOTFOUND' }, null)
    return found.usable ? '' : found.remedy
  }
  expect(remedy(null)).toBe('Look whether this machine is online.')
  expect(remedy('http://localhost:1')).toContain('api.url')
})
