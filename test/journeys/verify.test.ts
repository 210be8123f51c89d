import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Verification } from '../../src/ports/proofs/verifier.ts'
import type { Statement } from '../../src/proof/statement.ts'
import { git } from '../contract/user-repository.ts'
import { exits, type Said } from './binary.ts'
import { story, Yard } from './yard.ts'

const two = [story('one'), story('two', { dependsOn: ['one'] })]
const notes = ['notes', '--ref', 'ropewalk'] as const
const noteOn = (repo: string, commit: string): string => git(repo, ...notes, 'show', commit)
const statementOn = (repo: string, commit: string): Statement => JSON.parse(noteOn(repo, commit)) as Statement

interface Verified {
  summary: Record<Verification['status'], number>
  commits: Verification[]
}
const verified = (said: Said): Verified => JSON.parse(said.stdout) as Verified

async function delivered(config: object = {}): Promise<Yard> {
  const yard = new Yard({ config })
  exits(await yard.runPlan(two), 0)
  return yard
}

/** Somebody writes another note on a commit. */
async function noted(yard: Yard, commit: string, text: string): Promise<void> {
  const file = join(yard.person, 'note')
  writeFileSync(file, text)
  await yard.userActs((repo) => git(repo, ...notes, 'add', '-f', '-F', file, commit))
}

async function problemsOf(yard: Yard, commit: string, ...args: string[]): Promise<string> {
  const { commits } = verified(exits(await yard.ropewalk('verify', commit, '--json', ...args), 1))
  return commits.flatMap(({ status, problems }) => [status, ...problems]).join('\n')
}

