import { describe, expect, it } from 'vitest'
import { fails, finds, happily, refuses, says, sorts } from '../../../test/simulation/endings.ts'
import { approval, objection, remark, reviewed } from '../../../test/simulation/judgement-sample.ts'
import { Player } from '../../../test/simulation/player.ts'
import { reviewing } from '../../../test/simulation/reviewing.ts'
import {
  begunOn,
  finding,
  fold,
  policy,
  requested,
  single,
  story,
  suite,
  turnOf,
} from '../../../test/simulation/sample.ts'
import { dueSteps } from '../../delivery/due.ts'
import type { DeliveryEvent, Envelope } from '../../delivery/events.ts'
import type { Finding, Proof, Verdict } from '../../delivery/judging/finding.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import type { ReviewWord } from '../../delivery/review/review.ts'
import type { Step } from '../../delivery/step.ts'
import { noHandoff } from '../../delivery/story/handoff.ts'
import { composed } from './compose.ts'
import { html, markdown } from './document.ts'
import { type ReportView, reportView } from './report.ts'

const text = '<img src=x onerror=alert(1)> & "quotes" \u202e[link](http://x)\n# not a heading'
const envelopes = (events: DeliveryEvent[]): Envelope[] =>
  events.map((event, index) => ({ delivery: 'd', version: index + 1, at: (index + 1) * 1000, event }))
const viewOf = (events: DeliveryEvent[], internal = false): ReportView =>
  reportView(fold(events), envelopes(events), { at: 1_000_000, internal, readings: [] })
const toldOf = ({ state, log }: Player): ReportView =>
  reportView(state, envelopes(log), { at: 1, internal: false, readings: [] })
const proofOf = (tree: string, total: number): Proof => ({
  ...{ tree, check: 'test', command: 'npm test', environmentKey: 'k', reused: false, durationMs: 1500 },
  ...{ counts: { total, passed: total, failed: 0, skipped: 0 }, outputDigest: 'o' },
})

class Story {
  readonly events: DeliveryEvent[]

  constructor(events: DeliveryEvent[]) {
    this.events = events
  }

  /** Starts what is due, and gives its step. */
  start(verb: Step['verb'], of: string | null): Step {
    const { steps } = dueSteps(fold(this.events), { at: 0, day: '', open: true, changesAt: null })
    const step = steps.find((one) => one.verb === verb && one.story === of)
    if (step === undefined) throw new Error(`${verb} of ${of} is not due, but ${steps.map((one) => one.verb)}`)
    this.events.push({ type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0 })
    return step
  }

  code(of: string, commit: string): void {
    const step = this.start('CodeStory', of)
    this.events.push({ type: 'TurnSpent', step: step.id, turn: turnOf(of), totals: null })
    this.events.push({
      ...{
        type: 'StoryCoded',
        step: step.id,
        story: of,
        commit,
        tree: `t-${commit}`,
        summary: '',
        handoff: noHandoff,
        session: null,
      },
    })
  }

  judge(of: string, verdict: Verdict): void {
    const step = this.start('Judge', of)
    if (step.verb !== 'Judge') throw new Error('no judge')
    const { id, judge, scope, commit, tree } = step
    this.events.push({ type: 'Judged', step: id, story: of, judge, scope, commit, tree, verdict })
  }
}

/** Red once, then proven, flaky, with a waiver. */
function worked(): DeliveryEvent[] {
  const told = new Story(begunOn(policy(), [story('a', { title: text, criteria: [text] })]))
  told.code('a', 'c1')
  told.judge('a', {
    ...{ status: 'findings', findings: [finding('check:test', text)], failures: 1, proof: null, concerns: [] },
  })
  told.code('a', 'c2')
  told.judge('a', { status: 'passed', proof: proofOf('t-c2', 7), concerns: ['flaky: adds up'] })
  told.events.push({ type: 'FindingWaived', story: 'a', fingerprint: 'f', because: text, by: 'ada' })
  return told.events
}

