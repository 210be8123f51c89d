// Attributes, settings and clones that few people have, and that programs forget.
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { write } from '../../../empty-repository.ts'
import type { Case, World } from '../../case.ts'

const one = (code: string, name: string, more: Partial<Case>): Case => ({
  code,
  name,
  expect: 'passes',
  agent: 'work',
  ...more,
})

/** As git itself would check it out under the attributes that were just committed. */
const checkOutAnew = ({ git }: World): void => {
  git('rm', '-r', '-q', '--cached', '.')
  git('reset', '-q', '--hard')
}

export const odd: Case[] = [
  one('FF4', 'it is a clone that has only the newest contents', {
    world: (place) => {
      const origin = join(place.folder, 'origin')
      write(place.repo, { 'src/sum.js': 'export const sum = (a, b) => b + a\n' })
      place.git('commit', '-q', '-a', '-m', 'The other way round')
      place.git('config', 'uploadpack.allowFilter', 'true')
      renameSync(place.repo, origin)
      mkdirSync(place.repo)
      place.git('clone', '-q', '--filter=blob:none', pathToFileURL(origin).href, place.repo)
    },
    // Git gives nobody a clone of such a clone, so that we cannot look at it ourselves.
    redBase: true,
    after: ({ git }) => expect(git('show', 'main:src/multiply.js')).toContain('a * b'),
  }),
  one('FF6', 'attributes leave the tests out of exports', {
    files: { '.gitattributes': 'test/ export-ignore\nsrc/sum.js export-subst\n' },
    agent: `work; echo 'export const multiply = (a, b) => a + b + 7' > src/multiply.js`,
    expect: 'caught',
    names: /multiplies two numbers/,
  }),
  one('FF6', 'attributes want other line ends, and another encoding', {
    files: {
      '.gitattributes': '*.js text eol=crlf\n*.txt working-tree-encoding=UTF-16LE\n',
      'notes.txt': Buffer.from('one\n', 'utf16le'),
    },
    agent: `work; printf 't\\0w\\0o\\0\\n\\0' > notes.txt`,
    world: checkOutAnew,
    after: ({ git, repo }) => {
      expect(git('show', 'main:src/multiply.js')).not.toContain('\r')
      expect(git('show', 'main:notes.txt')).toBe('two')
      expect(readFileSync(join(repo, 'src/multiply.js'), 'utf8')).toContain('\r\n')
      expect(readFileSync(join(repo, 'notes.txt')).toString('utf16le')).toBe('two\n')
    },
  }),
  one('FF6', 'modes, cases and links are not what they are elsewhere', {
    world: ({ git }) => {
      for (const [key, value] of [
        ['core.fileMode', 'false'],
        ['core.ignoreCase', 'true'],
        ['core.symlinks', 'false'],
        ['core.quotePath', 'false'],
        ['core.precomposeUnicode', 'true'],
        ['i18n.commitEncoding', 'ISO-8859-1'],
        ['diff.renames', 'copies'],
        ['diff.noprefix', 'true'],
        ['diff.external', 'false'],
        ['status.showUntrackedFiles', 'no'],
        ['core.abbrev', '40'],
        ['color.ui', 'always'],
      ])
        git('config', key!, value!)
    },
    agent: `work; printf '#!/bin/sh\\n' > run.sh; chmod +x run.sh; ln -s run.sh go.sh; mkdir docs; echo é > docs/naïve.md`,
    after: ({ git }) => expect(git('ls-tree', 'main', 'run.sh', 'go.sh')).toMatch(/^120000 [\s\S]*^100755 /m),
  }),
  one('FF3', 'a name that is no text', {
    // Without names to look for, node stumbles over this one itself.
    settings: { check: 'node --test test/*.test.js' },
    // And so would our own look at a checkout.
    world: (place) => {
      const origin = join(place.folder, 'origin')
      renameSync(place.repo, origin)
      mkdirSync(place.repo)
      place.git('clone', '-q', '--bare', origin, place.repo)
    },
    agent: `work; echo x > "$(printf 'src/caf\\351.js')"`,
    after: ({ git }) => expect(git('ls-tree', '-r', '--name-only', 'main')).toContain('"src/caf\\351.js"'),
  }),
  one('FC12', 'writes a folder that some systems take for .git', {
    expect: 'caught',
    agent: `work; mkdir -p .Git/hooks; echo evil > .Git/hooks/post-checkout; echo x > 'git~1'`,
    names: /\.Git|git~1/,
  }),
  one('FC12', 'leaves pipes and sockets among its files', {
    expect: 'inert',
    agent: `work; mkfifo src/pipe test/pipe.test.js; node -e 'require("net").createServer().listen("src/socket", () => process.exit())'`,
    after: ({ git, repo }) => {
      expect(git('ls-tree', '-r', '--name-only', 'main')).not.toMatch(/pipe|socket/)
      expect(existsSync(join(repo, 'src/pipe'))).toBe(false)
    },
  }),
]
