import { judgeOfLine, judgeOfTree } from '../judging/judging.ts'
import type { Room } from '../room.ts'
import { admit } from '../room.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf, storiesOf } from '../state.ts'
import type { Step } from '../step.ts'
import { identified } from '../step-id.ts'
import type { StoryState } from '../story/story.ts'
import { isSettled } from '../story/story.ts'
import { headOfQueue } from './queue.ts'

/** Composing, proving what was composed, moving the line, landing. */
export function dueOnLine(state: DeliveryState, room: Room): Step[] {
  const begun = state.trouble === null || isRunning(state, state.line.begun) ? state.line.begun : null
  const head = headOfQueue(state)
  const steps = [...(head === null ? [] : [dueForHead(state, head)]), ...(begun !== null ? [begun] : dueLanding(state))]
  return steps.filter((step) => admit(room, step))
}

const isRunning = (state: DeliveryState, step: Step | null): boolean =>
  step !== null && state.running[step.id] !== undefined

function dueForHead(state: DeliveryState, story: StoryState): Step {
  const { control, attempt, round, revision } = story
  const id = story.spec.id
  if (control.status !== 'proving') {
    const { base, commit } = control as { base: string; commit: string }
    return identified({ verb: 'ComposeLine', story: id, onto: state.line.tip, base, commit })
  }
  const { composed, retry } = control
  const { onto, commit, tree } = composed
  const judge = judgeOfLine(state, tree)
  if (judge === null) return identified({ verb: 'AdvanceLine', story: id, from: onto, to: commit, tree })
  return identified({
    verb: 'Judge',
    story: id,
    judge,
    scope: 'line',
    base: onto,
    commit,
    tree,
    revision,
    attempt,
    round,
    retry,
    policy: state.policyHash,
  })
}

/** The target follows the line at the end, or with each story; only ever to a proven tree. */
function dueLanding(state: DeliveryState): Step[] {
  const { line, trouble } = state
  const { land } = policyOf(state)
  const settled = state.order.length > 0 && storiesOf(state).every(isSettled)
  const last = line.commits.at(-1)
  if (
    line.begun !== null ||
    last === undefined ||
    line.landing.status !== 'idle' ||
    line.whole !== null ||
    trouble !== null
  )
    return []
  if (!settled && land === 'end') return []
  const judge = judgeOfTree(state, last.tree)
  if (settled && judge !== null) return [wholeJudge(state, judge, last)]
  const proven = line.commits.findLast(({ tree }) => judgeOfTree(state, tree) === null)
  return proven === undefined ? [] : [landing(state, proven)]
}

function landing(state: DeliveryState, { commit, tree }: { commit: string; tree: string }): Step {
  const { target: from, landings } = state.line
  const { target } = policyOf(state)
  return identified({ verb: 'Land', story: null, target, from, to: commit, tree, landing: landings })
}

function wholeJudge(state: DeliveryState, judge: string, last: { commit: string; tree: string }): Step {
  return identified({
    verb: 'Judge',
    story: null,
    judge,
    scope: 'whole',
    base: state.line.target,
    commit: last.commit,
    tree: last.tree,
    revision: 0,
    attempt: 0,
    round: 0,
    retry: 0,
    policy: state.policyHash,
  })
}
