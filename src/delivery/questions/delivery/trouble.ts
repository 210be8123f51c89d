import type { Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import { checksKey } from '../../shared/room.ts'
import type { Trouble } from '../../state.ts'
import { policyOf } from '../../state.ts'
import { nobodyLeft } from '../../takers.ts'
import type { DeliveryRules } from '../story/rules.ts'

/** The world said no, or nobody is left to take a turn. */
export const trouble: DeliveryRules = {
  about: 'delivery',
  ask(state) {
    const met: Pick<Trouble, 'message' | 'remedy' | 'environment' | 'base'> | null = state.trouble ?? nobodyLeft(state)
    if (met === null || policyOf(state).unattended) return null
    const text = `${met.message}. ${met.remedy}`
    const asked = Object.values(state.questions).filter(({ question }) => question.kind === 'trouble')
    const same = asked.find(({ answer, question }) => answer === null && question.text === text)
    const id = same?.question.id ?? `trouble-${asked.length + 1}`
    const options = [
      ...(met.environment === true ? [repin] : []),
      ...(met.base === true ? [goOn] : []),
      ...[retry, stop],
    ]
    return asQuestion({ id, kind: 'trouble', story: null, text, options })
  },
  answer(state, { text }, { option }) {
    if (option === 'go-on') state.baseTried = checksKey(state)
    state.trouble = null
    state.parks = 0
    state.absences = {}
    if (option === 'stop') state.mode = { status: 'stopping', reason: text }
  },
}

const repin: Option = { id: 'repin', label: 'read the settings again, and retry' }
const goOn: Option = { id: 'go-on', label: 'continue: the work of this delivery adds what is missing' }
const retry: Option = { id: 'retry', label: 'try again' }
const stop: Option = { id: 'stop', label: 'stop the delivery' }
