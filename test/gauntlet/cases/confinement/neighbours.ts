// Agents that reach for what the user has besides the checkout, and for what other stories are at.
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Case } from '../../case.ts'
import { withoutHooks } from '../../not-run.ts'

const onlyTheWork: Case['after'] = ({ git, base }) =>
  expect(git('diff', '--name-only', base, 'main').split('\n')).toEqual(['src/multiply.js', 'test/multiply.test.js'])

const tells = (path: string) => `printf '#!/bin/sh\\necho ran > "%s/hooked"\\n' "$YARD" > ${path}; chmod +x ${path}`

export const neighbours: Case[] = [
  {
    code: 'FC12',
    name: "edits files in another worktree of the user's, and in its git directory",
    expect: 'inert',
    world: ({ git, folder }) => git('worktree', 'add', '-q', join(folder, 'linked'), '-b', 'side'),
    agent: `work; echo '// mine' >> "$YARD/linked/src/sum.js"; echo evil > "$YARD/linked/evil.txt"
echo evil > "$USER_REPO/.git/worktrees/linked/EVIL"`,
    disturbs: ['gitFolder'],
    after: onlyTheWork,
  },
  {
    code: 'FC12',
    name: "puts hooks into the user's repository",
    expect: 'inert',
    agent: `work; for name in post-checkout post-index-change post-merge post-rewrite reference-transaction; do
  ${tells('"$USER_REPO/.git/hooks/$name"')}; done`,
    drive: withoutHooks,
    disturbs: ['hooks', 'gitFolder'],
    after: onlyTheWork,
  },
  {
    code: 'FC12',
    name: "sets a file monitor and a folder of hooks in the user's configuration",
    expect: 'inert',
    agent: `work; mkdir "$YARD/h"; for name in monitor post-checkout reference-transaction; do ${tells('"$YARD/h/$name"')}; done
git -C "$USER_REPO" config core.fsmonitor "$YARD/h/monitor"; git -C "$USER_REPO" config core.hooksPath "$YARD/h"`,
    drive: withoutHooks,
    disturbs: ['config'],
    after: onlyTheWork,
  },
  {
    code: 'FC13',
    name: "resets, stashes and deletes the branch in another story's workspace while that one works",
    expect: 'inert',
    stories: [{ id: 'multiply' }, { id: 'divide' }],
    settings: { limits: { agents: 2, attemptsPerStory: 2 } },
    agent: `if [ "$ROPEWALK_STORY" = multiply ]; then
  work; [ -e "$YARD/ruined" ] || { pwd > "$YARD/first.part"; mv "$YARD/first.part" "$YARD/first"
    while [ ! -e "$YARD/ruined" ]; do sleep 0.05; done; }
else
  echo 'export const divide = (a, b) => a / b' > src/divide.js
  while [ ! -e "$YARD/first" ]; do sleep 0.05; done
  (cd "$(cat "$YARD/first")"; git add -A; git stash -q; git stash drop -q; git reset -q --hard
    git checkout -q --detach; git branch -q -D ropewalk; git worktree remove --force . ) 2> /dev/null
  touch "$YARD/ruined"
fi`,
    after: ({ git }) => {
      expect(git('show', 'main:src/multiply.js')).toContain('a * b')
      expect(git('show', 'main:src/divide.js')).toContain('a / b')
    },
  },
  {
    code: 'FC13',
    name: "deletes the target in the user's repository",
    expect: 'caught',
    agent: 'work; git -C "$USER_REPO" update-ref -d refs/heads/main',
    disturbs: ['branches', 'index', 'worktrees', 'gitFolder'],
    names: /"main" is gone/,
  },
  {
    code: 'FC13',
    name: "takes the user's last commit back",
    expect: 'inert',
    world: ({ git }) => git('commit', '-q', '--allow-empty', '-m', 'Second'),
    agent: 'work; git -C "$USER_REPO" update-ref refs/heads/main HEAD~1',
    // Nobody can tell that from the user's own doing: the work lands on top, and the commit is still there.
    after: ({ git, base }) => {
      expect(git('log', '--format=%s', 'main').split('\n')).toEqual(['Do multiply', 'Begin'])
      expect(git('cat-file', '-t', base)).toBe('commit')
    },
  },
]
