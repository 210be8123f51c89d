// Nothing that an agent may have written reads or writes anything but its own place, whatever makes it run.
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { productPlaces } from '../../../../src/adapters/agents/cli/products.ts'
import { scriptedDriver } from '../../../../src/adapters/agents/scripted/driver.ts'
import { secretPlaces } from '../../../../src/adapters/shell/users-home.ts'
import { defaults } from '../../../default-settings.ts'
import { check } from '../yard.ts'
import { type Confined, kinds, openConfined, put } from './rig.ts'

/** Tries every store, and tells in its own place what it got to. */
const probe = (stores: string[]) => `#!/bin/sh
for store in ${stores.map((path) => `'${path}'`).join(' ')}; do
  if grep -rq secret "$store" 2>/dev/null; then echo "read $store" >> reached; fi
  mkdir -p "$(dirname "$store")" 2>/dev/null; (echo stray >> "$store") 2>/dev/null
  rm -rf "$store" 2>/dev/null
done
(env -i setsid sleep 30777 </dev/null >/dev/null 2>&1 &)
if test -e reached; then cat reached | tee b.txt; exit 1; fi
`

/** Every place with a key, what is ours, and what is the user's. */
async function stores(yard: Confined): Promise<string[]> {
  const { userHome, home, user } = yard
  const secrets = secretPlaces({ home, userHome, env: {}, agents: productPlaces({}) }).filter((path) =>
    path.startsWith(userHome),
  )
  const keys = secrets.map((path) => (existsSync(path) ? join(path, 'more') : put(path)))
  const own = [
    'log.sqlite',
    'blobs/aa/x',
    'proofs',
    'places/other/x',
    'workspaces/other/x',
    'results/d1/answers/x/answer.json',
  ]
  const ours = [...own, 'pools/x', 'memory/x'].map((name) => put(join(home, name)))
  const elsewhere = put(join(mkdtempSync(join(tmpdir(), 'ropewalk-others-')), 'file'))
  const dots = ['.bashrc', '.profile', 'Documents/letter', '.config/ropewalk/config.yaml'].map((name) =>
    put(join(userHome, name)),
  )
  return [...keys, ...ours, ...dots, elsewhere, put(join(user, 'untracked'))]
}

/** One after the other, because a yard has one probe. */
async function outcome(yard: Confined, kind: string): Promise<string> {
  await yard.perform('CodeStory')
  const tidied = kind === 'fix' ? (await yard.perform('TidyStory')).ending : null
  const { ending, interims } = await yard.perform('Judge')
  return JSON.stringify([ending, interims, tidied])
}

