// What older deliveries, and people with the same taste in names, have left.
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Case } from '../../case.ts'
import type { Yard } from '../../yard.ts'

/** All that our own clone of the repository has kept, by its text. */
function keptIn({ folder }: Yard): string {
  const clones = join(folder, 'home/repositories')
  const [clone] = readdirSync(clones)
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', join(clones, clone!), ...args], { encoding: 'utf8', maxBuffer: 1e8 })
  return git('log', '-p', '--all', '--format=%H')
}

export const leftovers: Case[] = [
  {
    code: 'FF9',
    name: 'an older delivery of the same story stopped half-way, and its work is kept',
    expect: 'passes',
    agent: `if [ -e "$YARD/again" ]; then work; else echo 'export const draft = "precious"' > src/draft.js; touch "$YARD/again"; exit 3; fi`,
    drive: async (yard) => [await yard.deliver(), await yard.deliver()],
    after: (yard, runs) => {
      expect(runs[0]!.code).toBe(2)
      expect(yard.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('draft')
      expect(keptIn(yard)).toContain('precious')
    },
  },
  {
    code: 'FF9',
    name: 'branches, tags and worktrees of the names that we like are there already',
    expect: 'passes',
    agent: 'work',
    world: ({ git, folder }) => {
      for (const name of ['ropewalk', 'multiply', 'line', 'story/multiply']) git('branch', name)
      git('tag', 'ropewalk/multiply')
      git('update-ref', 'refs/ropewalk/multiply/line', 'HEAD')
      git('worktree', 'add', '-q', join(folder, 'multiply'), 'multiply')
      git('worktree', 'add', '-q', join(folder, 'orphan'), 'line')
      rmSync(join(folder, 'orphan'), { recursive: true })
    },
    after: ({ git, folder }) => expect(git('-C', join(folder, 'multiply'), 'status', '--porcelain')).toBe(''),
  },
]