describe('a requirement of many pages', () => {
  it('is told by its beginning, and where all of it is', () => {
    const view = { ...viewOf(requested(policy(), null)), requirement: `Sort\n${'x '.repeat(50_000)}end` }
    const said = markdown(composed(view, String))
    expect(said.length).toBeLessThan(10_000)
    expect(said).toMatch(/It continues for 92008 more characters: ropewalk export/)
  })
})

describe('the report', () => {
  it('of a delivery under way says so, with what was spent and what is of concern', () => {
    expect(viewOf(worked())).toMatchObject({
      result: 'in progress',
      effort: { turns: 2, checkRuns: 2, checkMs: 1500 },
      cost: { usd: 2, tokens: 4 },
      concerns: [
        { kind: 'flaky' },
        { kind: 'waived', text: expect.stringContaining('ada accepted a finding as it is') },
      ],
      deliverables: [{ story: 'a', status: 'open', commit: null, checks: [] }],
      internal: null,
    })
  })

  it('names for a merged story its commit and the checks that prove it', () => {
    const told = new Story(worked())
    const composing = told.start('ComposeLine', 'a')
    const laid = { onto: 'c0', commit: 'c3', tree: 't-c2' }
    told.events.push({ type: 'LineComposed', step: composing.id, story: 'a', ...laid })
    const advancing = told.start('AdvanceLine', 'a')
    const moved = { from: 'c0', to: 'c3', tree: 't-c2' }
    told.events.push({ type: 'LineAdvanced', step: advancing.id, story: 'a', ...moved })
    const landing = told.start('Land', null)
    told.events.push({ type: 'Landed', step: landing.id, from: 'c0', to: 'c3' })
    const ending = told.start('CompleteDelivery', null)
    if (ending.verb !== 'CompleteDelivery') throw new Error('it does not end')
    const { id: step, result, reason, concerns } = ending
    told.events.push({ type: 'DeliveryCompleted', step, result, reason, concerns })
    const view = viewOf(told.events)
    expect(view).toMatchObject({ result: 'done with concerns', endedAt: 0 })
    expect(view.deliverables).toMatchObject([
      { status: 'merged', commit: 'c3', provenBy: null, checks: [{ name: 'test', passed: 7, total: 7 }] },
    ])
    expect(view.timeline.map((moment) => moment.text)).toEqual([
      'Requested by somebody',
      'Planned as 1 story',
      expect.stringMatching(/^Work on .* began$/s),
      expect.stringMatching(/joined the result$/),
      'Merged to main as c3',
      'Ended: done with concerns',
    ])
    expect(markdown(composed(view, String))).toMatch(
      /\*\*Done with concerns\.\*\* The story is proven and merged to main\./,
    )
  })

  it('calls nothing proven that a check at the end has not passed', () => {
    const player = new Player(policy({ checks: [suite('end')], limits: { fixStories: 0 } }), [story('a')])
    player.run({ Judge: finds(1, 'broken') })
    const { deliverables } = reportView(player.state, envelopes(player.log), { at: 1, internal: false, readings: [] })
    expect(deliverables).toMatchObject([{ status: 'unproven', checks: [] }])
    const left = new Player(policy({ checks: [suite('end')] }), [story('a')])
    left.run({ Land: refuses('dirty', 'c0') })
    expect(reportView(left.state, [], { at: 1, internal: false, readings: [] }).deliverables).toMatchObject([
      { status: 'proven' },
    ])
  })

  it('tells attempts, findings, every event and the cost by role only in the internal variant', () => {
    const { internal } = viewOf(worked(), true)
    expect(internal).toMatchObject({
      attempts: [{ story: 'a', attempt: 1, rounds: 2, agent: 'mine' }],
      findings: [{ story: 'a', judge: 'check:test', finding: { message: text } }],
      costByRole: [{ name: 'coder', turns: 2, usd: 2 }],
    })
    expect(internal?.timeline).toHaveLength(worked().length)
    expect(markdown(composed(viewOf(worked()), String))).not.toMatch(/Full timeline|Findings/)
    expect(markdown(composed(viewOf(worked(), true), String))).toMatch(/## Findings[\s\S]*## Full timeline/)
  })

  it('says which agent judged a change and found nothing, and not one that found something', () => {
    const told = (verdict: Parameters<Player['run']>[0]): string => {
      const given = { checks: [single()], judges: ['inspection'], strategy: 'three-session' as const }
      const player = new Player(policy({ ...given, unattended: false }), [story('a')]).run(verdict)
      for (const { fingerprint } of player.story('a').findings)
        player.tell({ type: 'WaiveFinding', story: 'a', fingerprint, because: 'no', by: 'me' })
      player.run()
      return markdown(
        composed(reportView(player.state, envelopes(player.log), { at: 1, internal: false, readings: [] }), String),
      )
    }
    expect(told({})).toMatch(/Judged by the agent mine\./)
    expect(told({})).not.toMatch(/nobody/)
    expect(told({ Review: finds(1, 'gamed') })).toMatch(/Nobody reviewed the changes/)
  })

  it('speaks of no proof and no reviewer where nothing was merged', () => {
    const player = new Player(policy(), [story('a'), story('b')]).run({ CodeStory: fails('empty') })
    const text = markdown(composed(toldOf(player), String))
    expect(text).toMatch(/\*\*Blocked\.\*\* Nothing is merged to main\. Failed: a, b\./)
    expect(text).not.toMatch(/carries its proof|Nobody reviewed the changes/)
  })

  it('says who approved the plan and each change, and that nobody did where nobody did', () => {
    const alone = new Player(policy(), [story('a')]).run()
    const nobody = markdown(composed(toldOf(alone), String))
    expect(nobody).toMatch(/Nobody reviewed the changes: they are proven by checks alone/)
    const player = new Player(policy({ gates: 'manual', unattended: false }), [story('a'), story('b')])
    player.run()
    for (let asked = openQuestions(player.state)[0]; asked !== undefined; asked = openQuestions(player.state)[0]) {
      const by = asked.story === 'b' ? 'grace' : 'ada'
      player.tell({ type: 'AnswerQuestion', question: asked.id, option: 'approve', text: '', by })
      player.run()
    }
    const view = reportView(player.state, envelopes(player.log), { at: 1, internal: false, readings: [] })
    expect(view).toMatchObject({
      planApprovedBy: ['ada'],
      deliverables: [
        { status: 'merged', approvedBy: ['ada'] },
        { status: 'merged', approvedBy: ['grace'] },
      ],
    })
    const text = markdown(composed(view, String))
    expect(text).toMatch(/The plan was approved by ada\. Approved by ada and grace\./)
    expect(text).not.toMatch(/nobody/)
  })

  it("names who reviewed, what they said, what was put off and rejected, and the coder's handoff", () => {
    const player = new Player(policy({ ...reviewed(), roles: { triager: ['one'] } }), [story('a')])
    const found = objection([remark('slow', 'suggestion'), remark('odd', 'note')])
    const fate = ({ message }: Finding) => ({
      fate: message === 'slow' ? ('deferred' as const) : ('rejected' as const),
    })
    player.run({ ReviewStory: says(found), TriageFindings: sorts(fate) })
    const told = (internal: boolean) =>
      markdown(composed(reportView(player.state, envelopes(player.log), { at: 1, internal, readings: [] }), String))
    expect(told(false)).toMatch(/correctness \(one, m1\) .*needs work \(2 findings\); criteria \(two, m2\)/)
    expect(told(false)).toMatch(/a: deferred: slow \(a\.ts:1\)/)
    expect(told(false)).toMatch(/a: rejected: odd \(a\.ts:1\)/)
    expect(told(false)).toMatch(/Judged by the agents one and two\./)
    expect(told(false)).not.toMatch(/nobody|## Handoffs/)
    expect(told(true)).toMatch(/## Handoffs[\s\S]*\| a \| \S+ \| (?:full|partial|fallback) \|/)
  })

  it('tells what a coder says that its work does not do, and does not call it done', () => {
    const player = new Player(policy({ ...reviewed(), roles: { triager: ['one'] } }), [story('a')])
    const limited = { ...noHandoff, quality: 'full' as const, limitations: ['Leap years are left for later.'] }
    player.run({ CodeStory: (step) => ({ ...happily(step), handoff: limited }) as never })
    const view = reportView(player.state, envelopes(player.log), { at: 1, internal: false, readings: [] })
    expect(markdown(composed(view, String))).toMatch(/a: its coder names a limitation: Leap years are left for later\./)
  })

  it("tells each item of the plan's checklist, also one of which nobody has said anything", () => {
    const player = new Player(policy({ ...reviewed(), roles: { triager: ['one'] } }), [story('a')])
    const checklist = ['no globals', 'all callers use it'].map((item) => ({ must: true, item }))
    player.state.plan.plan = { ...player.state.plan.plan!, outline: { checklist } as never }
    player.run({
      ReviewStory: says({ ...approval, checklist: [{ item: 'no globals', state: 'passed', why: 'seen' }] }),
    })
    const view = reportView(player.state, envelopes(player.log), { at: 1, internal: false, readings: [] })
    const told = markdown(composed(view, String))
    expect(told).toMatch(/\| a \| no globals \| passed \| seen \|/)
    expect(told).toMatch(/\| {1,2}\| all callers use it \| unverifiable \| no reviewer/)
  })

  it('of a review tells its verdict and its findings, and nothing of merging', () => {
    const of = (word: ReviewWord) => {
      const { state, log } = reviewing().run({ ReviewStory: says(word) })
      return markdown(composed(reportView(state, envelopes(log), { at: 1, internal: false, readings: [] }), String))
    }
    expect(of(approval)).toMatch(/\*\*Done\.\*\* Reviewers approve of it/)
    expect(of(approval)).not.toMatch(/merged|nobody|proof/)
    const refused = of(objection([remark('leaks')]))
    expect(refused).toMatch(/\*\*Blocked\.\*\* It needs work: 1 finding\./)
    expect(refused).toMatch(/review: open: leaks \(a\.ts:1\)/)
  })

  it('ranks in the internal variant what is to be read first', () => {
    const files = [
      { path: 'src/auth.ts', score: 5, reasons: ['security', 'what others use was changed'] },
      { path: 'README.md', score: 0, reasons: [] },
    ]
    const readings = [{ story: 'a', score: 7.5, files, reasons: ['no test was changed'] }]
    const of = (internal: boolean) => reportView(fold(worked()), envelopes(worked()), { at: 1, internal, readings })
    const text = markdown(composed(of(true), String))
    expect(text).toMatch(/## Read first[\s\S]*\| a \| src\/auth.ts \| security, what others use was changed \| 5 \|/)
    expect(text).toMatch(/- a: no test was changed/)
    expect(text).not.toMatch(/README/)
    expect(markdown(composed(of(false), String))).not.toMatch(/Read first/)
    expect(of(false).readings).toEqual(readings)
  })

  it('asks its reader for what only they can settle', () => {
    const told = new Story(begunOn(policy({ gates: 'plan', unattended: false }), [story('a')]))
    const asking = told.start('AskQuestion', null)
    if (asking.verb !== 'AskQuestion') throw new Error('nothing is asked')
    told.events.push({ type: 'QuestionAsked', step: asking.id, question: asking.question })
    const view = viewOf(told.events)
    expect(view.result).toBe('needs context')
    expect(markdown(composed(view, String))).toMatch(/Needs context[\s\S]*## What is needed from you\n\n- /)
  })

  it('never lets what others wrote become markup', () => {
    const document = composed(viewOf(worked(), true), String)
    const page = html(document)
    expect(page).not.toMatch(/<img|\u202e/)
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quotes&quot;')
    expect(page).not.toMatch(/<(?:script|link|iframe|object)|@import|url\(/)
    const plain = markdown(document)
    expect(plain).not.toMatch(/^# not/m)
    const asked = composed(
      { ...viewOf(worked()), requirement: 'Do it\nas told\n===\n---\n- this\n1. and that' },
      String,
    )
    expect(markdown(asked)).toContain('> as told\n> \\===\n> \\---\n> \\- this\n> 1\\. and that')
    expect(plain).not.toMatch(/[^\\]<img|[^\\]\]\(http/)
  })
})
