import type { Asked, DeliveryState } from '../../../src/delivery/state.ts'
import type { StoryState } from '../../../src/delivery/story/story.ts'

/** Copies what the law changes in place and shares the rest: many times quicker than structuredClone. */
export const copyOf = (state: DeliveryState): DeliveryState => ({
  ...state,
  intent: {
    ...state.intent,
    words: { ...state.intent.words },
    faults: { ...state.intent.faults },
    checked: { ...state.intent.checked },
    tried: { ...state.intent.tried },
  },
  plan: { ...state.plan },
  stories: mapped(state.stories, copyOfStory),
  line: { ...state.line, commits: [...state.line.commits], train: [...state.line.train] },
  questions: mapped(state.questions, copyOfAsked),
  running: { ...state.running },
  parked: { ...state.parked },
  proven: { ...state.proven },
  money: { ...state.money, reserved: { ...state.money.reserved } },
  absences: { ...state.absences },
  concerns: [...state.concerns],
})

const copyOfStory = (story: StoryState): StoryState => ({
  ...story,
  thisAttempt: { ...story.thisAttempt },
  tally: { ...story.tally, crashes: { ...story.tally.crashes } },
  review: { ...story.review },
  waived: [...story.waived],
  past: [...story.past],
})

const copyOfAsked = (asked: Asked): Asked => ({ ...asked, question: { ...asked.question } })

function mapped<T>(record: Record<string, T>, copy: (one: T) => T): Record<string, T> {
  const copies: Record<string, T> = {}
  for (const key in record) copies[key] = copy(record[key]!)
  return copies
}
