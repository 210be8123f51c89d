import { describe, it } from 'vitest'
import type { Intent } from '../../../src/delivery/intents.ts'
import { asks, fails, finds } from '../endings.ts'
import { given } from '../given.ts'
import { Player } from '../player.ts'
import { policy, request, requested, story } from '../sample.ts'

const by = 'somebody'
const stories = [story('a'), story('b', { dependsOn: ['a'] })]
const begun = requested(policy(), stories)
const nothing: never[] = []

describe('a request', () => {
  const pinned = policy()

  it('becomes the delivery, its policy and its plan', () => {
    given([]).when(request(pinned, stories)).then(requested(pinned, stories))
  })
  it('needs no plan when there is a planner', () => {
    const planned = policy({ roles: { coder: ['mine'], planner: ['mine'] } })
    given([]).when(request(planned, null)).then(requested(planned, null))
  })
  it('is refused without a plan and a planner, without a coder, without words, and twice', () => {
    given([])
      .when(request(pinned, null))
      .refused(/no plan and no planner/)
    given([])
      .when(request(policy({ roles: { coder: [], planner: [] } }), stories))
      .refused(/nobody to code/)
    const empty = { text: ' ', source: 'text', submitter: by }
    given([])
      .when({ ...request(pinned, stories), requirement: empty } as Intent)
      .refused(/empty/)
    given(begun)
      .when(request(pinned, stories))
      .refused(/already requested/)
  })
  it('is refused with a plan that cannot be used', () => {
    given([])
      .when(request(pinned, [story('a', { dependsOn: ['x'] })]))
      .refused(/a depends on x/)
  })
  it('must come before anything else', () => {
    given([])
      .when({ type: 'StopDelivery', reason: '', by })
      .refused(/no such delivery/)
  })
})

describe('another plan', () => {
  const plan = { outline: null, stories: [story('c')] }
  const other: Intent = { type: 'GivePlan', plan, cause: 'better' }

  it('replaces one that has not begun', () => {
    given(begun)
      .when(other)
      .then([{ type: 'PlanGiven', plan, revision: 2, cause: 'better' }])
  })
  it('is refused when stories have begun, and when it is no plan', () => {
    const player = new Player(policy(), stories)
    given(begun)
      .when({ ...other, plan: { outline: null, stories: [] } })
      .refused(/no stories/)
    player.start('CodeStory a')
    given(player.state)
      .when(other)
      .refused(/have begun/)
  })
  it('reopens a delivery that ended over its plan, but not one that is being stopped', () => {
    const player = new Player(policy({ gates: 'plan' }), stories).run()
    player.answer('reject', 'too large')
    player.run()
    given(player.state)
      .when(other)
      .then([
        { type: 'DeliveryReopened', cause: 'another plan was given' },
        { type: 'PlanGiven', plan, revision: 2, cause: 'better' },
      ])
    given([...begun, { type: 'DeliveryStopping', reason: '', by }])
      .when(other)
      .refused(/being stopped/)
  })
})

