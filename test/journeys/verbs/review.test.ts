import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ReviewView } from '../../../src/views/report/review.ts'
import { git, makeUserRepository } from '../../contract/user-repository.ts'
import { write } from '../../empty-repository.ts'
import { exits } from '../binary.ts'
import { story, Yard } from '../yard.ts'

/** Finds what says WRONG in a file, and sorts it as true. */
const reviewer = `
wrong=$(grep -n WRONG src/work.txt)
line=$(echo "$wrong" | cut -d: -f1)
extra=$(grep -n EXTRA src/work.txt | cut -d: -f1)
scope=""
if [ -n "$extra" ]; then scope="{\\"file\\":\\"src/work.txt\\",\\"line\\":$extra,\\"message\\":\\"A bell, for which nobody asked.\\",\\"evidence\\":\\"EXTRA bell\\"}"; fi
case "$ROPEWALK_ROLE" in
reviewer)
  if [ -n "$wrong" ]; then
    echo "{\\"commit\\":\\"$ROPEWALK_COMMIT\\",\\"verdict\\":\\"needs-work\\",\\"findings\\":[{\\"severity\\":\\"blocking\\",\\"file\\":\\"src/work.txt\\",\\"line\\":$line,\\"message\\":\\"This is wrong.\\",\\"evidence\\":\\"\${wrong#*:}\\"}],\\"checked\\":[],\\"criteria\\":[{\\"number\\":1,\\"state\\":\\"missing\\",\\"why\\":\\"not there\\"}]}" > "$ROPEWALK_RESULT"
  else
    echo "{\\"commit\\":\\"$ROPEWALK_COMMIT\\",\\"verdict\\":\\"approve\\",\\"findings\\":[],\\"checked\\":[\\"src/work.txt\\"],\\"criteria\\":[{\\"number\\":1,\\"state\\":\\"met\\",\\"why\\":\\"it is there\\"}],\\"scope\\":[$scope]}" > "$ROPEWALK_RESULT"
  fi ;;
triager)
  second=""
  if [ -n "$extra" ]; then
    echo "{\\"commit\\":\\"$ROPEWALK_COMMIT\\",\\"sorted\\":[{\\"finding\\":\\"F1\\",\\"fate\\":\\"accepted\\",\\"severity\\":\\"suggestion\\",\\"because\\":\\"The requirement speaks of no bell.\\"}]}" > "$ROPEWALK_RESULT"
    exit 0
  fi
  if grep -q F2 "$said"; then second=",{\\"finding\\":\\"F2\\",\\"fate\\":\\"accepted\\",\\"severity\\":\\"blocking\\",\\"because\\":\\"The word is there, again.\\"}"; fi
  echo "{\\"commit\\":\\"$ROPEWALK_COMMIT\\",\\"verdict\\":\\"needs-work\\",\\"sorted\\":[{\\"finding\\":\\"F1\\",\\"fate\\":\\"accepted\\",\\"severity\\":\\"blocking\\",\\"because\\":\\"The word is there, once.\\"}$second]}" > "$ROPEWALK_RESULT" ;;
*) exit 1 ;;
esac`

const config = {
  roles: { coder: 'mine', triager: 'mine' },
  review: { reviewers: [{ vantage: 'criteria', agents: ['mine'] }] },
}

async function yardWith(work: string, more: object = {}): Promise<Yard> {
  const yard = new Yard({ agent: reviewer, config: { ...config, ...more } })
  await yard.userActs((repo) => {
    git(repo, 'checkout', '-q', '-b', 'topic')
    write(repo, { 'src/work.txt': work, 'package-lock.json': '{}\n' })
    git(repo, 'add', '--', 'src/work.txt', 'package-lock.json')
    git(repo, 'commit', '-q', '-m', 'AUTHOR-SAYS-FINE')
    git(repo, 'checkout', '-q', 'main')
  })
  return yard
}

const criteria = ['--criterion', 'There is work']

interface Sarif {
  version: string
  runs: { results: object[]; properties: object }[]
}

