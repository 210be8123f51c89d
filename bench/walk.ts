import { type Figure, interleaved, ms, timed } from './figure.ts'
import { deliver, inYard, script } from './yard.ts'

const agent = ['sh', '-c', 'echo "$ROPEWALK_STORY" > "$ROPEWALK_STORY.txt"']

/** An instant agent and `true` as the check, against the bare git commands of the same walk. */
export async function benchWalk(): Promise<Figure[]> {
  return [
    await walk('one story', { stories: 1, chained: false, agents: 1 }),
    await walk('10 independent stories, 4 at once', { stories: 10, chained: false, agents: 4 }),
    await walk('a chain of 10 stories', { stories: 10, chained: true, agents: 1 }),
  ]
}

async function walk(name: string, shape: { stories: number; chained: boolean; agents: number }): Promise<Figure> {
  const plan = { ...shape, agent }
  const found = await interleaved({
    ours: () => inYard(plan, (folder) => timed(() => deliver(folder))),
    bare: () => inYard(plan, (folder) => timed(() => script(folder, bareWalk(shape)))),
  })
  const limit = 2 * found.bare! + 500
  return {
    name: `${name}: \`ropewalk run\` against bare git`,
    ours: ms(found.ours!),
    bare: ms(found.bare!),
    ratio: `${(found.ours! / found.bare!).toFixed(2)} ×`,
    promised: `at most 2 × + 0.5 s (${ms(limit)})`,
    kept: found.ours! <= limit,
  }
}

// `git worktree` of 2.39 fails when two of it run at once, so that they take turns.

/** Clone; per story a worktree, a commit, a clean checkout for the check, the merge onto the line; land. */
function bareWalk({ stories, chained, agents }: { stories: number; chained: boolean; agents: number }): string {
  const ids = Array.from({ length: stories }, (_, n) => `s${n}`).join(' ')
  const head = `
git clone -q --bare repository clone.git
cd clone.git
export GIT_AUTHOR_NAME=b GIT_AUTHOR_EMAIL=b@localhost GIT_COMMITTER_NAME=b GIT_COMMITTER_EMAIL=b@localhost
git update-ref refs/line main
code() {
  flock lock git worktree add -q --detach ../ws-$1 refs/line
  ( cd ../ws-$1 && sh -c 'echo '$1' > '$1'.txt' && git add -A && git commit -q -m "Story $1" && git update-ref refs/story/$1 HEAD )
  flock lock git worktree add -q --detach ../place-$1 refs/story/$1
  ( cd ../place-$1 && sh -c true )
  flock lock git worktree remove --force ../place-$1
}
merge() {
  tree=$(git merge-tree --write-tree refs/line refs/story/$1)
  commit=$(git commit-tree "$tree" -p refs/line -m "Story $1")
  if [ "$tree" != "$(git rev-parse refs/story/$1^{tree})" ]; then
    flock lock git worktree add -q --detach ../line-$1 $commit
    ( cd ../line-$1 && sh -c true )
    flock lock git worktree remove --force ../line-$1
  fi
  git update-ref refs/line $commit
  flock lock git worktree remove --force ../ws-$1
}
export -f code
`
  const body = chained
    ? `for id in ${ids}; do code $id; merge $id; done`
    : `echo ${ids} | tr ' ' '\\n' | xargs -P ${agents} -I{} bash -euc 'code {}'\nfor id in ${ids}; do merge $id; done`
  return `${head}\n${body}\ncd ../repository\ngit fetch -q ../clone.git refs/line\ngit merge -q --ff-only FETCH_HEAD`
}
