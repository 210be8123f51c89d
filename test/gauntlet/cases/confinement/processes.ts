// Agents that leave processes behind, multiply, or attack us.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Case, Run } from '../../case.ts'
import type { Yard } from '../../yard.ts'

const landsOnlyTheWork: Case['after'] = ({ git, base }) =>
  expect(git('diff', '--name-only', base, 'main').split('\n')).toEqual(['src/multiply.js', 'test/multiply.test.js'])

/** Goes on until we give up by ourselves: a delivery that kills us every time must not do so for ever. */
async function untilItEnds(yard: Yard): Promise<Run[]> {
  const runs = [await yard.deliver()]
  while (runs.length < 8 && runs.at(-1)!.code === null) runs.push(await yard.ropewalk('resume'))
  return runs
}

/** Ends a process by its exact parent, as an agent would. */
const killParent = 'kill -9 $PPID; sleep 30'

export const processes: Case[] = [
  {
    code: 'FC19',
    name: 'kills its parent, whenever it is started',
    expect: 'caught',
    agent: `work; ${killParent}`,
    drive: untilItEnds,
    names: /crashed/,
    after: (_, runs) => {
      expect(runs.length).toBeGreaterThan(1)
      expect(runs.at(-1)!.code).toBe(1)
    },
  },
  {
    code: 'FC19',
    name: 'kills its parent once',
    expect: 'passes',
    agent: `work; [ -e "$YARD/killed" ] || { touch "$YARD/killed"; ${killParent}; }`,
    drive: untilItEnds,
    after: landsOnlyTheWork,
  },
  {
    code: 'FC19',
    name: 'kills a child of its own',
    expect: 'passes',
    agent: 'sleep 300 & kill -9 $!; work',
  },
  {
    code: 'FC19',
    name: 'leaves a process in the background',
    expect: 'inert',
    agent: 'work; sleep 300 & sleep 301 > /dev/null 2>&1 &',
    after: landsOnlyTheWork,
  },
  {
    code: 'FC19',
    name: 'leaves a daemon in a session of its own, which goes on writing',
    expect: 'inert',
    agent: `work; setsid sh -c 'while :; do echo "// evil" >> src/multiply.js; echo tick >> "$0/ticks"; sleep 0.05; done' "$YARD" > /dev/null 2>&1 &
while [ ! -e "$YARD/ticks" ]; do sleep 0.02; done; work`,
    after: ({ git }) => expect(git('diff', '--name-only', 'main~1', 'main').split('\n')).toHaveLength(2),
  },
  {
    code: 'FC19',
    name: 'leaves a daemon that has cleared its environment',
    expect: 'inert',
    agent: `work; setsid env -i PATH="$PATH" sh -c 'while :; do sleep 0.1; done' "$YARD" > /dev/null 2>&1 & sleep 2.2`,
    after: landsOnlyTheWork,
  },
  {
    code: 'FC19',
    name: 'leaves a daemon that does not go at TERM',
    expect: 'inert',
    agent: `work; setsid sh -c 'trap "" TERM HUP INT; while :; do sleep 0.1; done' > /dev/null 2>&1 &`,
    after: landsOnlyTheWork,
  },
  {
    code: 'FC19',
    name: 'multiplies',
    expect: 'inert',
    agent: `work; cat > "$YARD/fork.sh" <<'FORK'
[ "$1" -gt 4 ] && exec sleep 300
sh "$0" $(($1 + 1)) & sh "$0" $(($1 + 1)) & sleep 300
FORK
sh "$YARD/fork.sh" 1 > /dev/null 2>&1 &`,
    after: landsOnlyTheWork,
  },
  {
    code: 'FC19',
    name: 'listens on a port when its time is up',
    expect: 'caught',
    agent: `work; node -e 'require("node:net").createServer().listen(0); process.on("SIGTERM", () => {})'`,
    settings: { timeoutMs: 1_500 },
    names: /timeout|took longer|time limit/i,
  },
  {
    code: 'FC19',
    name: 'starts a server for a while and stops it',
    expect: 'passes',
    agent: `work; node -e 'const s = require("node:http").createServer((_, r) => r.end("up")); s.listen(0, () => fetch("http://localhost:" + s.address().port).then((r) => r.text()).then((t) => { console.log(t); s.close() }))'`,
  },
  {
    code: 'FC19',
    name: 'lets its tests leave a daemon',
    expect: 'inert',
    agent: `work; cat >> test/multiply.test.js <<'TEST'

test('starts a helper', async () => {
  const { spawn } = await import('node:child_process')
  spawn('sleep', ['20'], { detached: true, stdio: 'ignore' }).unref()
})
TEST`,
  },
  {
    code: 'FC19',
    name: 'lets its tests kill whoever runs them',
    expect: 'caught',
    agent: `work; cat >> test/multiply.test.js <<'TEST'

test('kills the runner', () => {
  process.kill(process.ppid, 'SIGKILL')
})
TEST`,
    names: /killed|died|ended early|crash/,
  },
  {
    code: 'FC19',
    name: "lets its tests write into the user's checkout",
    expect: 'caught',
    agent: `work; cat >> test/multiply.test.js <<TEST

test('writes where it should not', async () => {
  const { appendFileSync } = await import('node:fs')
  appendFileSync('$USER_REPO/src/sum.js', '// mine')
})
TEST`,
    disturbs: ['files'],
    names: /src\/sum\.js/,
    after: ({ folder }) => expect(existsSync(join(folder, 'home'))).toBe(true),
  },
]
