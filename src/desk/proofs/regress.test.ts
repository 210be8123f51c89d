import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import { checkDefaults } from '../../settings/schema.ts'
import { checksOf, namedFiles, rangeEnds } from './regress.ts'

const check = (name: string) => ({ ...checkDefaults, name, run: `run ${name}` })
const user = {
  shallow: false,
  commits: async (revision: string) => (revision === 'gone' ? null : [`id of ${revision}`]),
} as unknown as UserRepository

describe('what is asked for', () => {
  it('is all checks, one of them, or a command of one’s own', () => {
    const all = [check('lint'), check('test')]
    expect(checksOf(all, {}).map(({ name }) => name)).toEqual(['lint', 'test'])
    expect(checksOf(all, { check: 'test' }).map(({ run }) => run)).toEqual(['run test'])
    expect(checksOf([], { run: 'make it' })).toMatchObject([{ name: '--run', run: 'make it', parser: 'auto' }])
    expect(() => checksOf(all, { check: 'tset' })).toThrow('there is no check "tset"')
    expect(() => checksOf([], {})).toThrow('the settings have no checks')
    expect(() => checksOf(all, { run: ' ' })).toThrow('--run is empty')
  })

  it('ends at the target, or where a range ends', async () => {
    const ends = (range?: string, since?: string) => rangeEnds(user, { range, since, tip: 'target' })
    expect(await ends()).toEqual({ tip: 'target', since: null })
    expect(await ends(undefined, 'v1')).toEqual({ tip: 'target', since: 'id of v1' })
    expect(await ends('v1..v2')).toEqual({ tip: 'id of v2', since: 'id of v1' })
    expect(await ends('v1..')).toEqual({ tip: 'id of HEAD', since: 'id of v1' })
    await expect(ends('v1')).rejects.toThrow('"v1" is not a range')
    await expect(ends('a...b')).rejects.toThrow('is not a range')
    await expect(ends('gone..v1')).rejects.toThrow('knows no "gone"')
  })

  it('brings the files of the checkout that the command names, and none from outside', async () => {
    const root = mkdtempSync(join(tmpdir(), 'ropewalk-regress-'))
    mkdirSync(join(root, 'test'))
    writeFileSync(join(root, 'test/a.test.js'), 'a')
    const files = await namedFiles(root, `node --test "test/a.test.js" test ../x /etc/passwd`)
    expect(files.map(({ path }) => path)).toEqual(['test/a.test.js'])
  })
})
