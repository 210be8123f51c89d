import { execFileSync } from 'node:child_process'
import { chmodSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formats } from '../../../src/adapters/formats/formats.ts'
import type { Conflict } from '../../../src/ports/repository/composing.ts'
import { settleConflicts } from '../../../src/steps/merge/settle.ts'
import { message, openYard } from '../repository-walk.ts'
import { git, makeUserRepository } from '../user-repository.ts'
import { type Both, composeBoth, conflictsOf, deletes, edits, textAt } from './two-stories.ts'

const filesIn = ({ yard, composed }: Both): Promise<string[]> => yard.repository.listFiles(composed.commit)

describe('a file that git cannot merge', () => {
  it('comes with its three sides', async () => {
    const both = await composeBoth({
      files: { 'a.txt': 'base\n' },
      first: edits({ 'a.txt': 'line\n' }),
      second: edits({ 'a.txt': 'story\n' }),
      rules: false,
    })
    expect(both.asked).toMatchObject([
      {
        path: 'a.txt',
        kind: 'content',
        union: false,
        base: { mode: '100644', bytes: 5, text: 'base\n' },
        ours: { text: 'line\n' },
        theirs: { text: 'story\n' },
      },
    ])
    expect(conflictsOf(both)).toEqual(both.asked)
  })

  it.each(['two\nlines.json', '-rf.json', 'grün/日本.json', ' "quoted" \\ name.json', '*.json', ':(top)a.json'])(
    'is settled whatever it is called: %j',
    async (path) => {
      const both = await composeBoth({
        files: { [path]: '{\n  "a": 1\n}\n', 'a.json': '{}\n' },
        first: edits({ [path]: '{\n  "a": 1,\n  "b": 1\n}\n' }),
        second: edits({ [path]: '{\n  "a": 1,\n  "c": 1\n}\n' }),
        rules: true,
      })
      expect(both.composed.status).toBe('composed')
      expect(await textAt(both, path)).toBe('{\n  "a": 1,\n  "b": 1,\n  "c": 1\n}\n')
      expect((await filesIn(both)).sort()).toEqual([path, 'a.json'].sort())
    },
  )

  it('is left alone when its name is no text', async () => {
    const user = makeUserRepository({ 'a.txt': 'a\n' })
    const odd = Buffer.concat([Buffer.from('odd-'), Buffer.from([0xff]), Buffer.from('.json')])
    const at = (parent: string, text: string): string => {
      const object = git(user, 'rev-parse', `${text}`)
      const entry = Buffer.concat([Buffer.from(`100644 blob ${object}\t`), odd, Buffer.from([0])])
      const tree = execFileSync('git', ['mktree', '-z'], { cwd: user, input: entry, encoding: 'utf8' }).trim()
      return git(user, 'commit-tree', tree, '-p', parent, '-m', text)
    }
    const blob = (name: string, text: string): void => {
      const object = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: user, input: text, encoding: 'utf8' })
      git(user, 'tag', name, object.trim())
    }
    blob('b', '{"a": 1}\n')
    blob('o', '{"a": 1, "b": 1}\n')
    blob('t', '{"a": 1, "c": 1}\n')
    const base = at(git(user, 'rev-parse', 'HEAD'), 'b')
    const [onto, commit] = [at(base, 'o'), at(base, 't')]
    const yard = await openYard(user)
    for (const [name, tip] of Object.entries({ base, onto, commit })) {
      git(user, 'branch', name, tip)
      await yard.repository.fetchTarget(name)
    }
    const settle = async (conflicts: Conflict[]) =>
      settleConflicts({ conflicts, merged: [] }, { locks: new Map(), formats: formats() })
    const composed = await yard.repository.compose({ onto, base, commit, message: message(), settle })
    expect(composed).toMatchObject({ status: 'conflict', files: [{ kind: 'content' }] })
  })
})

