import type { Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import { policyOf } from '../../state.ts'
import type { DeliveryRules } from '../story/rules.ts'

/** The result is proven, and could not land. */
export const landing: DeliveryRules = {
  about: 'delivery',
  command: ({ id }) => `ropewalk land   or   ropewalk answer ${id} leave`,
  ask(state) {
    const now = state.line.landing
    if (now.status !== 'waiting' || policyOf(state).unattended) return null
    // It may come to the same thing more than once: each time it is a question of its own.
    const before = Object.values(state.questions).filter((asked) => asked.question.kind === 'landing' && asked.answer)
    return asQuestion({
      id: `landing-${1 + before.length}`,
      kind: 'landing',
      story: null,
      text: `The result is proven, but cannot be merged yet: ${now.message}`,
      options,
    })
  },
  answer({ line }, _, { option }) {
    line.landing = option === 'land' ? { status: 'idle' } : { status: 'left' }
    if (option === 'land') line.landings = 0
  },
}

const options: Option[] = [
  { id: 'land', label: 'merge it now' },
  { id: 'leave', label: 'leave it where it is, without merging it' },
]