describe('from inside of a confined command', () => {
  it.each(Object.keys(kinds))('of the kind %s, no store is read or written, and nothing outlives it', async (kind) => {
    const files = { 'a.txt': 'a', 'probe.sh': 'exit 0\n' }
    const policy = { ...kinds[kind]!('sh probe.sh'), judges: ['check:test'] }
    const yard = await openConfined({ files }, policy)
    const all = await stores(yard)
    const before = all.map(textOf)
    const script = [{ do: [{ write: { 'b.txt': 'b', 'probe.sh': probe(all) } }] }]
    const { agents } = (await yard.state()).policy!
    const mine = { ...agents.mine!, options: { steps: script } }
    await yard.tell({ type: 'PolicyPinned', policy: { ...(await yard.state()).policy!, agents: { mine } }, hash: 'p2' })
    const told = await outcome(yard, kind)
    expect(told).toContain('"status":"passed"')
    expect(told).not.toMatch(/read \/|"changed":\["b/)
    expect(all.map(textOf)).toEqual(before)
    expect(asleep(30777)).toEqual([])
  })

  it('of a criterion and of an agent likewise', async () => {
    const run = 'sh probe.sh'
    const stories = [{ id: 'one', proofs: [{ type: 'command-succeeds' as const, run }] }]
    const yard = await openConfined({ stories, script: [] }, { judges: ['criteria'], checks: [check({})] })
    const all = await stores(yard)
    const before = all.map(textOf)
    const agentsOwn = all.filter((path) => path.startsWith(yard.home) || yard.world.secretPlaces.includes(path))
    const steps = [{ do: [{ write: { 'probe.sh': probe(all) } }, { shell: `${writing(agentsOwn)}; rm -f reached` }] }]
    const policy = (await yard.state()).policy!
    const mine = { ...policy.agents.mine!, options: { steps } }
    await yard.tell({ type: 'PolicyPinned', policy: { ...policy, agents: { mine } }, hash: 'p2' })
    expect(await outcome(yard, 'criterion')).toContain('"status":"passed"')
    expect(all.map(textOf)).toEqual(before)
    expect(asleep(30777)).toEqual([])
  })

  it('of an agent sees the file that its prompt names, and else nothing of the home and of ours', async () => {
    const yard = await openConfined({ requirement: `Make it so. ${'And more. '.repeat(5_000)}The end.` })
    const stray = ['CLAUDE.md', '.agents/skills/x/SKILL.md', '.bash_history'].map((name) =>
      put(join(yard.userHome, name)),
    )
    const all = [...(await stores(yard)), ...stray, put(join(yard.home, 'results/d1/other.md'))]
    const told = `${yard.home}/results/d1/requirement-*.md`
    const read = `grep -o 'The end.' ${told} > b.txt; for store in ${all.join(' ')}; do grep -rs secret $store >> b.txt; done`
    const { policy } = await yard.state()
    const mine = { ...policy!.agents.mine!, options: { steps: [{ do: [{ shell: read }] }] } }
    await yard.tell({ type: 'PolicyPinned', policy: { ...policy!, agents: { mine } }, hash: 'p2' })
    const { ending } = await yard.perform('CodeStory')
    const { commit } = ending as unknown as { commit: string }
    expect((await yard.repository.readFile(commit as never, 'b.txt'))?.toString()).toBe('The end.\n')
  })

  it('tells of an agent that nothing kept from instructions that are not its own', async () => {
    const yard = await openConfined({}, { sandbox: 'none' })
    const { policy } = await yard.state()
    yard.world.strayInstructions = () => ['/home/me/CLAUDE.md']
    yard.world.driver = async () => scriptedDriver(yard.world)
    const mine = { ...policy!.agents.mine!, driver: 'claude' }
    await yard.tell({ type: 'PolicyPinned', policy: { ...policy!, agents: { mine } }, hash: 'p2' })
    const { interims } = await yard.perform('CodeStory')
    const text = 'mine is not confined, and may have read instructions that are not its own: /home/me/CLAUDE.md'
    expect(interims).toContainEqual({ type: 'ConcernRaised', story: null, text })
  })

  it('sees the docker socket, the network and the home only where it says that it needs them', async () => {
    const line = 'test -f "$HOME/.netrc"'
    for (const needs of [[], ['home']] as const) {
      const policy = { ...defaults, checks: [check({ run: line, parser: 'exit-code', needs: [...needs] })] }
      const yard = await openConfined({}, { checks: policy.checks })
      put(join(yard.userHome, '.netrc'))
      expect(await outcome(yard, 'check')).toContain(needs.length === 0 ? 'exit code 1' : '"status":"passed"')
    }
  })

  it('reaches no server where egress is closed, but where it needs the network', async () => {
    const line = `node -e 'process.exit(Object.keys(require("os").networkInterfaces()).length > 0 ? 0 : 1)'`
    const interfaces = async (needs: 'network'[]) =>
      await outcome(
        await openConfined(
          {},
          {
            egress: 'closed',
            checks: [
              check({
                run: `ls /sys/class/net; ${line}; test "$(grep -c : /proc/net/dev)" -gt 1`,
                parser: 'exit-code',
                needs,
              }),
            ],
          },
        ),
        'check',
      )
    expect(await interfaces([])).toContain('exit code 1')
    expect(await interfaces(['network'])).toContain('"status":"passed"')
  })
})

const writing = (paths: string[]): string => paths.map((path) => `(echo stray >> '${path}') 2>/dev/null`).join('; ')

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function asleep(seconds: number): string[] {
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && textOf(`/proc/${pid}/cmdline`) === `sleep\0${seconds}\0`,
  )
}