describe('an answer', () => {
  const gated = () => new Player(policy({ gates: 'plan', unattended: false }), stories).run()
  const approve: Intent = { type: 'AnswerQuestion', question: 'plan-1', option: 'approve', text: '', by }

  it('is recorded', () => {
    const { type: _, ...answer } = approve
    given(gated().state)
      .when(approve)
      .then([{ type: 'QuestionAnswered', ...answer }])
  })
  it('stands when it is the first', () => {
    const player = gated()
    player.tell(approve)
    given(player.state)
      .when({ ...approve, option: 'reject', text: 'no' })
      .refused(/already answered with "approve" by somebody/)
  })
  it('comes too late after the deadline', () => {
    const player = new Player(policy({ unattended: false, limits: { attemptsPerStory: 1 } }), stories)
    player.perform('CodeStory a', fails('empty'))
    player.perform('AskQuestion a')
    player.at = player.wakeAt()!
    player.perform('CloseQuestion a')
    given(player.state)
      .when({ ...approve, question: 'escalation-a-1', option: 'retry' })
      .refused(/already answered with "fail" by deadline/)
  })
  it('is refused without a question, with an option that is not one, and a rejection without a reason', () => {
    const { state } = gated()
    given(state)
      .when({ ...approve, question: 'plan-9' })
      .refused(/no question plan-9/)
    given(state)
      .when({ ...approve, option: 'maybe' })
      .refused(/"maybe" is not an answer/)
    given(state)
      .when({ ...approve, option: 'reject', text: ' ' })
      .refused(/needs a reason/)
  })
  it('is refused when nobody asks any more, while stopping, and after the end', () => {
    const replaced = gated()
    replaced.tell({ type: 'GivePlan', plan: { outline: null, stories: [story('c')] }, cause: 'better' })
    given(replaced.state)
      .when(approve)
      .refused(/no longer asked/)
    const stopped = gated()
    stopped.tell({ type: 'StopDelivery', reason: 'enough', by })
    given(stopped.state)
      .when(approve)
      .refused(/being stopped/)
    given(stopped.run().state)
      .when(approve)
      .refused(/has ended \(stopped\)/)
  })
  it('to a coder is free text', () => {
    const player = new Player(policy({ unattended: false }), stories)
    player.perform('CodeStory a', asks('Which one?', ['left', 'right']))
    player.perform('AskQuestion a')
    const { type: _, ...answer } = { ...approve, question: 'coder-a-1', option: 'the middle' }
    given(player.state)
      .when({ ...approve, question: 'coder-a-1', option: 'the middle' })
      .then([{ type: 'QuestionAnswered', ...answer }])
  })
})

describe('pause, resume and stop', () => {
  const pause = (now: boolean): Intent => ({ type: 'PauseDelivery', now, by })
  const resume: Intent = { type: 'ResumeDelivery', by }
  const stop: Intent = { type: 'StopDelivery', reason: 'enough', by }
  const paused = { type: 'DeliveryPaused', now: false, by } as const
  const stopping = { type: 'DeliveryStopping', reason: 'enough', by } as const

  it('follow each other', () => {
    given(begun).when(pause(false)).then([paused])
    given([...begun, paused])
      .when(resume)
      .then([{ type: 'DeliveryResumed', by }])
    given(begun).when(stop).then([stopping])
  })
  it('say nothing twice, but a pause may become sharper', () => {
    given([...begun, paused])
      .when(pause(false))
      .then(nothing)
    given([...begun, paused])
      .when(pause(true))
      .then([{ ...paused, now: true }])
    given(begun).when(resume).then(nothing)
    given([...begun, stopping])
      .when(stop)
      .then(nothing)
  })
  it('are refused while stopping', () => {
    given([...begun, stopping])
      .when(pause(false))
      .refused(/being stopped/)
    given([...begun, stopping])
      .when(resume)
      .refused(/being stopped/)
  })
  it('are refused after the end, but what was stopped can be resumed', () => {
    const done = new Player(policy(), stories).run()
    given(done.state)
      .when(pause(false))
      .refused(/ended \(done-with-concerns\)/)
    given(done.state)
      .when(stop)
      .refused(/ended \(done-with-concerns\)/)
    given(done.state)
      .when(resume)
      .refused(/ended \(done-with-concerns\)/)
    const stopped = new Player(policy(), stories)
    stopped.tell(stop)
    given(stopped.run().state)
      .when(resume)
      .then([{ type: 'DeliveryReopened', cause: 'resumed by somebody after it had ended (stopped)' }])
  })
  it('cannot resume what a failed story blocks', () => {
    const blocked = new Player(policy({ limits: { attemptsPerStory: 1 } }), stories).run({ CodeStory: fails('empty') })
    given(blocked.state)
      .when(resume)
      .refused(/it is blocked: failed: a/)
  })
})