describe('a file whose lines fit and whose names do not', () => {
  const middle = Array.from({ length: 12 }, (_, i) => `  "k${i}": ${i},\n`).join('')
  const data = (first: string, last: string): string => `{\n${first}${middle}${last}  "z": 1\n}\n`
  const files = { 'data.json': data('', '') }

  it('is merged by structure when both say the same', async () => {
    const [first, second] = [
      edits({ 'data.json': data('  "x": 1,\n', '') }),
      edits({ 'data.json': data('', '  "x": 1,\n') }),
    ]
    const both = await composeBoth({ files, first, second, rules: true })
    expect(both.composed.status).toBe('composed')
    expect(await textAt(both, 'data.json')).toBe(data('  "x": 1,\n', ''))
  })

  it('is a conflict when they do not', async () => {
    const [first, second] = [
      edits({ 'data.json': data('  "x": 1,\n', '') }),
      edits({ 'data.json': data('', '  "x": 2,\n') }),
    ]
    const both = await composeBoth({ files, first, second, rules: true })
    expect(conflictsOf(both)).toMatchObject([{ path: 'data.json', kind: 'content' }])
    const free = await composeBoth({ files, first, second, rules: false })
    expect(free.composed.status).toBe('composed')
  })

  it('is left as git merged it when all is well', async () => {
    const [first, second] = [
      edits({ 'data.json': data('  "x": 1,\n', '') }),
      edits({ 'data.json': data('', '  "y": 2,\n') }),
    ]
    const both = await composeBoth({ files, first, second, rules: true })
    expect(await textAt(both, 'data.json')).toBe(data('  "x": 1,\n', '  "y": 2,\n'))
    expect((await both.yard.repository.readCommit(both.composed.commit)).message).not.toContain('Merged by')
  })
})

describe('what is no text', () => {
  it('never gets markers: a binary file is the line’s until somebody chooses', async () => {
    const both = await composeBoth({
      files: { 'pic.bin': Buffer.from([0, 1]) },
      first: edits({ 'pic.bin': Buffer.from([0, 1, 2]) }),
      second: edits({ 'pic.bin': Buffer.from([0, 1, 2, 3]) }),
      rules: true,
    })
    expect(conflictsOf(both)).toMatchObject([
      { path: 'pic.bin', kind: 'binary', ours: { bytes: 3, text: null }, theirs: { bytes: 4, text: null } },
    ])
    const { yard, line, composed } = both
    expect(await yard.repository.diff(line, composed.commit)).toEqual([])
  })

  it('is what .gitattributes declare as one piece, also where the lines would merge', async () => {
    const lines = Array.from({ length: 20 }, (_, i) => `${i}\n`)
    const both = await composeBoth({
      files: { 'sub/drawing.svg': lines.join(''), '.gitattributes': '*.svg -merge\n' },
      first: edits({ 'sub/drawing.svg': ['x\n', ...lines].join('') }),
      second: edits({ 'sub/drawing.svg': [...lines, 'y\n'].join('') }),
      rules: true,
    })
    expect(conflictsOf(both)).toMatchObject([{ path: 'sub/drawing.svg', kind: 'binary' }])
    expect(await textAt(both, 'sub/drawing.svg')).toBe(['x\n', ...lines].join(''))
  })

  it('is a pointer to a large file', async () => {
    const pointer = (digit: string): string =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 12${digit}\n`
    const both = await composeBoth({
      files: { 'big.psd': pointer('1') },
      first: edits({ 'big.psd': pointer('2') }),
      second: edits({ 'big.psd': pointer('3') }),
      rules: true,
    })
    expect(conflictsOf(both)).toMatchObject([{ path: 'big.psd', kind: 'pointer' }])
    expect(await textAt(both, 'big.psd')).toBe(pointer('2'))
  })

  it('is a link', async () => {
    const points = (to: string) => (workspace: string) => {
      rmSync(join(workspace, 'link'), { force: true })
      symlinkSync(to, join(workspace, 'link'))
    }
    const both = await composeBoth({
      files: { 'a.txt': 'a\n' },
      first: points('a.txt'),
      second: points('b.txt'),
      rules: true,
    })
    expect(conflictsOf(both)).toMatchObject([
      { path: 'link', kind: 'link', ours: { text: 'a.txt' }, theirs: { text: 'b.txt' } },
    ])
  })

  it('is a submodule', async () => {
    const user = makeUserRepository({ 'a.txt': 'a\n' })
    const at = (commit: string, digit: string): string => {
      git(user, 'read-tree', commit)
      git(user, 'update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},sub`)
      return git(user, 'commit-tree', git(user, 'write-tree'), '-p', commit, '-m', digit)
    }
    const base = at(git(user, 'rev-parse', 'HEAD'), '1')
    const [onto, commit] = [at(base, '2'), at(base, '3')]
    const yard = await openYard(user)
    for (const [name, tip] of Object.entries({ base, onto, commit })) {
      git(user, 'branch', name, tip)
      await yard.repository.fetchTarget(name)
    }
    const composed = await yard.repository.compose({ onto, base, commit, message: message() })
    expect(composed).toMatchObject({
      status: 'conflict',
      files: [
        { path: 'sub', kind: 'submodule', ours: { object: '2'.repeat(40), text: null }, theirs: { bytes: null } },
      ],
    })
  })
})

