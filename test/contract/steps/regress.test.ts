import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CheckPolicy } from '../../../src/delivery/policy.ts'
import { policyOf } from '../../../src/delivery/state.ts'
import type { RunTold, Search } from '../../../src/ports/proofs/regression.ts'
import { statementOf } from '../../../src/proof/statement.ts'
import { partLine } from '../../../src/proof/statement-note.ts'
import { openRegressionSearch } from '../../../src/steps/regress/search.ts'
import { checkDefaults } from '../../default-settings.ts'
import { write } from '../../empty-repository.ts'
import { proven } from '../../samples/statement.ts'
import { git } from '../user-repository.ts'
import { openYard, type Yard } from './yard.ts'

/** A test for each file: it passes unless the file says BROKEN. */
const check = `n=0; bad=0
for f in src/*; do n=$((n+1)); if grep -q BROKEN $f; then echo "not ok $n - $f"; echo "  ---"; echo "  location: '$PWD/$f:1:1'"; echo "  ..."; bad=1; else echo "ok $n - $f"; fi; done
echo "1..$n"; exit $bad
`
const files = { 'check.sh': check, 'src/a.txt': 'a\n', 'src/b.txt': 'b\n' }
const test: CheckPolicy = { ...checkDefaults, name: 'test', run: 'sh check.sh', parser: 'tap' }

class History {
  readonly yard: Yard
  constructor(yard: Yard) {
    this.yard = yard
  }

  /** By somebody else. */
  commit(subject: string, changed: Record<string, string>): string {
    write(this.yard.user, changed)
    git(this.yard.user, 'add', '--all')
    git(this.yard.user, 'commit', '-q', '--allow-empty', '-m', subject)
    return git(this.yard.user, 'rev-parse', 'main')
  }

  /** Of ours, as the log has it. */
  async story(id: string, changed: Record<string, string>): Promise<string> {
    const from = git(this.yard.user, 'rev-parse', 'main')
    const to = this.commit(`Story ${id}`, changed)
    await this.yard.tell({ type: 'LineAdvanced', step: id, story: id, from, to, tree: '' })
    return to
  }

  async search(given: { checks?: CheckPolicy[]; all?: CheckPolicy[]; since?: string; quarantine?: string[] } = {}) {
    const { yard } = this
    const known = { id: 'r', path: yard.user }
    const world = { ...yard.world, clone: yard.repository, known, id: 'regress.1.1', mark: 'regress-test:try' }
    const regression = openRegressionSearch(world)
    const tip = await yard.repository.fetchTarget('main')
    const course = await regression.course({ tip, since: given.since ?? null })
    const runs: RunTold[] = []
    const checks = given.all ?? given.checks ?? [test]
    const policy = { ...policyOf(await yard.state()), checks, quarantine: given.quarantine ?? [] }
    const how = { signal: new AbortController().signal, onStart: () => {}, onRun: (run: RunTold) => runs.push(run) }
    const found =
      course.length === 0
        ? null
        : await regression.search({ course, checks: given.checks ?? [test], policy, overlay: [], ...how })
    return { course, runs, found: found as Search }
  }
}

const begun = async (more: Record<string, string> = {}): Promise<History> =>
  new History(await openYard({ files: { ...files, ...more }, stories: null, script: [] }))

/** Eight stories, of which one breaks something. */
async function eight(bad: number): Promise<{ history: History; culprit: string }> {
  const history = await begun()
  let culprit = ''
  for (let n = 1; n <= 8; n++) {
    const commit = await history.story(`s${n}`, { [`src/s${n}.txt`]: n === bad ? 'BROKEN\n' : 'fine\n' })
    if (n === bad) culprit = commit
  }
  return { history, culprit }
}

