import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Remembered } from '../../ports/memory.ts'
import { fileMemory } from './memory.ts'

const home = (): string => mkdtempSync(join(tmpdir(), 'ropewalk-memory-'))
const remembered: Remembered = {
  repository: 'shop-1a2b',
  passes: { static: { at: 1, commit: 'c'.repeat(40), inputs: 'abc', facts: [{ about: 'tests', text: 'test/' }] } },
}

describe('fileMemory', () => {
  it('recalls what was kept, and nothing of another repository', async () => {
    const memory = fileMemory(home())
    await memory.keep(remembered)
    expect(await memory.recall('shop-1a2b')).toEqual(remembered)
    expect(await memory.recall('other')).toBeNull()
  })

  it('leaves one file behind, however often it is kept', async () => {
    const folder = home()
    await fileMemory(folder).keep(remembered)
    await fileMemory(folder).keep(remembered)
    expect(readdirSync(join(folder, 'memory'))).toEqual(['shop-1a2b.json'])
  })

  it.each(['', 'no json', '[]', '{"repository":"shop-1a2b"}', '{"repository":"shop-1a2b","passes":{"static":{}}}'])(
    'takes a damaged file (%s) for nothing',
    async (text) => {
      const folder = home()
      mkdirSync(join(folder, 'memory'))
      writeFileSync(join(folder, 'memory', 'shop-1a2b.json'), text)
      expect(await fileMemory(folder).recall('shop-1a2b')).toBeNull()
    },
  )
})