describe('a story', () => {
  const retry = (id: string): Intent => ({ type: 'RetryStory', story: id, advice: 'think', by })
  const skip = (id: string): Intent => ({ type: 'SkipStory', story: id, reason: 'later', by })
  const amend = (id: string, changes: object): Intent => ({ type: 'AmendStory', story: id, changes, by })
  const failed = () =>
    new Player(policy({ limits: { attemptsPerStory: 1 } }), stories).run({ CodeStory: fails('empty') })

  it('is retried, skipped and amended', () => {
    given(begun)
      .when(retry('a'))
      .then([{ type: 'StoryRetried', story: 'a', advice: 'think', by }])
    given(begun)
      .when(skip('a'))
      .then([{ type: 'StorySkipped', story: 'a', reason: 'later', by }])
    given(begun)
      .when(amend('a', { title: 'x' }))
      .then([{ type: 'StoryAmended', story: 'a', changes: { title: 'x' }, by }])
  })
  it('reopens a delivery that has ended', () => {
    given(failed().state)
      .when(retry('a'))
      .then([
        { type: 'DeliveryReopened', cause: 'RetryStory of a' },
        { type: 'StoryRetried', story: 'a', advice: 'think', by },
      ])
  })
  it('is refused when it is unknown, on the line, skipped already, or the delivery is being stopped', () => {
    given(begun)
      .when(retry('x'))
      .refused(/no story x/)
    given(new Player(policy(), stories).run().state)
      .when(skip('a'))
      .refused(/on the line already \(merged\)/)
    given([...begun, { type: 'StorySkipped', story: 'a', reason: '', by }])
      .when(skip('a'))
      .refused(/skipped already/)
    given([...begun, { type: 'DeliveryStopping', reason: '', by }])
      .when(retry('a'))
      .refused(/being stopped/)
  })
  it('cannot be retried without what it depends on', () => {
    given(failed().state)
      .when(retry('b'))
      .refused(/b depends on a, which is not there/)
  })
  it('is amended only to what a plan may hold', () => {
    given(begun)
      .when(amend('a', { dependsOn: ['b'] }))
      .refused(/in a circle/)
    given(begun)
      .when(amend('a', { dependsOn: ['x'] }))
      .refused(/a depends on x/)
    given(begun)
      .when(amend('a', { files: ['/etc/passwd'] }))
      .refused(/not a path inside/)
    given(failed().state)
      .when(amend('b', { title: 'x' }))
      .refused(/depends on a, which is not there/)
    given(failed().state)
      .when(amend('b', { dependsOn: [] }))
      .then([
        { type: 'DeliveryReopened', cause: 'AmendStory of b' },
        { type: 'StoryAmended', story: 'b', changes: { dependsOn: [] }, by },
      ])
  })
})

describe('a waiver', () => {
  const judges = ['inspection', 'check:test']
  const waive = (source: string): Intent => {
    return { type: 'WaiveFinding', story: 'a', fingerprint: `${source}/red`, because: 'it is fine', by }
  }
  const sentBack = (judge: string) => {
    const player = new Player(policy({ judges }), stories)
    player.perform('CodeStory a')
    if (judge !== 'inspection') player.perform('Judge a inspection')
    player.perform(`Judge a ${judge}`, finds())
    return player.state
  }

  it('is for what an inspection found', () => {
    const { type: _, ...rest } = waive('inspection') as Extract<Intent, { type: 'WaiveFinding' }>
    given(sentBack('inspection'))
      .when(waive('inspection'))
      .then([{ type: 'FindingWaived', ...rest }])
  })
  it('is refused for a red check, an unknown finding, and without a reason', () => {
    given(sentBack('check:test'))
      .when(waive('check:test'))
      .refused(/of check:test cannot be waived/)
    given(sentBack('inspection'))
      .when(waive('check:test'))
      .refused(/no finding/)
    given(sentBack('inspection'))
      .when({ ...waive('inspection'), because: '' } as Intent)
      .refused(/needs a reason/)
  })
})

describe('another policy', () => {
  it('is pinned whenever a human says so', () => {
    const other = policy({ gates: 'manual' })
    given(begun)
      .when({ type: 'RepinPolicy', policy: other, policyHash: 'p2', by })
      .then([{ type: 'PolicyPinned', policy: other, hash: 'p2' }])
  })
})
