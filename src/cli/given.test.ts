import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { givenRequirement } from './given.ts'

const folder = mkdtempSync(join(tmpdir(), 'ropewalk-requirement-'))
const read = (bytes: string | Buffer) => {
  writeFileSync(join(folder, 'given.md'), bytes)
  return givenRequirement(folder, { text: undefined, file: 'given.md' })
}

describe('a requirement in a file', () => {
  it('is taken word for word, with its own line ends', async () => {
    const text = 'Prüfe das Datum.\r\n\r\n- 日付\t\n'
    expect(await read(text)).toEqual({ text, source: 'given.md' })
    expect(await read(`\ufeff${text}`)).toMatchObject({ text })
  })

  it('is refused in another encoding, however few letters differ', async () => {
    const latin = Buffer.concat([Buffer.from('word '.repeat(500)), Buffer.from([0xfc])])
    await expect(read(latin)).rejects.toThrow(/given\.md is not text in UTF-8/)
  })

  it('must be a file', async () => {
    const missing = (file: string) => givenRequirement(folder, { text: undefined, file })
    await expect(missing('.')).rejects.toThrow('it is a folder')
    await expect(missing('nowhere.md')).rejects.toThrow('it does not exist')
  })
})

describe('a requirement on standard input', () => {
  const { stdin } = process
  const given = (...pieces: Buffer[]) =>
    Object.defineProperty(process, 'stdin', { value: Readable.from(pieces), configurable: true })
  afterEach(() => Object.defineProperty(process, 'stdin', { value: stdin, configurable: true }))
  const readGiven = () => givenRequirement(folder, { text: '-', file: undefined })

  it('may come in pieces that end within a letter', async () => {
    const letters = Buffer.from('Prüfe')
    given(letters.subarray(0, 3), letters.subarray(3))
    expect(await readGiven()).toEqual({ text: 'Prüfe', source: 'standard input' })
  })

  it('is too long, and not called another encoding, where the last piece ends within a letter', async () => {
    given(Buffer.from(`x${'ü'.repeat(2_000_001)}`).subarray(0, 4_000_002))
    await expect(readGiven()).rejects.toThrow('longer than 1000000 characters')
  })
})
