import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keepText } from './text.ts'

it('keeps a text whole, also where many write the same at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-text-'))
  await Promise.all(Array.from({ length: 50 }, () => keepText(join(folder, 'kept'), 'the same')))
  expect(readdirSync(folder)).toEqual(['kept'])
  expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('the same')
})
