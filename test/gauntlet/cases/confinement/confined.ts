// The same reach as that of agents that are not confined, from within a confinement: nothing of it gets anywhere.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Case } from '../../case.ts'

const everywhere = `work; mkdir -p "$YARD"; echo mine > "$YARD/mine.txt"
CLONE="$(dirname "$(sed 's/^"//; s/"$//' .git/objects/info/alternates)")"
for place in "$USER_REPO" "$YARD/linked" "$CLONE" "$HOME"; do
  echo '// mine' >> "$place/src/sum.js"; echo mine > "$place/evil.txt"
  for folder in "$place/.git" "$place"; do printf '#!/bin/sh\\ntouch "%s/hooked"\\n' "$YARD" > "$folder/hooks/post-checkout"; done
  (cd "$place" && { git stash -u; git reset -q --hard HEAD~1; git branch -D side other; git checkout -q --detach
    git update-ref -d refs/heads/main; git config core.hooksPath "$YARD"; git worktree remove --force "$YARD/linked"
    for ref in $(git for-each-ref --format='%(refname)'); do git update-ref -d "$ref"; done; rm -rf .git objects refs; })
done
git push -q -f "$USER_REPO" HEAD:main HEAD:refs/heads/evil
rm -rf "$USER_REPO" "$YARD/linked" "$CLONE" "$YARD/home/log.sqlite" "$YARD/home/places" "$YARD/home/blobs"
true`

const one = (code: string, name: string, more: Partial<Case>): Case => ({
  code,
  name,
  expect: 'passes',
  agent: 'work',
  settings: { confined: true },
  world: ({ git, folder }) => {
    git('branch', 'other')
    git('worktree', 'add', '-q', join(folder, 'linked'), '-b', 'side')
  },
  after: ({ git, folder, base }) => {
    expect(git('-C', join(folder, 'linked'), 'status', '--porcelain')).toBe('')
    expect(git('diff', '--name-only', base, 'main').split('\n')).toEqual(['src/multiply.js', 'test/multiply.test.js'])
  },
  ...more,
})

const works = (): boolean => spawnSync('bwrap', ['--ro-bind', '/', '/', 'true'], { stdio: 'ignore' }).status === 0

/** Only where there is bubblewrap, or where it is promised that everything is tried. */
export const confined: Case[] =
  works() || process.env.CI !== undefined
    ? [
        one('FC12', "edits, deletes and hooks whatever is the user's or ours, and runs git there", {
          expect: 'inert',
          agent: everywhere,
        }),
        one('FC12', 'works, while it is confined', {}),
      ]
    : []