describe('names', () => {
  it('that differ only in case are a conflict', async () => {
    const both = await composeBoth({
      files: { 'a.txt': 'a\n' },
      first: edits({ 'docs/Guide.md': 'one\n' }),
      second: edits({ 'docs/guide.md': 'two\n' }),
      rules: true,
    })
    expect(conflictsOf(both)).toMatchObject([{ path: 'docs/guide.md', kind: 'name' }])
    expect(conflictsOf(both)[0]!.detail).toContain('"docs/Guide.md"')
    expect(await filesIn(both)).toEqual(['a.txt', 'docs/Guide.md', 'docs/guide.md'])
  })

  it('that were there before are none', async () => {
    const both = await composeBoth({
      files: { 'xt_MARK.h': 'a\n', 'xt_mark.h': 'b\n' },
      first: edits({ 'xt_MARK.h': 'one\n' }),
      second: edits({ 'xt_mark.h': 'two\n' }),
      rules: true,
    })
    expect(both.composed.status).toBe('composed')
  })

  it('of a renamed file lead the other side’s structural change to it', async () => {
    const base = `{\n${Array.from({ length: 9 }, (_, i) => `  "k${i}": ${i},`).join('\n')}\n  "z": 1\n}\n`
    const both = await composeBoth({
      files: { 'a.json': base },
      first: (w) => {
        renameSync(join(w, 'a.json'), join(w, 'b.json'))
        edits({ 'b.json': base.replace('"z": 1', '"z": 1,\n  "one": 1') })(w)
      },
      second: edits({ 'a.json': base.replace('"z": 1', '"z": 1,\n  "two": 2') }),
      rules: true,
    })
    expect(both.composed.status).toBe('composed')
    expect(await filesIn(both)).toEqual(['b.json'])
    expect(await textAt(both, 'b.json')).toBe(base.replace('"z": 1', '"z": 1,\n  "one": 1,\n  "two": 2'))
  })
})

describe('a deletion', () => {
  const code = 'function a() {\n  return 1\n}\n'

  it('stands against a change of blanks', async () => {
    const both = await composeBoth({
      files: { 'a.js': code, 'b.js': '' },
      first: edits({ 'a.js': code.replaceAll('  ', '    ') }),
      second: deletes('a.js'),
      rules: true,
    })
    expect(both.composed.status).toBe('composed')
    expect(await filesIn(both)).toEqual(['b.js'])
  })

  it.each([
    ['on the line', deletes('a.js'), edits({ 'a.js': code.replace('1', '2') })],
    ['in the story', edits({ 'a.js': code.replace('1', '2') }), deletes('a.js')],
  ])('%s does not stand against a change of words', async (_name, first, second) => {
    const both = await composeBoth({ files: { 'a.js': code, 'b.js': '' }, first, second, rules: true })
    expect(conflictsOf(both)).toMatchObject([{ path: 'a.js', kind: 'delete' }])
  })
})

describe('the mode', () => {
  it('of a file that both add alike is executable when one side says so', async () => {
    const both = await composeBoth({
      files: { 'a.txt': '' },
      first: edits({ 'run.sh': 'x\n' }),
      second: (w) => {
        edits({ 'run.sh': 'x\n' })(w)
        chmodSync(join(w, 'run.sh'), 0o755)
      },
      rules: true,
    })
    expect(both.composed.status).toBe('composed')
    const [change] = await both.yard.repository.diff(both.line, both.composed.commit)
    expect(change).toMatchObject({ path: 'run.sh', newMode: '100755' })
  })

  it('that one side changed stays changed when rules merge the text', async () => {
    const both = await composeBoth({
      files: { '.gitignore': 'a\n' },
      first: (w) => {
        edits({ '.gitignore': 'a\nb\n' })(w)
        chmodSync(join(w, '.gitignore'), 0o755)
      },
      second: edits({ '.gitignore': 'a\nc\n' }),
      rules: true,
    })
    expect(await textAt(both, '.gitignore')).toBe('a\nb\nc\n')
    const [change] = await both.yard.repository.diff(both.base, both.composed.commit)
    expect(change).toMatchObject({ newMode: '100755' })
  })
})
