import type { Intent } from '../../../src/delivery/intents.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import { openQuestions } from '../../../src/delivery/questions/due.ts'
import type { DeliveryState } from '../../../src/delivery/state.ts'
import { storiesOf } from '../../../src/delivery/state.ts'
import { runsSingleTests } from '../../../src/delivery/story/course/ladder.ts'
import { isOpinion } from './control-key.ts'

const by = 'somebody'

/** What people may say now: answers to what is asked, and, if they meddle, everything else. */
export function intentsFor(state: DeliveryState, meddling: boolean): Intent[] {
  const answers = openQuestions(state).flatMap(({ id, options }) =>
    options.map((option): Intent => ({ type: 'AnswerQuestion', question: id, option: option.id, text: 'so: 1', by })),
  )
  if (!meddling) return answers
  return [
    ...answers,
    { type: 'PauseDelivery', now: false, by },
    { type: 'PauseDelivery', now: true, by },
    { type: 'ResumeDelivery', by },
    { type: 'StopDelivery', reason: 'enough', by },
    ...repins(state),
    ...storiesOf(state).flatMap(({ spec: { id: story }, findings }): Intent[] => [
      { type: 'TellStory', story, text: 'like this', by },
      { type: 'RetryStory', story, advice: '', by },
      { type: 'SkipStory', story, reason: 'not now', by },
      { type: 'AmendStory', story, changes: { title: 'other' }, by },
      ...findings
        .filter(({ source }) => isOpinion(source))
        .map(({ fingerprint }): Intent => ({ type: 'WaiveFinding', story, fingerprint, because: 'fine', by })),
    ]),
  ]
}

/** The same settings, read anew; nobody is there any more; fewer reviewers; and tests at another time, where that makes a difference. */
function repins({ policy, policyHash }: DeliveryState): Intent[] {
  if (policy === null) return []
  const again = policyHash.endsWith('+') ? policyHash.slice(0, -1) : `${policyHash}+`
  const same: Intent = { type: 'RepinPolicy', policy, policyHash: again, by }
  const left: Intent = { type: 'RepinPolicy', policy: { ...policy, unattended: true }, policyHash: 'left', by }
  const plain = policy.unattended ? [same] : [same, left]
  const [, ...fewer] = policy.review.reviewers
  const others: Policy = { ...policy, review: { ...policy.review, reviewers: fewer } }
  if (policy.review.reviewers.length > 0)
    return [...plain, { type: 'RepinPolicy', policy: others, policyHash: `${fewer.length} reviewers`, by }]
  if (!runsSingleTests(policy)) return plain
  const strategy = strategies[(strategies.indexOf(policy.strategy) + 1) % strategies.length]!
  return [...plain, { type: 'RepinPolicy', policy: { ...policy, strategy }, policyHash: strategy, by }]
}

const strategies = ['after', 'tdd', 'three-session'] as const
