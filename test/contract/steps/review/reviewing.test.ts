import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../../src/delivery/judging/finding.ts'
import { approval, code, commit, concerns, finding, openStage, refusal, returned, wordOf, wrong } from './stage.ts'

const reviewer = (...actions: object[]) => [{ role: 'reviewer', do: actions }]
const says = (value: object) => reviewer({ result: value })

describe('a reviewer', () => {
  it('approves, saying what it looked at', async () => {
    const stage = await openStage({ script: says(approval) })
    const done = await stage.review()
    expect(returned(done)).toMatchObject({ verdict: 'approve', findings: [], checked: ['src/total.mjs, line by line'] })
    expect(done.interims.map(({ type }) => type)).toEqual(['AgentStarted', 'SessionOpened', 'TurnSpent'])
    expect(done.interims[0]).toMatchObject({ role: 'reviewer' })
  })

  it('finds something at a place that exists, whatever line it cites', async () => {
    const stage = await openStage({ script: says({ ...refusal, findings: [{ ...wrong, line: 900 }] }) })
    expect(returned(await stage.review())).toMatchObject({
      verdict: 'needs-work',
      findings: [
        { source: 'review:correctness', rule: 'review', severity: 'blocking', file: 'src/total.mjs', line: 3 },
      ],
      outside: [],
    })
  })

  it('sees a copy without history, a squashed diff, and nothing that the author says', async () => {
    const canary = 'CANARY-I-am-sure-that-all-is-right'
    const coder = [
      { shell: `git commit -q --allow-empty -m "${canary}" && git tag ${canary}` },
      { write: { 'src/total.mjs': code } },
      { say: canary },
      { result: { decisions: [{ what: canary, why: canary }], limitations: [canary], files: [canary] } },
    ]
    const spy = `node -e '
      const { spawnSync } = require("child_process")
      const told = (line) => { const { stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" }); return stdout + stderr }
      const checked = ["git log --all --format=%B", "git for-each-ref", "ls -a ."].map(told)
      const answer = { commit: process.env.ROPEWALK_COMMIT, verdict: "approve", checked }
      require("fs").writeFileSync(process.env.ROPEWALK_RESULT, JSON.stringify(answer))'`
    const stage = await openStage({ coder, script: reviewer({ shell: spy }) })
    expect(JSON.stringify(await stage.yard.state())).toContain(canary)
    const done = await stage.review()
    const seen = returned(done).checked.join()
    expect(seen).toMatch(/not a git repository/)
    expect(seen).not.toContain(canary)
    expect(seen).not.toMatch(/^\.git$/m)
    expect(done.prompts.join()).toContain('+  return sum')
    expect(done.prompts.join()).not.toContain(canary)
  })

  it.each([
    ['a file that does not exist', { ...wrong, file: 'src/nowhere.mjs' }],
    ['a line that is not there', { ...wrong, evidence: 'return sum * discount' }],
    ['nothing', { ...wrong, evidence: '' }],
  ])('that cites %s is asked again, and then counts as absent', async (_, claim) => {
    const stage = await openStage({ script: says({ ...refusal, findings: [claim] }) })
    const done = await stage.review()
    expect(wordOf(done)).toMatchObject({ status: 'absent' })
    expect(done.prompts).toHaveLength(3)
    expect(done.prompts[1]).toMatch(/there is no such file|is not in src\/total\.mjs word for word/)
  })

  it('keeps what is true of its findings; what is not there is only noted', async () => {
    const claims = [wrong, { ...wrong, severity: 'important', message: 'It deletes files.', evidence: 'rm -rf /' }]
    const stage = await openStage({ script: says({ ...refusal, findings: claims }) })
    const { findings } = returned(await stage.review())
    expect(findings.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual([
      'blocking review',
      'note review-unfounded',
    ])
  })

  it.each([
    ['approves and blocks', { ...approval, findings: [wrong] }, 'needs-work'],
    ['refuses, and has nothing but a note', { ...refusal, findings: [{ ...wrong, severity: 'note' }] }, 'approve'],
  ])('that %s is corrected: what it found counts', async (_, said, verdict) => {
    const stage = await openStage({ script: says(said) })
    expect(returned(await stage.review())).toMatchObject({ verdict })
  })

  it.each([
    ['approves and names nothing it looked at', { ...approval, checked: [] }, /names nothing/],
    ['refuses without a finding', { ...refusal, findings: [] }, /no findings/],
    ['names another commit', { ...approval, commit: 'f'.repeat(40) }, /commit is/],
    ['invents a verdict', { ...approval, verdict: 'approve-with-comments' }, /verdict is/],
  ])('that %s is absent', async (_, said, reason) => {
    const stage = await openStage({ script: says(said) })
    expect(wordOf(await stage.review())).toMatchObject({ status: 'absent', reason: expect.stringMatching(reason) })
  })

  it('is absent when it crashes: neither content nor not', async () => {
    const stage = await openStage({ script: reviewer({ crash: 'SIGSEGV' }) })
    expect(wordOf(await stage.review())).toMatchObject({ status: 'absent', reason: expect.stringMatching(/SIGSEGV/) })
  })

  it('is absent when its time is up', async () => {
    const stage = await openStage({ script: reviewer({ hang: true }), review: { timeoutMs: 700 } })
    expect(wordOf(await stage.review())).toMatchObject({ status: 'absent', reason: expect.stringMatching(/timeout/) })
  })

  it('has its time for all its turns together', async () => {
    const slow = reviewer({ sleep: 2_500 }, { say: 'Hm.' })
    const stage = await openStage({ script: slow, review: { timeoutMs: 4_500 } })
    const done = await stage.review()
    expect(wordOf(done)).toMatchObject({ status: 'absent' })
    expect(done.prompts).toHaveLength(2)
  })

  it('may not change anything: it is dropped, and said', async () => {
    const stage = await openStage({
      script: reviewer({ write: { 'src/total.mjs': 'mended\n' } }, { result: approval }),
    })
    const done = await stage.review()
    expect(returned(done).verdict).toBe('approve')
    expect(concerns(done)).toEqual([expect.stringMatching(/the reviewer changed files .*src\/total\.mjs/)])
    expect(await stage.yard.repository.readFile(stage.about.commit, 'src/total.mjs')).toBe(code)
  })

  it('works beside another one without getting in its way', async () => {
    const stage = await openStage({
      script: [
        { role: 'reviewer', prompt: 'who means harm', do: [{ sleep: 300 }, { result: refusal }] },
        { role: 'reviewer', do: [{ write: { 'src/total.mjs': 'x\n' } }, { result: approval }] },
      ],
    })
    const [one, other] = await Promise.all([stage.review(), stage.review({ id: 'r2', vantage: 'security' })])
    expect([returned(one).verdict, returned(other).verdict]).toEqual(['approve', 'needs-work'])
  })
})

describe('what reviewers are told', () => {
  it('is the same for those of one commit, up to where each of them looks', async () => {
    const long = `${code}${Array.from({ length: 700 }, (_, index) => `// line ${index} of a long change`).join('\n')}\n`
    const stage = await openStage({ coder: [{ write: { 'src/total.mjs': long } }], script: says(approval) })
    const [one, other] = [await stage.review(), await stage.review({ id: 'r2', vantage: 'edge-cases' })]
    const [a, b] = [one.prompts[0]!, other.prompts[0]!]
    const same = [...a].findIndex((sign, index) => sign !== b[index])
    expect(a.length).toBeGreaterThan(20_000)
    expect(same / Math.max(a.length, b.length)).toBeGreaterThan(0.9)
    expect(a.slice(0, same)).toMatch(/From where you look\s+$/)
  })

  it('holds further vantage points for the first of them, where the diff calls for it', async () => {
    const coder = [{ write: { 'src/auth/login.mjs': code } }]
    const stage = await openStage({ coder, script: says({ ...approval, checked: ['all'] }) })
    expect((await stage.review()).prompts[0]).toContain('who means harm')
    const quiet = await openStage({ coder, script: says(approval), review: { followDiff: false } })
    expect((await quiet.review()).prompts[0]).not.toContain('who means harm')
  })

  it('names a file with all of a change that is too long, and what it touches', async () => {
    const huge = `${Array.from({ length: 6_000 }, (_, index) => `export const value${index} = ${index} // so`).join('\n')}\n`
    const coder = [{ write: { 'src/total.mjs': huge, 'package-lock.json': '{}\n' } }]
    const [{ prompts }] = [await (await openStage({ coder, script: says(approval) })).review()]
    expect(prompts[0]).toMatch(/left out for length; read all of it in .*change-/)
    expect(prompts[0]).toMatch(/src\/total\.mjs added, \+6000 -0/)
    expect(prompts[0]).toMatch(/package-lock\.json .*need not be read: a lock file/)
    expect(prompts[0]!.length).toBeLessThan(60_000)
  })
})

describe('a later round', () => {
  const mended = code.replace('return sum', 'return sum - discount')
  const again = (script: unknown[], open: Finding[]) => async () => {
    const stage = await openStage({ script })
    const { commit: to } = await stage.yard.repository.commitPlace({
      path: await changed(stage.yard, stage.about.commit),
      ...{ commit: stage.about.commit, base: stage.about.commit, only: ['src/total.mjs'] },
      message: { subject: 'mend', body: '', trailers: [], at: 1 },
    })
    return await stage.review({ commit: to, since: stage.about.commit, open, reviewRound: 2 })
  }
  const changed = async (yard: Awaited<ReturnType<typeof openStage>>['yard'], from: string): Promise<string> => {
    const { writeFile } = await import('node:fs/promises')
    const path = yard.world.places.clean('d1', 'mending')
    await yard.repository.exportTree(from, path)
    await writeFile(`${path}/src/total.mjs`, mended)
    return path
  }

  it('shows the change since, and what was open', async () => {
    const { prompts } = await again(says(approval), [finding()])()
    expect(prompts[0]).toContain('What has changed since it was last reviewed')
    expect(prompts[0]).toContain('-  return sum\n+  return sum - discount')
    expect(prompts[0]).not.toContain('+export const total')
    expect(prompts[0]).toMatch(/look whether it is mended[\s\S]*The discount is ignored/)
  })

  it('keeps the fingerprint of what is still open, however it is worded', async () => {
    const still = {
      ...wrong,
      line: 2,
      message: 'Still: the discount is being ignored.',
      evidence: 'return sum - discount',
    }
    const open = finding({ evidence: 'return sum - discount' })
    const { findings } = returned(await again(says({ ...refusal, findings: [still] }), [open])())
    expect(findings.map(({ fingerprint }) => fingerprint)).toEqual(['f-discount'])
  })

  it('does not take what is quoted now for what was left out before, because it quoted what is not there', async () => {
    const line = 'const sum = prices.reduce((a, b) => a + b)'
    const left = finding({
      ...{ rule: 'review-unfounded', severity: 'note', fingerprint: 'f-left', evidence: `${line}\nreturn it` },
      message: 'left out, because what it quotes is not there: Empty lists make reduce throw.',
    })
    const now = { ...wrong, line: 2, message: 'Empty lists make reduce throw.', evidence: line }
    const { findings } = returned(await again(says({ ...refusal, findings: [now] }), [left])())
    expect(findings).toMatchObject([{ severity: 'blocking', rule: 'review' }])
    expect(findings[0]!.fingerprint).not.toBe('f-left')
  })

  it('says what is outside of it', async () => {
    const other = { ...wrong, file: 'src/other.mjs', message: 'It should be two.', evidence: 'export const other = 1' }
    const word = returned(await again(says({ ...refusal, findings: [other] }), [])())
    expect(word.outside).toEqual(word.findings.map(({ fingerprint }) => fingerprint))
    expect(word.outside).toHaveLength(1)
  })
})

describe('criteria and checklist', () => {
  it('are asked of the one who looks at criteria, number by number', async () => {
    const reviewers = [
      { vantage: 'correctness' as const, agents: ['reader'] },
      { vantage: 'criteria' as const, agents: ['reader'] },
    ]
    const said = { ...approval, criteria: [{ number: 1, state: 'missing', why: 'discount is not used' }] }
    const stage = await openStage({ script: says(said), review: { reviewers } })
    const word = returned(await stage.review({ vantage: 'criteria' }))
    expect(word.criteria).toEqual([
      { criterion: 'the discount is taken off', state: 'missing', why: 'discount is not used' },
    ])
    expect(word).toMatchObject({ verdict: 'needs-work', findings: [] })
    const other = returned(await stage.review({ id: 'r2' }))
    expect(other).toMatchObject({ verdict: 'approve', criteria: [] })
  })

  it('that are not met need no finding besides: that is what is to be mended', async () => {
    const said = { ...refusal, findings: [], criteria: [{ number: 1, state: 'missing' }] }
    const stage = await openStage({ script: says(said) })
    const done = await stage.review()
    expect(done.prompts).toHaveLength(1)
    expect(returned(done)).toMatchObject({ verdict: 'needs-work', criteria: [{ state: 'missing' }] })
    // Without a reason it counts all the same, where nobody sorts findings.
    expect(returned(done).criteria[0]!.why).not.toBe('')
  })

  it('of which a reviewer speaks who was not asked about them, make no approval of a refusal', async () => {
    const reviewers = [
      { vantage: 'correctness' as const, agents: ['reader'] },
      { vantage: 'criteria' as const, agents: ['reader'] },
    ]
    const said = { ...refusal, findings: [], checked: ['all'], criteria: [{ number: 1, state: 'missing' }] }
    const stage = await openStage({ script: says(said), review: { reviewers } })
    expect(wordOf(await stage.review())).toMatchObject({
      status: 'absent',
      reason: expect.stringMatching(/names none/),
    })
  })

  it('of which nothing is said are unclear', async () => {
    const stage = await openStage({ script: says(approval) })
    expect(returned(await stage.review()).criteria).toMatchObject([{ state: 'unclear' }])
  })
})

describe('a rebuttal', () => {
  const rebuttal = (given: object) => ({
    commit,
    rebuttals: [{ finding: 'F1', stance: 'disputed', because: 'It is taken off elsewhere.', evidence: '', ...given }],
  })
  it.each([
    ['a dispute that shows its lines', { evidence: 'const sum = prices.reduce' }, 'disputed'],
    ['a dispute that shows nothing', {}, 'unsure'],
    ['a dispute that shows what is not there', { evidence: 'sum -= discount' }, 'unsure'],
    ['agreement', { stance: 'upheld' }, 'upheld'],
  ])('is %s', async (_, given, stance) => {
    const stage = await openStage({ script: says(rebuttal(given)) })
    const done = await stage.review({ rebuts: [finding()] })
    expect(returned(done).rebuttals).toEqual([
      { fingerprint: 'f-discount', stance, because: 'It is taken off elsewhere.' },
    ])
    expect(done.prompts[0]).toMatch(/F1: blocking in src\/total\.mjs:3/)
  })

  it('that says nothing about a finding is none', async () => {
    const stage = await openStage({ script: says({ commit, rebuttals: [] }) })
    expect(wordOf(await stage.review({ rebuts: [finding()] }))).toMatchObject({ status: 'absent' })
  })
})
