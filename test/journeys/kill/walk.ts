// The deliveries that are killed.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../contract/user-repository.ts'
import { Yard } from '../yard.ts'

export interface Walk {
  open(): Yard
  args: string[]
  /** What the user does meanwhile; once, whenever the moment has come. */
  meanwhile(yard: Yard): Promise<void>
}

/** Each turn is on record outside, and says so when another agent is alive in the same workspace. */
export const turns = `
turns="$HOME/agents$(pwd | tr -c 'a-zA-Z0-9\\n' -)"
touch "$turns"
for pid in $(cat "$turns"); do
  if tr '\\0' ' ' < "/proc/$pid/cmdline" 2> /dev/null | grep -q agent.sh; then echo "$pid $$" >> "$HOME/overlaps"; fi
done
echo $$ >> "$turns"
`

const paid = `
echo '{"usd": 0.25}' > "$ROPEWALK_RESULT"
test "$ROPEWALK_ROLE" = planner || test -e deps/ready || exit 9
`

const open = (agent: string, settings: object) => () =>
  new Yard({
    agent: `${turns}${paid}${agent}`,
    config: {
      setup: 'mkdir -p deps && echo ready > deps/ready',
      checks: { test: { run: 'sh check.sh', fix: 'sh fix.sh', parser: 'exit-code' } },
      ...settings,
    },
    files: {
      '.gitignore': 'deps/\n',
      'check.sh': 'test -e deps/ready || exit 9\nif grep -rn BROKEN src; then exit 1; fi\n',
      'fix.sh': "sed -i 's/ *$//' src/*.txt\n",
    },
  })

/** A drafted plan of two stories, the second depending on the first, which is red in its first round. */
export const plain: Walk = {
  open: open(
    `
if [ "$ROPEWALK_ROLE" = planner ]; then
  echo '{"outline":{"approach":"One by one.","runnerUp":{"approach":"At once.","lostBecause":"It is too much."}},"stories":[{"id":"first","title":"First"},{"id":"second","title":"Second","dependsOn":["first"]}]}' > "$ROPEWALK_RESULT"
elif [ "$ROPEWALK_STORY-$ROPEWALK_ROUND" = first-1 ]; then sleep 0.1; echo 'BROKEN   ' > src/first.txt
else sleep 0.1; echo "$ROPEWALK_STORY is done   " > "src/$ROPEWALK_STORY.txt"
fi`,
    {},
  ),
  args: ['run', 'Make it so', '--gates', 'auto'],
  meanwhile: async () => {},
}

/** Two stories whose coder commits by itself, and leaves something over. */
export const rebased: Walk = {
  open: open(
    `
if [ "$ROPEWALK_ROLE" = planner ]; then
  echo '{"outline":{"approach":"One by one.","runnerUp":{"approach":"At once.","lostBecause":"It is too much."}},"stories":[{"id":"one","title":"One"},{"id":"two","title":"Two","dependsOn":["one"]}]}' > "$ROPEWALK_RESULT"
else
  for part in begin go-on; do
    echo "$part" > "src/$ROPEWALK_STORY-$part.txt"
    git add -A && git commit -q -m "$part with $ROPEWALK_STORY" || exit 8
  done
  echo 'over   ' > "src/$ROPEWALK_STORY.txt"
fi`,
    { mergeMethod: 'rebase' },
  ),
  args: ['run', 'Make it so', '--gates', 'auto'],
  meanwhile: async () => {},
}

/**
 * An invalid draft, a plan gate, an agent that crashes and one that asks, two stories that conflict, and a target that
 * has moved when it comes to landing.
 */
export const troubled: Walk = {
  open: open(
    `
again() { test -e "$HOME/$1" || { : > "$HOME/$1"; false; }; }
case "$ROPEWALK_ROLE-$ROPEWALK_STORY" in
planner-)
  if grep -q nobody "$said"; then echo '{"outline":{"approach":"One by one.","runnerUp":{"approach":"At once.","lostBecause":"It is too much."}},"stories":[{"id":"one"},{"id":"two"}]}' > "$ROPEWALK_RESULT"
  else echo '{"stories":[{"id":"one","dependsOn":["nobody"]}]}' > "$ROPEWALK_RESULT"
  fi ;;
coder-one)
  again crashed || exit 7
  again asked || { echo '{"question":{"text":"Which one?"}}' > "$ROPEWALK_RESULT"; exit 0; }
  echo 'from one   ' >> src/a.txt ;;
coder-two)
  : > "$HOME/begun"
  while [ ! -e "$HOME/go" ]; do sleep 0.05; done
  if grep -q '<<<<<<<\\|from one' src/a.txt; then printf 'alpha\\nfrom one\\nfrom two   \\n' > src/a.txt
  else echo 'from two   ' >> src/a.txt
  fi ;;
esac`,
    { limits: { agents: 1 } },
  ),
  args: ['run', 'Make it so', '--gates', 'plan'],
  async meanwhile(yard) {
    if (!existsSync(join(yard.person, 'begun')) || existsSync(join(yard.person, 'go'))) return
    await yard.userActs((repo) => {
      writeFileSync(join(repo, 'src/theirs.txt'), 'mine, says the user\n')
      git(repo, 'add', '-A')
      git(repo, 'commit', '-qm', 'Meanwhile')
    })
    writeFileSync(join(yard.person, 'go'), '')
  },
}
