// A whole delivery in which everything is confined, as it is where nobody has said otherwise.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exits } from '../binary.ts'
import { Yard } from '../yard.ts'

it('lands what a confined command agent made, and a check found where the user would look for it', async () => {
  const agent = `echo stray > "$HOME/stray"; echo work > "src/$ROPEWALK_STORY.txt"`
  const yard = new Yard({
    agent,
    config: {
      sandbox: 'bwrap',
      setup: 'mkdir -p made && pwd > made/where',
      checks: { test: { run: 'sh check.sh', parser: 'exit-code' } },
    },
    files: {
      'check.sh':
        'test "$(cat made/where)" = "$PWD" && test -z "$(git status --porcelain)" && ! ls "$HOME"/said* 2>/dev/null\n',
      '.gitignore': 'made\n',
      'plan.yaml': JSON.stringify({ stories: [{ id: 'one', title: 'One', mayChange: [] }] }),
    },
  })
  exits(await yard.start(['run', 'Make it so', '--plan', 'plan.yaml', '--unattended']).done, 0)
  expect(existsSync(join(yard.repo, 'src/one.txt'))).toBe(true)
  expect(existsSync(join(yard.person, 'stray'))).toBe(false)
})
