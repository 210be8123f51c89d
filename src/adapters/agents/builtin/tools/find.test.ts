import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listFilesTool, searchTool } from './commands.ts'
import type { ToolPlace } from './tool.ts'

function place(kind: 'git' | 'plain'): ToolPlace {
  const workspace = mkdtempSync(join(tmpdir(), 'agent-find-'))
  const files = {
    '.gitignore': 'ignored.txt\n',
    'ignored.txt': 'needle\n',
    'src/größe.ts': 'const needle = 12\n',
    'gone.ts': '',
  }
  mkdirSync(join(workspace, 'src'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(workspace, path), text)
  if (kind === 'git') {
    execFileSync('git', ['init', '-q', '.'], { cwd: workspace })
    execFileSync('git', ['add', 'gone.ts'], { cwd: workspace })
  }
  rmSync(join(workspace, 'gone.ts'))
  const env = { PATH: process.env.PATH, HOME: workspace, GIT_CEILING_DIRECTORIES: tmpdir() }
  return { workspace, resultFile: null, env, maxOutputBytes: 1000, signal: new AbortController().signal }
}

describe('finding', () => {
  it('lists the files that are there and not ignored', async () => {
    expect(await listFilesTool.run({}, place('git'))).toEqual({
      ok: true,
      text: '2 files\n```\n.gitignore\nsrc/größe.ts\n```',
    })
    expect((await listFilesTool.run({ files: 'src/*.ts' }, place('git'))).text).toContain('1 files')
    expect((await listFilesTool.run({}, place('plain'))).text).toContain('src/größe.ts')
  })

  it('searches them by a regular expression', async () => {
    const found = { ok: true, text: '```\nsrc/größe.ts:1:const needle = 12\n```' }
    expect(await searchTool.run({ pattern: 'needle\\s=\\s\\d+$' }, place('git'))).toEqual(found)
    expect(await searchTool.run({ pattern: 'NEEDLE =', ignoreCase: true, files: 'src' }, place('git'))).toEqual(found)
    expect(await searchTool.run({ pattern: 'nothing like it' }, place('git'))).toEqual({
      ok: true,
      text: 'Nothing was found.',
    })
    expect((await searchTool.run({ pattern: 'needle =' }, place('plain'))).text).toContain('src/größe.ts:1:')
  })

  it('says so when it cannot', async () => {
    expect(await searchTool.run({ pattern: '(' }, place('git'))).toMatchObject({ ok: false })
    for (const files of ['../*', '/etc', ':(top)/etc', 'src/../../x']) {
      expect(await searchTool.run({ pattern: 'root', files }, place('git'))).toMatchObject({ ok: false })
      expect(await listFilesTool.run({ files }, place('git'))).toMatchObject({ ok: false })
    }
  })
})