describe('the proof of a merged commit', () => {
  it('is noted beside it and holds, here and in a clone', async () => {
    const yard = new Yard()
    await yard.userActs((repo) => git(repo, ...notes, 'add', '-m', 'mine', 'main'))
    const begin = git(yard.repo, 'rev-parse', 'main')
    exits(await yard.runPlan(two), 0)
    expect(noteOn(yard.repo, begin)).toBe('mine')
    const { subject, predicate } = statementOn(yard.repo, 'main')
    expect(subject[0].digest.gitCommit).toBe(git(yard.repo, 'rev-parse', 'main'))
    expect(subject[1].digest.gitTree).toBe(git(yard.repo, 'rev-parse', 'main^{tree}'))
    expect(predicate.configuration).toMatchObject([
      { name: 'test', annotations: { command: 'sh check.sh', exitCode: 0 } },
    ])
    const here = exits(await yard.ropewalk('verify', 'main~2..main'), 0)
    expect(here.stdout).toMatch(/proven.*Story one[\s\S]*proven.*Story two[\s\S]*2 commits: 2 proven/)
    expect(here.stdout).toMatch(/the log here says the same/)

    const clone = join(dirname(yard.repo), 'clone')
    git(yard.repo, 'clone', '-q', '--depth', '1', `file://${encodeURI(yard.repo)}`, clone)
    const elsewhere = { cwd: clone, env: { ROPEWALK_HOME: join(yard.person, 'nowhere') } }
    const verify = (...args: string[]) => yard.start(['verify', ...args], elsewhere).done
    const bare = exits(await verify('HEAD'), 2)
    expect(bare.stdout).toMatch(/not proven[\s\S]*carries no proof[\s\S]*git fetch origin refs\/notes\/ropewalk/)
    expect(exits(await verify('HEAD~1..HEAD'), 1).stderr).toMatch(/shallow[\s\S]*--unshallow/)
    git(clone, 'fetch', '-q', 'origin', 'refs/notes/ropewalk:refs/notes/ropewalk')
    git(clone, 'checkout', '-q', '--detach')
    expect(exits(await verify('HEAD'), 0).stdout).toMatch(/no log of it/)
    expect(exits(await verify('HEAD', '--rerun'), 0).stdout).toMatch(/run again, test passed/)
    expect(existsSync(join(yard.person, 'nowhere'))).toBe(false)
  })

  it('does not hold when commit, note or log were changed, and says what does not fit', async () => {
    const yard = await delivered()
    const [whole, one] = [statementOn(yard.repo, 'main'), noteOn(yard.repo, 'main~1')]
    const { counts: _, ...less } = whole.predicate.configuration[0]!.annotations
    const proof = { ...whole.predicate.ropewalk_proof, story: 'other' }
    const cases: [note: string, problem: RegExp][] = [
      ['looks good to me', /no statement/],
      ['{"_type":', /no statement/],
      [one, /is about [0-9a-f]{40}/],
      [`${JSON.stringify(whole)}\n${one}`, /is about [0-9a-f]{40}/],
      [JSON.stringify({ ...whole, predicate: { ...whole.predicate, ropewalk_proof: proof } }), /story two, .* other/],
      [
        changed(whole, { ...less, counts: { total: 9, passed: 9, failed: 0, skipped: 0 } }),
        /the log has no such proof/,
      ],
      [changed(whole, { ...less, counts: null, outputDigest: '0'.repeat(64) }), /the log has no such proof/],
      [`${'x'.repeat(2_000_000)}`, /too long/],
    ]
    for (const [note, problem] of cases) {
      await noted(yard, 'main', note)
      expect(await problemsOf(yard, 'main')).toMatch(problem)
    }
    await noted(yard, 'main', JSON.stringify(whole))
    exits(await yard.ropewalk('verify', 'main'), 0)
    const { outputDigest } = whole.predicate.configuration[0]!.annotations
    const output = join(yard.home, 'blobs', outputDigest.slice(0, 2), outputDigest)
    const printed = readFileSync(output)
    writeFileSync(output, 'all is well\n')
    expect(await problemsOf(yard, 'main')).toMatch(/what test printed: .* is damaged/)
    writeFileSync(output, printed)
    await yard.userActs((repo) => git(repo, 'commit', '-q', '--amend', '-m', 'Mine now'))
    const { summary } = verified(exits(await yard.ropewalk('verify', 'main~2..main', '--json'), 2))
    expect(summary).toEqual({ proven: 1, part: 0, none: 1, unknown: 0, broken: 0 })
  })

  it('is refused an answer for what is no commit', async () => {
    const yard = new Yard()
    expect(exits(await yard.ropewalk('verify', 'nobody'), 1).stderr).toMatch(/knows no "nobody"/)
    expect(exits(await yard.ropewalk('verify', '--', '--all'), 1).stderr).toMatch(/knows no "--all"/)
    expect(exits(await yard.ropewalk('verify', 'main..main'), 1).stderr).toMatch(/no commit in main\.\.main/)
    expect(exits(await yard.ropewalk('verify', 'main', '--signers', 'nowhere'), 1).stderr).toMatch(/no file/)
    expect(exits(await yard.ropewalk('verify', 'main', '--signed'), 1).stderr).toMatch(/whose signatures count/)
  })

  it.each(['land:after', 'repository.addNotes:before', 'repository.addNotes:after', 'land:after-notes'])(
    'is there after a kill at %s',
    async (point) => {
      const yard = new Yard()
      const killed = await yard.start(yard.planArgs(two), { env: { ROPEWALK_CRASH_AT: point } }).done
      expect(killed.signal).toBe('SIGKILL')
      expect(yard.files()).toContain('src/two.txt')
      exits(await yard.ropewalk('resume'), 0)
      exits(await yard.ropewalk('verify', 'main~2..main'), 0)
      expect(noteOn(yard.repo, 'main').split('\n')).toHaveLength(1)
      expect(git(yard.repo, 'rev-list', '--count', 'refs/notes/ropewalk')).toBe('1')
      expect(await yard.eventsOf('Landed')).toHaveLength(1)
    },
  )

  it('of a commit that was only judged together with later ones names the one that was judged', async () => {
    const check = { run: 'sleep 1; sh check.sh', parser: 'exit-code', full: 'merge' }
    const yard = new Yard({ config: { checks: { test: check }, limits: { agents: 3, checks: 1 } } })
    exits(await yard.runPlan([story('one'), story('two'), story('three')]), 0)
    const { commits } = verified(exits(await yard.ropewalk('verify', 'main~3..main', '--json'), 0))
    const judged = (await yard.eventsOf('Judged')).filter(({ judge }) => judge === 'check:test')
    const trees = judged.map(({ tree }) => tree)
    for (const { commit, proof } of commits) {
      expect(trees.includes(git(yard.repo, 'rev-parse', `${commit}^{tree}`))).toBe(proof?.provenBy === null)
      expect(trees).toContain(git(yard.repo, 'rev-parse', `${proof?.provenBy ?? commit}^{tree}`))
    }
  })

  const inTheWay: [what: string, put: (repo: string) => void, take: (repo: string) => void][] = [
    [
      'a ref of a longer name',
      (repo) => git(repo, 'update-ref', 'refs/notes/ropewalk/mine', 'main'),
      (repo) => git(repo, 'update-ref', '-d', 'refs/notes/ropewalk/mine'),
    ],
    [
      'a lock that somebody has left',
      (repo) => {
        git(repo, ...notes, 'add', '-m', 'mine', 'main')
        writeFileSync(join(repo, '.git/refs/notes/ropewalk.lock'), '')
      },
      (repo) => rmSync(join(repo, '.git/refs/notes/ropewalk.lock')),
    ],
  ]
  it.each(inTheWay)('that cannot be noted for %s is a concern, and the landing stands', async (_what, put, take) => {
    const yard = new Yard()
    await yard.userActs(put)
    exits(await yard.runPlan([story('one')]), 0)
    expect(yard.files()).toContain('src/one.txt')
    expect(await yard.status()).toMatchObject({ word: 'done-with-concerns' })
    const concerns = (await yard.status()).concerns.join()
    expect(concerns).toMatch(/could not be noted/)
    exits(await yard.ropewalk('verify', 'main'), 2)
    const [, commit] = /"ropewalk verify ([0-9a-f]+)" writes them/.exec(concerns)!
    await yard.userActs(async (repo) => {
      take(repo)
      expect(exits(await yard.ropewalk('verify', commit!), 0).stdout).toMatch(/^proven/)
    })
  })

  it('is with the last commit of a story that has several, and the others are told as parts of it', async () => {
    const agent = `for part in one two; do
      echo $part > "src/$ROPEWALK_STORY-$part.txt"; git add -A; git commit -q -m "$part of $ROPEWALK_STORY"
    done`
    const yard = new Yard({ agent, config: { mergeMethod: 'rebase' } })
    exits(await yard.runPlan(two), 0)
    const subjects = git(yard.repo, 'log', '--reverse', '--format=%s', 'main~4..main').split('\n')
    expect(subjects).toEqual(['one of one', 'two of one', 'one of two', 'two of two'])
    const said = exits(await yard.ropewalk('verify', 'main~4..main'), 0).stdout
    expect(said).toMatch(
      /part of .*one of one\n.*its proof is with [0-9a-f]+\nproven .*two of one[\s\S]*part of .*one of two/,
    )
    expect(said).toMatch(/4 commits: 2 proven, 2 part of these, 0 not proven, 0 broken/)
    expect(exits(await yard.ropewalk('verify', 'main~1', '--rerun'), 0).stdout).toMatch(/^part of/)
    expect(exits(await yard.ropewalk('report'), 0).stdout).toContain('Story two')
    expect(exits(await yard.ropewalk('diff', 'two'), 0).stdout).toMatch(/two-one\.txt[\s\S]*two-two\.txt/)
  })
})

