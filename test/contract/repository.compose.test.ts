import { chmodSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Composed } from '../../src/ports/repository/composing.ts'
import { write } from '../empty-repository.ts'
import { codeStory, message, openYard, writes, type Yard } from './repository-walk.ts'
import { git, makeUserRepository } from './user-repository.ts'

const long = Array.from({ length: 12 }, (_, i) => `line ${i}\n`).join('')
const files = {
  'a.txt': long,
  'data.json': '{\n  "version": 1\n}\n',
  'pic.bin': Buffer.from([0, 1, 2]),
  'run.sh': 'echo\n',
}

type Work = (workspace: string) => void

/** Two stories from the same base, the second composed onto the first. */
async function both(first: Work, second: Work): Promise<{ yard: Yard; line: string; composed: Composed }> {
  const yard = await openYard(makeUserRepository(files))
  const { repository, base } = yard
  const commits = [await codeStory(yard, 'first', first), await codeStory(yard, 'second', second)]
  const line = await repository.compose({ onto: base, base, commit: commits[0]!, message: message('first') })
  const composed = await repository.compose({
    onto: line.commit,
    base,
    commit: commits[1]!,
    message: message('second'),
  })
  return { yard, line: line.commit, composed }
}

const removes =
  (path: string): Work =>
  (workspace) =>
    rmSync(join(workspace, path))

const renames =
  (from: string, to: string): Work =>
  (workspace) =>
    git(workspace, 'mv', from, to)

const edits = (from: string, to: string): Work => writes({ 'a.txt': long.replace(from, to) })

describe('two stories that agree', () => {
  it.each<[string, Work, Work, string, string | null]>([
    [
      'different lines',
      edits('line 1\n', 'one\n'),
      edits('line 9\n', 'nine\n'),
      'a.txt',
      long.replace('line 1\n', 'one\n').replace('line 9\n', 'nine\n'),
    ],
    [
      'rename and edit',
      renames('a.txt', 'b.txt'),
      edits('line 9\n', 'nine\n'),
      'b.txt',
      long.replace('line 9\n', 'nine\n'),
    ],
    [
      'mode and edit',
      (w) => chmodSync(join(w, 'run.sh'), 0o755),
      writes({ 'run.sh': 'echo 2\n' }),
      'run.sh',
      'echo 2\n',
    ],
    [
      'the same change',
      edits('line 1\n', 'one\n'),
      edits('line 1\n', 'one\n'),
      'a.txt',
      long.replace('line 1\n', 'one\n'),
    ],
    ['both delete', removes('a.txt'), removes('a.txt'), 'a.txt', null],
  ])('%s', async (_name, first, second, path, text) => {
    const { yard, line, composed } = await both(first, second)
    expect(composed.status).toBe('composed')
    expect(await yard.repository.readFile(composed.commit, path)).toBe(text)
    expect(await yard.repository.isAncestor(line, composed.commit)).toBe(true)
  })
})

describe('two stories in conflict', () => {
  it.each<[string, Work, Work, string, string]>([
    ['the same line', edits('line 1\n', 'one\n'), edits('line 1\n', 'uno\n'), 'a.txt', 'content'],
    [
      'the same JSON',
      writes({ 'data.json': '{\n  "version": 2\n}\n' }),
      writes({ 'data.json': '{\n  "version": 3\n}\n' }),
      'data.json',
      'content',
    ],
    ['both add', writes({ 'n.txt': 'mine\n' }), writes({ 'n.txt': 'yours\n' }), 'n.txt', 'content'],
    ['delete and edit', removes('a.txt'), edits('line 1\n', 'one\n'), 'a.txt', 'delete'],
    ['edit and delete', edits('line 1\n', 'one\n'), removes('a.txt'), 'a.txt', 'delete'],
    ['two new names', renames('a.txt', 'b.txt'), renames('a.txt', 'c.txt'), 'a.txt', 'rename'],
    [
      'binary',
      writes({ 'pic.bin': Buffer.from([0, 9]) }),
      writes({ 'pic.bin': Buffer.from([0, 8]) }),
      'pic.bin',
      'binary',
    ],
    [
      'modes of a new file',
      writes({ 'n.sh': 'x\n' }),
      (w) => {
        write(w, { 'n.sh': 'x\n' })
        chmodSync(join(w, 'n.sh'), 0o755)
      },
      'n.sh',
      'mode',
    ],
    [
      'a file and a link',
      writes({ 'n.txt': 'mine\n' }),
      (w) => symlinkSync('a.txt', join(w, 'n.txt')),
      'n.txt',
      'mode',
    ],
  ])('%s', async (_name, first, second, path, kind) => {
    const { yard, line, composed } = await both(first, second)
    if (composed.status !== 'conflict') throw new Error('expected a conflict')
    expect(composed.files.map((file) => [file.path.replace(/~.*/, ''), file.kind])).toContainEqual([path, kind])
    expect(await yard.repository.isAncestor(line, composed.commit)).toBe(true)
  })

  it('leaves markers in a commit on the line, and names no file that merged', async () => {
    const { yard, composed } = await both(
      (w) => write(w, { 'a.txt': long.replace('line 1\n', 'one\n'), 'data.json': '{}\n' }),
      edits('line 1\n', 'uno\n'),
    )
    if (composed.status !== 'conflict') throw new Error('expected a conflict')
    expect(composed.files).toHaveLength(1)
    expect(composed.files[0]!.detail).toContain('Merge conflict in a.txt')
    const text = await yard.repository.readFile(composed.commit, 'a.txt')
    expect(text).toMatch(/<<<<<<< .*\none\n=======\nuno\n>>>>>>> /)
    expect(await yard.repository.readFile(composed.commit, 'data.json')).toBe('{}\n')
  })
})

describe('the merge base', () => {
  it('is the given base even where history knows a later one', async () => {
    const yard = await openYard(makeUserRepository(files))
    const { repository, base } = yard
    const commit = await codeStory(yard, 's', edits('line 1\n', 'one\n'))
    const path = yard.at('s')
    write(path, { 'a.txt': long.replace('line 1\n', 'one\n').replace('line 9\n', 'nine\n') })
    const later = await repository.harvest({ path, base: commit, message: message('later') })
    const other = await codeStory(yard, 'o', writes({ 'run.sh': 'echo 1\n' }))
    const composed = await repository.compose({ onto: other, base: commit, commit: later.commit, message: message() })
    expect(composed.status).toBe('composed')
    const text = await repository.readFile(composed.commit, 'a.txt')
    expect(text).toBe(long.replace('line 9\n', 'nine\n'))
    expect(await repository.isAncestor(base, composed.commit)).toBe(true)
  })
})