describe('a check that became red', () => {
  it.each([1, 5, 8])('is traced to story %i of 8, and the revert is tried', async (bad) => {
    const { history, culprit } = await eight(bad)
    const before = git(history.yard.user, 'for-each-ref')
    const { found, runs, course } = await history.search()
    expect(course).toHaveLength(9)
    expect(runs.length).toBeLessThanOrEqual(3 + Math.ceil(Math.log2(course.length)))
    expect(runs.every(({ most }) => most === 7)).toBe(true)
    expect(found).toMatchObject({
      ...{ status: 'found', check: 'test', runs: runs.length, before: [] },
      at: { commit: culprit, story: { delivery: 'd1', story: `s${bad}` } },
      failures: [{ test: `src/s${bad}.txt` }],
      revert: { status: 'applies', red: [] },
    })
    expect(git(history.yard.user, 'for-each-ref')).toBe(before)
    expect(git(history.yard.user, 'status', '--porcelain')).toBe('')
    for (const kind of ['places', 'spools', 'results'])
      expect(readdirSync(join(history.yard.home, kind)).filter((name) => name.startsWith('regress'))).toEqual([])
    const records = join(history.yard.home, 'repositories')
    const clone = readdirSync(records).find((name) => name.endsWith('.git'))!
    expect(readdirSync(join(records, clone, 'ropewalk'))).toEqual([])
  })

  it('names what conflicts where the revert does not apply, and says when nothing of it is left', async () => {
    const history = await begun()
    await history.story('one', { 'src/a.txt': 'BROKEN\n' })
    await history.story('two', { 'src/a.txt': 'BROKEN, and more\n' })
    expect((await history.search()).found).toMatchObject({
      at: { story: { story: 'one' } },
      revert: { status: 'conflict', files: ['src/a.txt'] },
    })
    const other = await begun()
    await other.story('one', { 'src/a.txt': 'BROKEN\n' })
    await other.story('two', { 'src/a.txt': 'a\n', 'src/c.txt': 'BROKEN\n' })
    const any: CheckPolicy = { ...test, run: '! grep -rq BROKEN src', parser: 'exit-code' }
    expect((await other.search({ checks: [any] })).found).toMatchObject({
      at: { story: { story: 'one' } },
      revert: { status: 'empty' },
    })
  })

  it('is nobody of ours when it was red before, and a story is named for what came besides', async () => {
    const red = await begun({ 'src/old.txt': 'BROKEN\n' })
    await red.story('one', { 'src/c.txt': 'c\n' })
    await red.story('two', { 'src/d.txt': 'd\n' })
    expect((await red.search()).found).toMatchObject({ status: 'before', at: { story: null } })
    await red.story('three', { 'src/e.txt': 'BROKEN\n' })
    const { found } = await red.search()
    expect(found).toMatchObject({
      ...{ status: 'found', at: { story: { story: 'three' } }, before: ['src/old.txt'] },
      failures: [{ test: 'src/e.txt' }],
      revert: { status: 'applies', mended: true, red: [{ check: 'test' }] },
    })
  })

  it('is mended by a revert also where another story has broken something else since', async () => {
    const history = await begun()
    await history.story('one', { 'src/c.txt': 'BROKEN\n' })
    await history.story('two', { 'src/d.txt': 'BROKEN\n' })
    expect((await history.search()).found).toMatchObject({
      ...{ status: 'found', at: { story: { story: 'one' } }, failures: [{ test: 'src/c.txt' }] },
      revert: { status: 'applies', mended: true, red: [{ check: 'test' }] },
    })
  })

  it.each(['npm run lint', 'sh lint.sh'])('is not taken for red before where there was no %s yet', async (run) => {
    const history = await begun({ 'package.json': '{}\n' })
    for (const id of ['one', 'two', 'three', 'four']) await history.story(id, { [`src/${id}.txt`]: 'fine\n' })
    await history.story('five', {
      'package.json': '{ "scripts": { "lint": "sh lint.sh" } }\n',
      'lint.sh': '#!/bin/sh\n! grep -rq BROKEN src\n',
    })
    await history.story('six', { 'src/six.txt': 'BROKEN\n' })
    const lint: CheckPolicy = { ...checkDefaults, name: 'lint', run, parser: 'exit-code' }
    const { found } = await history.search({ checks: [lint] })
    expect(found).toMatchObject({ status: 'found', at: { story: { story: 'six' } }, revert: { red: [] } })
  })

  it('is the commit of somebody else when it began there', async () => {
    const history = await begun()
    await history.story('one', { 'src/c.txt': 'c\n' })
    const foreign = history.commit('By hand', { 'src/a.txt': 'BROKEN\n' })
    await history.story('two', { 'src/d.txt': 'd\n' })
    expect((await history.search()).found).toMatchObject({
      ...{ status: 'foreign', at: { commit: foreign, author: 'Ada', subject: 'By hand', story: null } },
    })
  })

  it('is flaky when a second run on the same commit passes, and blames no story', async () => {
    const history = await begun()
    await history.story('one', { 'src/c.txt': 'c\n' })
    const seen = join(history.yard.home, 'seen')
    const flaky: CheckPolicy = {
      ...test,
      run: `test -f '${seen}' || { touch '${seen}'; echo BROKEN >> src/c.txt; }; sh check.sh`,
    }
    const { found, runs } = await history.search({ checks: [flaky] })
    expect(found).toMatchObject({ status: 'flaky', tests: ['src/c.txt'], at: { story: { story: 'one' } } })
    expect(runs.map(({ word }) => word)).toEqual(['red', 'green', 'green'])
    expect(existsSync(seen)).toBe(true)
  })

  it('is flaky when a second run on the commit before fails, and blames no story', async () => {
    const history = await begun()
    await history.story('one', { 'src/c.txt': 'c\n' })
    const seen = join(history.yard.home, 'seen')
    const flaky: CheckPolicy = {
      ...test,
      run: `echo x >> '${seen}'; test $(wc -l < '${seen}') = 2 || echo BROKEN >> src/a.txt; sh check.sh`,
    }
    const { found, runs } = await history.search({ checks: [flaky] })
    expect(runs.map(({ word }) => word)).toEqual(['red', 'green', 'red', 'red'])
    expect(found).toMatchObject({ status: 'flaky', tests: ['src/a.txt'], at: { subject: 'Begin' } })
  })

  it('is one of several where commits between fail otherwise', async () => {
    const history = await begun()
    await history.story('one', { 'check.sh': 'exit 3\n' })
    await history.story('two', { 'check.sh': check, 'src/a.txt': 'BROKEN\n' })
    const { found } = await history.search()
    expect(found).toMatchObject({
      status: 'unclear',
      suspects: [{ story: null }, { subject: 'Story one' }, { subject: 'Story two' }],
    })
  })

  it('is reverted in vain where another check is red then: all of them are tried', async () => {
    const history = await begun()
    await history.story('one', { 'src/c.txt': 'BROKEN\n' })
    await history.story('two', { 'needs.txt': 'src/c.txt\n' })
    const links: CheckPolicy = {
      ...test,
      name: 'links',
      run: 'if [ -f needs.txt ]; then ls src/c.txt; fi',
      parser: 'exit-code',
    }
    const { found } = await history.search({ checks: [test], all: [links, test] })
    expect(found).toMatchObject({ status: 'found', revert: { mended: true, red: [{ check: 'links' }] } })
  })

  it('is not there when all checks pass, those in quarantine aside, and the first red one is searched', async () => {
    const history = await begun()
    await history.story('one', { 'src/c.txt': 'BROKEN\n' })
    const lint: CheckPolicy = { ...test, name: 'lint', run: 'true', parser: 'exit-code' }
    expect((await history.search({ checks: [lint] })).found).toEqual({ status: 'green', checks: ['lint'], runs: 1 })
    expect((await history.search({ checks: [lint, test] })).found).toMatchObject({ status: 'found', check: 'test' })
    expect((await history.search({ quarantine: ['src/c.txt'] })).found).toMatchObject({ status: 'green' })
  })
})