describe('running a proof again', () => {
  it('tells when the same commands are red now, and does not run what nobody vouches for', async () => {
    const run = 'if [ -e "$HOME/red" ]; then exit 1; fi'
    const yard = await delivered({ checks: { test: { run, parser: 'exit-code' } } })
    expect(exits(await yard.ropewalk('verify', 'main', '--rerun'), 0).stdout).toMatch(/run again, test passed/)
    writeFileSync(join(yard.person, 'red'), '')
    expect(await problemsOf(yard, 'main', '--rerun')).toMatch(/run again, test is red: exit code 1/)

    const trap = `: > "$HOME/trapped"`
    const whole = statementOn(yard.repo, 'main')
    const annotations = { ...whole.predicate.configuration[0]!.annotations, command: trap }
    await noted(yard, 'main', changed(whole, annotations))
    const env = { ROPEWALK_HOME: join(yard.person, 'nowhere') }
    const said = exits(await yard.start(['verify', 'main', '--rerun'], { env }).done, 1)
    expect(said.stdout).toMatch(/nobody here vouches/)
    expect(await problemsOf(yard, 'main', '--rerun')).toMatch(/settings on record do not have/)
    const { predicate } = whole
    const proof = { ...predicate.ropewalk_proof, setup: { run: trap, timeoutMs: 1000 } }
    await noted(yard, 'main', JSON.stringify({ ...whole, predicate: { ...predicate, ropewalk_proof: proof } }))
    expect(await problemsOf(yard, 'main', '--rerun')).toMatch(/settings on record do not have/)
    expect(exits(await yard.start(['verify', 'main', '--rerun'], { env }).done, 1).stdout).toMatch(
      /nobody here vouches/,
    )
    expect(existsSync(join(yard.person, 'trapped'))).toBe(false)
  })

  it('can be interrupted, and leaves nothing up for good when it is killed', async () => {
    const health = 'test -e "$HOME/up"'
    const db = { up: ': > "$HOME/up"; sleep 300', health, down: 'rm "$HOME/up"' }
    const check = { run: 'if [ -e "$HOME/slow" ]; then : > "$HOME/runs"; sleep 8; fi', parser: 'exit-code' }
    const yard = await delivered({ checks: { test: check }, workspace: { services: { db } } })
    const mark = (name: string): string => join(yard.person, name)
    writeFileSync(mark('slow'), '')
    const pids: number[] = []
    const homes = () =>
      readdirSync(tmpdir()).filter((name) => pids.some((pid) => name.startsWith(`ropewalk-verify-${pid}.`)))
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      rmSync(mark('runs'), { force: true })
      const running = yard.start(['verify', 'main', '--rerun'])
      await expect.poll(() => existsSync(mark('runs')), { timeout: 20_000 }).toBe(true)
      running.child.kill(signal)
      const said = await running.done
      pids.push(running.child.pid!)
      if (signal === 'SIGINT')
        expect([said.code, said.stderr, existsSync(mark('up'))]).toEqual([
          3,
          'Interrupted: ending what is running.\n',
          false,
        ])
    }
    expect(existsSync(mark('up'))).toBe(true)
    expect(homes()).toHaveLength(1)
    exits(await yard.ropewalk('gc', '--yes'), 0)
    expect(existsSync(mark('up'))).toBe(false)
    expect(homes()).toEqual([])
  })

  it('has the files that git ignores and that it was proven with, where they are', async () => {
    const check = { run: 'cat .env.test', parser: 'exit-code' }
    const config = { checks: { test: check }, workspace: { copy: ['.env.test'] } }
    const yard = new Yard({ config, files: { '.gitignore': '.env.test\n' } })
    writeFileSync(join(yard.repo, '.env.test'), 'A=b\n')
    exits(await yard.runPlan([story('one')]), 0)
    exits(await yard.ropewalk('verify', 'main', '--rerun'), 0)
    const clone = join(dirname(yard.repo), 'clone')
    git(yard.repo, 'clone', '-q', yard.repo, clone)
    git(clone, 'fetch', '-q', 'origin', 'refs/notes/ropewalk:refs/notes/ropewalk')
    const env = { ROPEWALK_HOME: join(yard.person, 'nowhere') }
    const said = exits(await yard.start(['verify', 'HEAD', '--rerun'], { cwd: clone, env }).done, 1)
    expect(said.stdout).toMatch(/test is red[\s\S]*needs them in this checkout: \.env\.test/)
  })
})

