// What users have set in their git, and what else lies in their repository.
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { write } from '../../../empty-repository.ts'
import type { Case, World } from '../../case.ts'
import { withoutHooks } from '../../not-run.ts'

const hooks = [
  'applypatch-msg',
  'commit-msg',
  'post-checkout',
  'post-index-change',
  'post-merge',
  'pre-commit',
  'pre-push',
  'reference-transaction',
]

/** They let nothing through, and tell that they were asked. */
const rejecting = ({ repo, folder }: World): void => {
  for (const hook of hooks) {
    const path = join('.git/hooks', hook)
    write(repo, { [path]: `#!/bin/sh\necho ${hook} >> '${join(folder, 'hooked')}'\nexit 1\n` })
    chmodSync(join(repo, path), 0o755)
  }
}

const one = (name: string, more: Partial<Case>): Case => ({
  code: 'FF6',
  name,
  expect: 'passes',
  agent: 'work',
  ...more,
})

export const configured: Case[] = [
  one('no identity, and a remote that is gone', {
    world: ({ git }) => {
      git('config', '--remove-section', 'user')
      git('remote', 'add', 'origin', '/nowhere/at/all.git')
    },
    after: ({ git }) => expect(git('log', '-1', '--format=%an')).toBe('Ropewalk'),
  }),
  one('commits must be signed, by a program that cannot, and hooks reject everything', {
    world: (place) => {
      for (const [key, value] of [
        ['commit.gpgsign', 'true'],
        ['tag.gpgsign', 'true'],
        ['gpg.program', 'false'],
        ['core.editor', 'sleep 1000'],
        ['pull.rebase', 'true'],
      ])
        place.git('config', key!, value!)
      rejecting(place)
    },
    drive: withoutHooks,
  }),
  one('line ends are converted in the checkout', {
    world: ({ git, repo }) => {
      git('config', 'core.autocrlf', 'true')
      rmSync(join(repo, '.git/index'))
      git('reset', '-q', '--hard')
    },
    after: ({ git, repo }) => {
      expect(git('show', 'main:src/multiply.js')).not.toContain('\r')
      expect(readFileSync(join(repo, 'src/multiply.js'), 'utf8')).toBe('export const multiply = (a, b) => a * b\r\n')
    },
  }),
  one('line ends are converted, and the agent converts all of them', {
    expect: 'caught',
    files: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`src/page${n}.js`, `export const n = ${n}\n`])),
    world: ({ git }) => git('config', 'core.autocrlf', 'input'),
    agent: `work; sed -i 's/$/\\r/' src/page*.js`,
    names: /only reformatted/,
  }),
]
