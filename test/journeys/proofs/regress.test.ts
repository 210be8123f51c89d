import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RegressionView } from '../../../src/desk/proofs/regress.ts'
import { git } from '../../contract/user-repository.ts'
import { exits, type Said, until } from '../binary.ts'
import { processesOf } from '../untouched.ts'
import { story, Yard } from '../yard.ts'

const three = [story('one'), story('two', { dependsOn: ['one'] }), story('three', { dependsOn: ['two'] })]
const viewOf = (said: Said): RegressionView => JSON.parse(said.stdout) as RegressionView

async function delivered(): Promise<Yard> {
  const yard = new Yard()
  exits(await yard.runPlan(three), 0)
  return yard
}

const left = (yard: Yard): string[] =>
  ['places', 'spools', 'results'].flatMap((kind) =>
    readdirSync(join(yard.home, kind)).filter((name) => name.startsWith('regress.')),
  )

/** What git notes of places, in our clone. */
function records(yard: Yard): string[] {
  const folder = join(yard.home, 'repositories')
  const clones = readdirSync(folder).filter((name) => name.endsWith('.git'))
  return clones.flatMap((clone) => readdirSync(join(folder, clone, 'ropewalk')).filter((name) => /\.index/.test(name)))
}

describe('a regression that is found after the merge', () => {
  it('names the story, and the revert that it prints mends it', async () => {
    const yard = await delivered()
    expect(exits(await yard.ropewalk('regress'), 0).stdout).toMatch(/Nothing is red at the tip of main: test/)
    const repro = ['regress', '--run', '! test -e src/two.txt']
    const said = exits(await yard.ropewalk(...repro), 2)
    expect(said.stdout).toMatch(
      /1 of at most 5 {2}red[\s\S]*Red since Story two\n {2}story two of make-it-so-\w+, by mine/,
    )
    expect(said.stdout).toMatch(/Reverting it applies cleanly, and --run is green with it\./)
    const view = viewOf(exits(await yard.ropewalk(...repro, '--json'), 2))
    const culprit = git(yard.repo, 'rev-parse', 'main~1')
    expect(view).toMatchObject({
      ...{ target: 'main', commits: 3, culprit: { story: 'two', title: 'Story two', agent: 'mine' } },
      result: { status: 'found', at: { commit: culprit }, revert: { status: 'applies', mended: true, red: [] } },
    })
    expect(view.result.runs).toBeLessThanOrEqual(5)
    expect(left(yard)).toEqual([])
    await yard.userActs((repo) => git(repo, ...view.next[0]!.split(' ').slice(1)))
    exits(await yard.ropewalk(...repro), 0)
    const after = exits(await yard.ropewalk('regress', '--since', 'main'), 1)
    expect(after.stderr).toMatch(/no story of ours has landed in main/)
    expect(exits(await yard.ropewalk('regress', 'nobody..main'), 1).stderr).toMatch(/knows no "nobody"/)
  })

  it('is searched with a test of the checkout that no commit has', async () => {
    const yard = await delivered()
    await yard.userActs((repo) => writeFileSync(join(repo, 'repro.sh'), '! test -e src/three.txt\n'))
    const said = exits(await yard.ropewalk('regress', '--run', 'sh repro.sh'), 2)
    expect(said.stderr).toMatch(/tried with repro\.sh as it is in your checkout/)
    expect(said.stdout).toMatch(/Red since Story three/)
  })

  it('leaves nothing behind after kill -9 that the next search or gc does not free', async () => {
    const yard = await delivered()
    const mark = join(yard.person, 'began')
    const searching = () => yard.start(['regress', '--run', `touch '${mark}'; sleep 60; false`])
    const killed = async () => {
      const search = searching()
      await until(() => existsSync(mark))
      const during = exits(await yard.ropewalk('gc'), 0)
      search.child.kill('SIGKILL')
      await search.done
      return during.stdout
    }
    expect(await killed()).toMatch(/Kept:[\s\S]*searches .*in use/)
    expect(left(yard).length).toBeGreaterThan(0)
    expect(exits(await yard.ropewalk('gc'), 0).stdout).toMatch(/searches[\s\S]*would be freed/)
    expect(records(yard)).not.toEqual([])
    exits(await yard.start(['gc', '--yes'], { cwd: yard.person }).done, 0)
    expect([...left(yard), ...records(yard)]).toEqual([])
    expect(processesOf(yard.home)).toEqual([])
    await killed()
    exits(await yard.ropewalk('regress'), 0)
    expect(left(yard)).toEqual([])
  })

  it('ends in order when it is interrupted', async () => {
    const yard = await delivered()
    const mark = join(yard.person, 'began')
    const search = yard.start(['regress', '--run', `touch '${mark}'; sleep 60`])
    await until(() => existsSync(mark))
    search.child.kill('SIGINT')
    exits(await search.done, 3)
    expect(left(yard)).toEqual([])
  })
})

it('a diff begins with what to read first, and stays a patch', async () => {
  const yard = new Yard({
    agent: 'mkdir -p src/auth; echo "export function login() {}" > "src/auth/$ROPEWALK_STORY.js"',
  })
  exits(await yard.runPlan([story('one')]), 0)
  const { stdout } = exits(await yard.ropewalk('diff', 'one'), 0)
  expect(stdout).toMatch(
    /^Read first\n {2}3 {2}src\/auth\/one\.js {2}security\nNote: no test was changed\n\ndiff --git /,
  )
  const patch = join(yard.person, 'one.patch')
  writeFileSync(patch, stdout)
  await yard.userActs((repo) => git(repo, 'apply', '--check', '--reverse', patch))
  expect(await yard.json('diff', 'one')).toMatchObject({ risk: { score: 5.5, files: [{ path: 'src/auth/one.js' }] } })
  const internal = exits(await yard.ropewalk('report', '--internal'), 0).stdout
  expect(internal).toMatch(/## Read first[\s\S]*src\/auth\/one\.js \| security \| 3/)
  expect(await yard.json('report')).toMatchObject({ readings: [{ story: 'one', score: 5.5 }], internal: null })
})

it('a report is broken between words on a terminal', async () => {
  const title = 'Take what was said about the parts that nobody has looked at for years into account'
  const yard = new Yard()
  exits(await yard.runPlan([story('one', { title })]), 0)
  const { stdout } = exits(await yard.startInTerminal(['report']).done, 0)
  const rows = stdout.split(/\r?\n/)
  expect(rows.filter((row) => row.length > 80)).toEqual([])
  expect(rows.some((row) => /^\s+\S*.*joined the result$/.test(row))).toBe(true)
})
