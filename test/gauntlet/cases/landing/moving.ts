// A world that moves while work is judged or landed.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { write } from '../../../empty-repository.ts'
import type { Case, Run } from '../../case.ts'
import type { Yard } from '../../yard.ts'

/** The check says that it runs, and waits until it may go on; only the first time. */
const check = `[ -e "$HOME/checked" ] || { touch "$HOME/checked" "$HOME/../checking"; while [ ! -e "$HOME/../go" ]; do sleep 0.05; done; }; node --test`

const whileChecking =
  (act: (yard: Yard) => void) =>
  async (yard: Yard): Promise<Run[]> => [
    await yard.deliverAnd('checking', () => {
      act(yard)
      writeFileSync(join(yard.folder, 'go'), '')
    }),
  ]

const commits = (files: Record<string, string>) => (yard: Yard) => {
  write(yard.repo, files)
  yard.git('add', '-A')
  yard.git('commit', '-q', '-m', 'Meanwhile')
}

const strict = `import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import test from 'node:test'

test('there is one source', () => {
  assert.deepEqual(readdirSync('src'), ['sum.js'])
})
`

export const moving: Case[] = [
  {
    code: 'FF8',
    name: 'the base moves while the story is judged, and they go together',
    expect: 'passes',
    agent: 'work',
    settings: { check },
    drive: whileChecking(commits({ 'README.md': '# Shop\n' })),
    after: ({ git }) =>
      expect(git('log', '--format=%s', 'main').split('\n')).toEqual(['Do multiply', 'Meanwhile', 'Begin']),
  },
  {
    code: 'FF8',
    name: 'the base moves while the story is judged, and they do not go together',
    expect: 'caught',
    agent: 'work',
    settings: { check },
    drive: whileChecking(commits({ 'test/strict.test.js': strict })),
    disturbs: ['index', 'files', 'gitFolder'],
    names: /there is one source/,
    // What landed is the user's own commit, and its check is the one that waits.
    redBase: true,
  },
  {
    code: 'FF10',
    name: 'the repository is gone when it lands',
    expect: 'caught',
    agent: 'work',
    settings: { check },
    drive: async (yard) => {
      const away = join(yard.folder, 'away')
      const runs = await whileChecking(() => renameSync(yard.repo, away))(yard)
      renameSync(away, yard.repo)
      return runs
    },
    names: /git finds no repository at .*repo/,
  },
  {
    code: 'FF10',
    name: 'the repository is gone when it lands, and comes back',
    expect: 'passes',
    agent: 'work',
    settings: { check },
    drive: async (yard) => {
      const away = join(yard.folder, 'away')
      const runs = await whileChecking(() => renameSync(yard.repo, away))(yard)
      renameSync(away, yard.repo)
      return [...runs, await yard.ropewalk('resume')]
    },
  },
]
