import { planRejected } from '../../plan/course/planning.ts'
import type { Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, storiesOf } from '../../state.ts'
import { byApproving, type DeliveryRules, reject } from '../story/rules.ts'

/** Whether to go ahead with the plan. */
export const planGate: DeliveryRules = {
  about: 'delivery',
  words: { reject },
  shows: 'plan',
  command: byApproving,
  ask(state) {
    if (state.plan.control.status !== 'proposed') return null
    const count = storiesOf(state).filter(({ kind }) => kind === 'story').length
    const isFirst = storiesOf(state).some(({ kind, control }) => kind === 'acceptance' && control.status !== 'skipped')
    const first = isFirst ? ', with acceptance tests before all' : ''
    return asQuestion({
      id: `plan-${state.plan.revision}`,
      kind: 'plan-gate',
      story: null,
      text: `Go ahead with this plan of ${count} ${count === 1 ? 'story' : 'stories'}${first}?`,
      evidence: againstPlan(state),
      options,
    })
  },
  answer(state, _, { option, text }) {
    if (option === 'approve') state.plan.control = { status: 'approved' }
    else planRejected(state, text)
  },
  leave(state) {
    const { control, oversize } = state.plan
    if (control.status === 'proposed' && policyOf(state).gates === 'auto' && oversize.length > 0)
      state.plan.control = { status: 'faulted', problems: oversize }
  },
}

/** What the audit found and no draft has mended, and what is too large. */
const againstPlan = ({ plan: { audit, oversize } }: DeliveryState): string =>
  [...oversize, ...(audit?.problems ?? []), ...(audit?.concerns ?? [])].map((text) => `- ${text}`).join('\n')

const options: Option[] = [
  { id: 'approve', label: 'go ahead' },
  { id: 'reject', label: 'no, and say why' },
]
