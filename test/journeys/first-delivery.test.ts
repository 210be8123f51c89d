import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../contract/user-repository.ts'
import { exits } from './binary.ts'
import { story, Yard } from './yard.ts'

const looks: [args: string[], shows: RegExp][] = [
  [['status'], /done/],
  [['status', '--all'], /make-it-so/],
  [['why', 'two'], /Story two/],
  [['log', '--limit', '500'], /DeliveryRequested[\s\S]*DeliveryCompleted/],
  [['log', '--type', 'Judged', '--story', 'two'], /Judged/],
  [['log', '--verify'], /intact/],
  [['diff'], /\+\+\+ b\/src\/one\.txt/],
  [['diff', 'two'], /\+\+\+ b\/src\/two\.txt/],
  [['cost'], /mine/],
  [['plan'], /Story one/],
  [['config'], /checks\.test[\s\S]*What counts as test material here/],
  [['config', '--diff'], /agents/],
  [['watch'], /done/],
  [['gc'], /would be freed/],
]

describe('a first delivery', () => {
  it('goes from init to done, and can be looked at in every way without leaving a trace', async () => {
    const yard = new Yard({ config: null, files: { 'package.json': '{"scripts":{"test":"sh check.sh"}}\n' } })
    const early = exits(await yard.ropewalk('run', 'Make it so'), 1)
    expect(early.stderr).toMatch(/checks[\s\S]*ropewalk init/)
    await yard.userActs(async (repo) => {
      expect(exits(await yard.ropewalk('init'), 0).stdout).toMatch(/check test: npm/)
      expect(git(repo, 'status', '--porcelain')).toBe('?? ropewalk.yaml')
      writeFileSync(join(repo, 'ropewalk.yaml'), config)
      git(repo, 'add', '-A')
      git(repo, 'commit', '-qm', 'Configure')
    })
    expect(exits(await yard.ropewalk('doctor'), 0).stdout).toMatch(/agent mine/)
    const [dry] = await Promise.all([yard.runPlan([story('one')], '--dry-run')])
    expect(exits(dry, 0).stdout).toMatch(/Nothing was created/)
    expect(exits(await yard.ropewalk('status', '--all'), 0).stdout).toMatch(/There are no deliveries yet/)

    const run = await yard.runPlan([story('one'), story('two', { dependsOn: ['one'] })])
    expect(exits(run, 0).stdout).toMatch(/Merged to main: 2 stories/)
    expect(yard.files()).toEqual(expect.arrayContaining(['src/one.txt', 'src/two.txt']))
    expect(git(yard.repo, 'log', '--format=%s', '-2')).toBe('Story two\nStory one')

    const recorded = await yard.events()
    for (const [args, shows] of looks) expect(exits(await yard.ropewalk(...args), 0).stdout).toMatch(shows)
    for (const [args] of looks) {
      const { stdout } = exits(await yard.ropewalk(...args, '--json'), 0)
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => typeof JSON.parse(line)),
      ).toContain('object')
    }
    expect(exits(await yard.ropewalk('plan', '--export'), 0).stdout).toMatch(/^stories:\n {2}- id: one/)
    expect(await yard.events()).toEqual(recorded)

    const again = exits(await yard.ropewalk('resume'), 0)
    expect(again.stdout).toMatch(/done/)
    expect(await yard.events()).toEqual(recorded)
    const [first] = recorded
    expect(exits(await yard.ropewalk('pause'), 1).stderr).toMatch(/has ended \(done-with-concerns\)/)
    expect(exits(await yard.ropewalk('why', 'tow'), 1).stderr).toMatch(/stories: one, two/)
    expect(exits(await yard.ropewalk('status', '-d', 'nobody'), 1).stderr).toMatch(/no delivery "nobody"/)
    await importedElsewhere(yard, first!.delivery)
  })

  it('is told in JSON from its request to its end', async () => {
    const script = [
      { role: 'planner', do: [{ result: { stories: [story('only')] } }] },
      { role: 'coder', do: [{ write: { 'src/only.txt': 'done\n' } }, { usage: { inputTokens: 7, usd: 0.5 } }] },
    ]
    const yard = new Yard({
      config: { agents: { player: { driver: 'scripted', script: 'script.yaml' } } },
      files: { 'script.yaml': JSON.stringify(script) },
    })
    const { stdout } = exits(await yard.start(['run', '-', '--json'], { input: 'Make it so, from a pipe' }).done, 0)
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map((line) => line.event?.type)).toEqual(expect.arrayContaining(['PlanDrafted', 'Landed']))
    expect(lines.at(-1).summary).toMatchObject({ interrupted: false })
    const status = await yard.status()
    expect(status).toMatchObject({
      word: 'done-with-concerns',
      requirement: 'Make it so, from a pipe',
      usd: 0.5,
      tokens: 7,
    })
    expect(yard.files()).toContain('src/only.txt')
  })
})

const config = `
agents:
  mine: { driver: command, command: ["./agent.sh"] }
checks:
  test: { run: "npm test", parser: exit-code }
`

/** An exported delivery is the same delivery in another home. */
async function importedElsewhere(yard: Yard, delivery: string): Promise<void> {
  const { stdout } = exits(await yard.ropewalk('export', delivery.slice(0, -3)), 0)
  const file = join(yard.person, 'exported.jsonl')
  writeFileSync(file, stdout)
  const env = { ROPEWALK_HOME: join(yard.person, 'elsewhere') }
  exits(await yard.start(['import', file], { env }).done, 0)
  expect(exits(await yard.start(['log', '--verify', '-d', delivery], { env }).done, 0).stdout).toMatch(/intact/)
  const events = (text: string): string[] => text.split('\n').filter((line) => line.includes('"version"'))
  const again = events(exits(await yard.start(['export', delivery], { env }).done, 0).stdout)
  expect(again.slice(0, -1)).toEqual(events(stdout))
  expect(again.at(-1)).toMatch('"DeliveryImported"')
  expect(exits(await yard.start(['import', file], { env }).done, 1).stderr).toMatch(delivery)
}