describe('review', () => {
  it('approves what is right, and states the base, the core, the noise and each criterion', async () => {
    const yard = await yardWith('good work\n')
    const said = exits(await yard.ropewalk('review', 'topic', ...criteria), 0).stdout
    expect(said).toMatch(/^approve$/m)
    expect(said).toMatch(new RegExp(`${git(yard.repo, 'rev-parse', 'main').slice(0, 10)}\\.\\.`))
    expect(said).toMatch(/Core of the change\n {2}src\/work\.txt/)
    expect(said).toMatch(/Noise\n {2}package-lock\.json: a lock file/)
    expect(said).toMatch(/met: There is work \(it is there\)/)
    expect(said).toMatch(/criteria \(mine\): approves; looked at src\/work\.txt/)
    // No author's words reach a reviewer, and nothing lands.
    expect(yard.said('reviewer', 'review', '1-1')).not.toMatch(/AUTHOR-SAYS-FINE/)
    expect(yard.files()).not.toContain('src/work.txt')
  })

  it('goes by standards of this machine, and by the hours of where it is begun, as a delivery does', async () => {
    const yard = await yardWith('good work\n', { constitution: '~/standards.md', workingHours: 'mon-fri 09:00-17:00' })
    writeFileSync(join(yard.person, 'standards.md'), 'There are no globals.\n')
    exits(await yard.start(['review', 'topic', ...criteria], { env: { TZ: 'Etc/GMT-3' } }).done, 0)
    expect(yard.said('reviewer', 'review', '1-1')).toContain('There are no globals.')
    const pinned = await yard.eventsOf('PolicyPinned')
    expect(pinned).toMatchObject([{ policy: { workingHours: { utcOffsetMinutes: 180 } } }])
  })

  it('says at file:line what needs work, as text, JSON and SARIF, with exit code 2', async () => {
    const yard = await yardWith('good work\nWRONG here\n')
    const said = exits(await yard.ropewalk('review', 'main..topic', ...criteria), 2).stdout
    expect(said).toMatch(/src\/work\.txt:2: blocking: This is wrong\./)
    expect(said).toMatch(/needs work {2}2 findings/)
    expect(said).toMatch(/missing: There is work/)
    const json = JSON.parse(exits(await yard.ropewalk('review', 'topic', '--json'), 2).stdout) as ReviewView
    expect(json).toMatchObject({
      verdict: 'needs-work',
      open: [{ file: 'src/work.txt', line: 2, severity: 'blocking' }],
    })
    const file = join(yard.person, 'review.sarif')
    expect(exits(await yard.ropewalk('review', 'topic', '--sarif', '-o', file), 2).stdout).toBe('')
    const sarif = JSON.parse(readFileSync(file, 'utf8')) as Sarif
    expect(sarif.version).toBe('2.1.0')
    expect(sarif.runs[0]?.results).toMatchObject([
      {
        level: 'error',
        message: { text: 'This is wrong.' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'src/work.txt' }, region: { startLine: 2 } } }],
      },
    ])
  })

  it('says what the change does that nobody asked for, apart from all else', async () => {
    const yard = await yardWith('good work\nEXTRA bell\n')
    const wanted = ['--requirement', 'There must be good work.']
    const said = exits(await yard.ropewalk('review', 'topic', ...wanted), 0).stdout
    expect(said).toMatch(
      /Scope: what nobody asked for\n {2}src\/work\.txt:2: A bell, for which nobody asked\. \(deferred/,
    )
    const json = JSON.parse(exits(await yard.ropewalk('review', 'topic', ...wanted, '--json'), 0).stdout) as ReviewView
    expect(json.scope).toMatchObject({
      status: 'found',
      findings: [{ fate: 'deferred', finding: { rule: 'scope', file: 'src/work.txt', line: 2 } }],
    })
    const sarif = JSON.parse(exits(await yard.ropewalk('review', 'topic', ...wanted, '--sarif'), 0).stdout) as Sarif
    const [fingerprint] = json.scope.findings.map(({ finding }) => finding.fingerprint)
    expect(sarif.runs[0]).toMatchObject({
      properties: { scope: { status: 'found', findings: [{ fingerprint }] } },
      results: [{ ruleId: 'scope' }],
    })
  })

  it('says that there is nothing of that kind, or that nobody can tell', async () => {
    const yard = await yardWith('good work\n')
    expect(exits(await yard.ropewalk('review', 'topic', ...criteria), 0).stdout).toMatch(/^scope: none$/m)
    const untold = exits(await yard.ropewalk('review', 'topic'), 0).stdout
    expect(untold).toMatch(/^scope: not judged: nobody said what the work was meant to do$/m)
  })

  it('fetches a pull request into our clone, and nothing into the repository of the user', async () => {
    const yard = await yardWith('good work\n')
    const remote = makeUserRepository({ 'x.txt': 'x\n' })
    git(yard.repo, 'push', '-q', remote, 'topic:refs/pull/7/head', 'topic:refs/merge-requests/8/head')
    expect(exits(await yard.ropewalk('review', '7'), 1).stderr).toMatch(/no remote.*pull requests/)
    await yard.userActs((repo) => {
      git(repo, 'remote', 'add', 'origin', remote)
      git(repo, 'branch', '-D', 'topic')
    })
    exits(await yard.ropewalk('review', '7'), 0)
    exits(await yard.ropewalk('review', '#8'), 0)
    expect(exits(await yard.ropewalk('review', '9'), 1).stderr).toMatch(/has no pull request 9/)
    await yard.userActs((repo) => git(repo, 'remote', 'set-url', 'origin', 'https://ada:secret@127.0.0.1:1/x.git'))
    const { stderr } = exits(await yard.ropewalk('review', '7'), 1)
    expect(stderr).toMatch(/cannot be asked for pull request 7/)
    expect(stderr).not.toMatch(/secret/)
  })

  it('is not what is meant by where things are, once it is over and there is a delivery', async () => {
    const yard = await yardWith('good work\n')
    exits(await yard.ropewalk('review', 'topic'), 0)
    const review = (await yard.status()).delivery
    expect(review).toMatch(/^review-topic-/)
    exits(await yard.runPlan([story('one')], '--gates', 'auto'), 2)
    const { delivery } = await yard.status()
    exits(await yard.ropewalk('review', 'topic'), 0)
    expect(await yard.status()).toMatchObject({ delivery })
    const { stdout } = exits(await yard.ropewalk('status', review), 0)
    expect(stdout).toContain(`next: ropewalk report ${review}`)
    expect(exits(await yard.ropewalk('report', review), 0).stdout).toMatch(/topic/)
  })

  it('looks at commits only, whatever the checkout holds', async () => {
    const yard = await yardWith('good work\n')
    await yard.userActs((repo) => {
      git(repo, 'checkout', '-q', 'topic')
      writeFileSync(join(repo, 'src/work.txt'), 'WRONG\n')
    })
    const { stdout, stderr } = exits(await yard.ropewalk('review', 'HEAD', '--base', 'main'), 0)
    expect(stdout).toMatch(/^approve$/m)
    expect(stderr).toMatch(/uncommitted changes in the checkout are not reviewed/)
    await yard.userActs((repo) => git(repo, 'checkout', '-q', '--', 'src/work.txt'))
  })

  it('begins where the work left the branch of all others, whatever is checked out and however that is called', async () => {
    const yard = new Yard({ agent: reviewer, config: { ...config, target: null }, branch: 'master' })
    await yard.userActs((repo) => {
      git(repo, 'checkout', '-q', '-b', 'topic')
      write(repo, { 'src/work.txt': 'good work\n' })
      git(repo, 'add', '--', 'src/work.txt')
      git(repo, 'commit', '-q', '-m', 'work')
      git(repo, 'checkout', '-q', 'master')
      write(repo, { 'src/theirs.txt': 'of others\n' })
      git(repo, 'add', '--', 'src/theirs.txt')
      git(repo, 'commit', '-q', '-m', 'theirs')
      git(repo, 'checkout', '-q', 'topic')
      git(repo, 'merge', '-q', '-m', 'all of it', 'master')
    })
    const began = git(yard.repo, 'rev-parse', 'master').slice(0, 10)
    for (const [at, what] of [
      ['topic', 'topic'],
      ['topic', 'HEAD'],
      ['topic~0', 'HEAD'],
    ] as const) {
      await yard.userActs((repo) => git(repo, 'checkout', '-q', at))
      expect(exits(await yard.ropewalk('review', what), 0).stdout).toContain(`${began}..`)
      expect(yard.said('reviewer', 'review', '1-1')).not.toMatch(/of others/)
    }
    await yard.userActs((repo) => git(repo, 'branch', '-m', 'master', 'stem'))
    expect(exits(await yard.ropewalk('review', 'HEAD', '--base', 'stem'), 1).stderr).toMatch(/set target/)
    await yard.userActs((repo) => git(repo, 'checkout', '-q', 'topic'))
    expect(exits(await yard.ropewalk('review', 'HEAD'), 1).stderr).toMatch(/name with --base where it began/)
    expect(exits(await yard.ropewalk('review', 'HEAD', '--base', 'stem'), 0).stdout).toContain(`${began}..`)
  })

  it('has no verdict when no reviewer comes back, and says so', async () => {
    const yard = new Yard({ agent: 'exit 1', config })
    await yard.userActs((repo) => {
      git(repo, 'checkout', '-q', '-b', 'topic')
      write(repo, { 'src/work.txt': 'x\n' })
      git(repo, 'add', 'src/work.txt')
      git(repo, 'commit', '-q', '-m', 'work')
      git(repo, 'checkout', '-q', 'main')
    })
    const said = exits(await yard.ropewalk('review', 'topic', '--json'), 1)
    expect(JSON.parse(said.stdout.trim().split('\n')[0]!)).toMatchObject({ verdict: null })
  })

  it('refuses what cannot be reviewed, with what to do instead', async () => {
    const yard = await yardWith('good work\n')
    await yard.userActs((repo) => {
      git(repo, 'checkout', '-q', '--orphan', 'stranger')
      git(repo, 'commit', '-q', '-m', 'of its own')
      git(repo, 'checkout', '-q', 'main')
    })
    for (const [args, said] of [
      [['topik'], /did you mean topic/],
      [['main..topik'], /knows no "topik"/],
      [['main'], /nothing to review: main changes nothing/],
      [['topic..main'], /nothing to review/],
      [['stranger'], /no commit in common/],
      [['--', '--upload-pack=x'], /knows no/],
      [['main..topic', '--base', 'main'], /a range and --base/],
      [['topic', '--output', 'x'], /needs a format/],
      [['topic', '--file', 'nowhere.md'], /does not exist/],
      [[], /missing required argument/],
    ] as const)
      expect(exits(await yard.ropewalk('review', ...args), 1).stderr).toMatch(said)
    expect(await yard.json('status', '--all')).toEqual([])
  })
})