describe('the stories that are searched', () => {
  it('begin after a commit that is named, and are known by their notes where there is no log', async () => {
    const history = await begun()
    await history.story('one', { 'src/c.txt': 'c\n' })
    const second = await history.story('two', { 'src/d.txt': 'd\n' })
    const third = history.commit('Story three', { 'src/e.txt': 'e\n' })
    expect((await history.search({ since: second })).course).toEqual([])
    const statement = statementOf({
      ...proven,
      commit: third,
      tree: git(history.yard.user, 'rev-parse', 'main^{tree}'),
    })
    git(history.yard.user, 'notes', '--ref', 'ropewalk', 'add', '-m', JSON.stringify(statement), third)
    const { course } = await history.search({ since: second })
    expect(course.map(({ subject, story }) => [subject, story?.story])).toEqual([
      ['Story two', 'two'],
      ['Story three', proven.proof.story],
    ])
  })

  it('are known with all their commits by the note of the last one', async () => {
    const history = await begun()
    const part = history.commit('First half', { 'src/d.txt': 'BROKEN\n' })
    const last = history.commit('Second half', { 'src/e.txt': 'e\n' })
    const statement = statementOf({
      ...{ ...proven, commit: last, tree: git(history.yard.user, 'rev-parse', 'main^{tree}') },
      proof: { ...proven.proof, parts: [part] },
    })
    git(history.yard.user, 'notes', '--ref', 'ropewalk', 'add', '-m', JSON.stringify(statement), last)
    git(history.yard.user, 'notes', '--ref', 'ropewalk', 'add', '-m', partLine(last), part)
    expect((await history.search()).found).toMatchObject({
      ...{ status: 'found', at: { commit: part, story: { story: proven.proof.story } } },
      commits: [{ subject: 'First half' }, { subject: 'Second half' }],
    })
  })

  it('have all their commits reverted when they were laid one by one', async () => {
    const history = await begun()
    await history.story('one', { 'src/c.txt': 'c\n' })
    const from = git(history.yard.user, 'rev-parse', 'main')
    history.commit('First half', { 'src/d.txt': 'BROKEN\n' })
    const to = history.commit('Second half', { 'src/e.txt': 'e\n' })
    await history.yard.tell({ type: 'LineAdvanced', step: 'x', story: 'two', from, to, tree: '' })
    expect((await history.search()).found).toMatchObject({
      ...{ at: { subject: 'First half', story: { story: 'two' } } },
      commits: [{ subject: 'First half' }, { subject: 'Second half' }],
      revert: { status: 'applies', red: [] },
    })
  })
})
