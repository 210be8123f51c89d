import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownTools, useTool } from '../turn.ts'
import type { ToolPlace } from './tool.ts'

function place(): ToolPlace & { outside: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-files-')))
  const workspace = join(root, 'workspace')
  mkdirSync(workspace)
  writeFileSync(join(root, 'secret.txt'), 'secret\n')
  const signal = new AbortController().signal
  return { workspace, resultFile: null, env: {}, maxOutputBytes: 1000, signal, outside: root }
}

const use = (at: ToolPlace, name: string, input: unknown) => useTool(ownTools, { name, input }, at)

describe('paths', () => {
  const leaving = ['../secret.txt', 'link.txt', 'folder/secret.txt', 'folder/deep/fresh.txt', 'nowhere.txt']

  it.each(leaving)('%s leads out of the workspace, and is neither read nor written', async (path) => {
    const at = place()
    symlinkSync(join(at.outside, 'secret.txt'), join(at.workspace, 'link.txt'))
    symlinkSync(at.outside, join(at.workspace, 'folder'))
    symlinkSync(join(at.outside, 'made-by-link.txt'), join(at.workspace, 'nowhere.txt'))
    const results = [
      await use(at, 'read_file', { path }),
      await use(at, 'edit_file', { path, find: 'secret', replace: 'told' }),
      await use(at, 'write_file', { path, content: 'told' }),
      await use(at, 'write_file', { path: join(at.outside, 'secret.txt'), content: 'told' }),
    ]
    expect(results.map(({ ok }) => ok)).toEqual([false, false, false, false])
    expect(results.map(({ text }) => text).join()).not.toContain('secret\n')
    expect(readFileSync(join(at.outside, 'secret.txt'), 'utf8')).toBe('secret\n')
    expect(() => readFileSync(join(at.outside, 'made-by-link.txt'))).toThrow()
  })

  it('may go through a link that stays inside', async () => {
    const at = place()
    mkdirSync(join(at.workspace, 'real'))
    symlinkSync('real', join(at.workspace, 'alias'))
    expect(await use(at, 'write_file', { path: 'alias/a.txt', content: 'a' })).toMatchObject({ ok: true })
    expect(readFileSync(join(at.workspace, 'real/a.txt'), 'utf8')).toBe('a')
  })

  it('may be that of the result, and only for writing', async () => {
    const at = place()
    const result = join(at.outside, 'result.json')
    const given = { ...at, resultFile: result }
    expect(await use(given, 'write_file', { path: result, content: '{}' })).toMatchObject({ ok: true })
    expect(readFileSync(result, 'utf8')).toBe('{}')
    expect(await use(given, 'read_file', { path: result })).toMatchObject({ ok: false })
    expect(await use(at, 'write_file', { path: result, content: 'again' })).toMatchObject({ ok: false })
  })
})

describe('edits', () => {
  const edited = async (before: string, find: string, replace: string) => {
    const at = place()
    writeFileSync(join(at.workspace, 'a.txt'), before)
    const { ok } = await use(at, 'edit_file', { path: 'a.txt', find, replace })
    return [ok, readFileSync(join(at.workspace, 'a.txt'), 'utf8')]
  }

  it('happen where the text occurs once, to the letter', async () => {
    expect(await edited('one two', 'two', '$& three')).toEqual([true, 'one $& three'])
    expect(await edited('a.c abc', 'a.c', 'x')).toEqual([true, 'x abc'])
  })

  it('do not happen where it occurs twice, or never', async () => {
    expect(await edited('two two', 'two', 'one')).toEqual([false, 'two two'])
    expect(await edited('one', 'two', 'three')).toEqual([false, 'one'])
  })

  it('keep the line endings of the file', async () => {
    expect(await edited('a\r\nb\r\nc\r\n', 'a\nb\n', 'x\ny\n')).toEqual([true, 'x\r\ny\r\nc\r\n'])
  })

  it('leave alone what would not survive them', async () => {
    const at = place()
    const bytes = Buffer.from([0x61, 0xff, 0xfe, 0x62])
    writeFileSync(join(at.workspace, 'a.bin'), bytes)
    expect(await use(at, 'edit_file', { path: 'a.bin', find: 'a', replace: 'b' })).toMatchObject({ ok: false })
    expect(readFileSync(join(at.workspace, 'a.bin'))).toEqual(bytes)
  })
})

describe('reading', () => {
  it('shows the lines that were asked for, as data', async () => {
    const at = place()
    writeFileSync(join(at.workspace, 'a.md'), 'one\n```\ntwo\nthree\n')
    const whole = await use(at, 'read_file', { path: 'a.md', from: null, to: null })
    expect(whole.text).toBe('a.md, lines 1 to 4 of 4\n````\none\n```\ntwo\nthree\n````')
    expect((await use(at, 'read_file', { path: 'a.md', from: 3, to: 3 })).text).toBe(
      'a.md, lines 3 to 3 of 4\n```\ntwo\n```',
    )
  })

  it('cuts what is long in the middle', async () => {
    const at = place()
    writeFileSync(join(at.workspace, 'a.txt'), `begin${'x'.repeat(5000)}end`)
    const { text } = await use(at, 'read_file', { path: 'a.txt' })
    expect(text).toMatch(/```\nbeginx+\n\[… 4008 bytes left out …\]\nx+end\n```$/)
  })

  it('says what is wrong with a call', async () => {
    const at = place()
    mkdirSync(join(at.workspace, 'folder'))
    expect(await use(at, 'read_file', { path: 'none.txt' })).toMatchObject({ ok: false })
    expect((await use(at, 'read_file', { path: 'folder' })).text).toBe('folder is not a file')
    expect((await use(at, 'read_file', {})).text).toContain('The arguments are wrong')
    expect((await use(at, 'fly', {})).text).toContain('There is no tool fly')
  })
})
