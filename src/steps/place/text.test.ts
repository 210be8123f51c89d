import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { jsonObjectIn } from '../../std/json-file.ts'
import { readText } from './text.ts'

const folder = mkdtempSync(join(tmpdir(), 'ropewalk-text-'))
afterAll(() => rmSync(folder, { recursive: true }))
const good = '{"answer":1}'
writeFileSync(join(folder, 'elsewhere.json'), good)
const asRoot = process.getuid?.() === 0

const socket = 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])'

/** What an agent may put in the place of its answer. */
const kinds: [string, (path: string) => unknown][] = [
  ['a link to a good one', (path) => symlinkSync(join(folder, 'elsewhere.json'), path)],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ['a link to nothing', (path) => symlinkSync(join(folder, 'nothing'), path)],
  ['a link to itself', (path) => symlinkSync(path, path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a folder', (path) => mkdirSync(path)],
  ['a device', (path) => asRoot && execFileSync('mknod', [path, 'c', '1', '5'])],
  ['a socket', (path) => execFileSync('python3', ['-c', socket, path])],
  ['too long', (path) => writeFileSync(path, `${' '.repeat(5_000_000)}${good}`)],
]

describe('an answer', () => {
  it.each(kinds)('that is %s is none, and nobody waits for it', async (name, make) => {
    const path = join(folder, name.replaceAll(' ', '-'))
    make(path)
    expect(await readText(path)).toBe(null)
    expect(jsonObjectIn(path)).toEqual({})
  })

  it('in a plain file is read', async () => {
    expect(await readText(join(folder, 'elsewhere.json'))).toBe(good)
    expect(jsonObjectIn(join(folder, 'elsewhere.json'))).toEqual({ answer: 1 })
  })
})