describe('a signed proof', () => {
  const key = (yard: Yard, name: string, passphrase: string): string => {
    mkdirSync(join(yard.person, '.ssh'), { recursive: true })
    const file = join(yard.person, '.ssh', name)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'ada@example.org', '-f', file])
    return file
  }
  const signersOf = (yard: Yard, file: string): string => {
    const signers = join(yard.person, 'signers')
    writeFileSync(signers, `ada@example.org ${readFileSync(`${file}.pub`, 'utf8')}`)
    return signers
  }

  it('is signed by the key that was named, and only that one counts', async () => {
    const yard = new Yard({ config: { signWith: '~/.ssh/mine' } })
    const [mine, other] = [key(yard, 'mine', ''), key(yard, 'other', '')]
    exits(await yard.runPlan(two), 0)
    const signers = signersOf(yard, mine)
    const good = exits(await yard.ropewalk('verify', 'main~2..main', '--signed', '--signers', signers), 0)
    expect(good.stdout).toMatch(/signed by ada@example\.org/)
    expect(exits(await yard.ropewalk('verify', 'main'), 0).stdout).toMatch(/nobody has said whose key/)
    await yard.userActs((repo) => git(repo, 'config', 'gpg.ssh.allowedSignersFile', signers))
    exits(await yard.ropewalk('verify', 'main', '--signed'), 0)
    signersOf(yard, other)
    expect(await problemsOf(yard, 'main', '--signed')).toMatch(/which is not in/)

    const envelope = JSON.parse(noteOn(yard.repo, 'main')) as { payload: string }
    const text = Buffer.from(envelope.payload, 'base64').toString().replace('"reviewers":[]', '"reviewers":["Ada"]')
    await noted(yard, 'main', JSON.stringify({ ...envelope, payload: Buffer.from(text).toString('base64') }))
    expect(await problemsOf(yard, 'main')).toMatch(/signature does not fit/)
    await noted(yard, 'main', text)
    signersOf(yard, mine)
    expect(await problemsOf(yard, 'main', '--signed')).toMatch(/not signed/)
  })

  it('by a key that is locked or gone is refused before anything is begun, without a question', async () => {
    const yard = new Yard({ config: { signWith: '~/.ssh/locked' } })
    expect(exits(await yard.runPlan(two), 1).stderr).toMatch(/no key .*locked/)
    key(yard, 'locked', 'secret')
    expect(exits(await yard.runPlan(two), 1).stderr).toMatch(/has a passphrase[\s\S]*ssh-add/)
    expect(await yard.json('status', '--all')).toEqual([])
  })
})

describe('the report', () => {
  it('tells what a delivery brought, as Markdown, as a page that stands alone, and as JSON', async () => {
    const yard = new Yard({ agent: `echo work > "src/$ROPEWALK_STORY.txt"` })
    exits(await yard.runPlan([story('one', { title: 'Add <script>alert(1)</script> & *stars*' })]), 0)
    const commit = git(yard.repo, 'rev-parse', '--short=10', 'main')
    const plain = exits(await yard.ropewalk('report'), 0).stdout
    expect(plain).toMatch(/^# Make it so\n\n\*\*Done with concerns\.\*\*/)
    expect(plain).toMatch(new RegExp(`Commit ${commit}[\\s\\S]*Check test: passed`))
    expect(plain).toContain('Add \\<script\\>alert(1)\\</script\\> & \\*stars\\*')
    const file = join(yard.person, 'report.html')
    exits(await yard.ropewalk('report', 'make-it', '--html', '--internal', '--output', file), 0)
    const page = readFileSync(file, 'utf8')
    expect(page).toContain('Add &lt;script&gt;alert(1)&lt;/script&gt; &amp; *stars*')
    expect(page).not.toMatch(/<script|<link|src=|href=|url\(|@import/)
    expect(page).toMatch(/Full timeline[\s\S]*StoryCoded/)
    const view = await yard.json<object>('report')
    expect(view).toMatchObject({
      result: 'done with concerns',
      deliverables: [{ status: 'merged', checks: [{ name: 'test' }] }],
    })
    expect(exits(await yard.ropewalk('report', '-o', '/nowhere/x'), 1).stderr).toMatch(/cannot write \/nowhere\/x/)
  })
})

function changed(
  statement: Statement,
  annotations: Statement['predicate']['configuration'][number]['annotations'],
): string {
  const [record] = statement.predicate.configuration
  const content = Buffer.from(annotations.command).toString('base64')
  return JSON.stringify({
    ...statement,
    predicate: { ...statement.predicate, configuration: [{ ...record, content, annotations }] },
  })
}
