import type { IntentRefusal } from '../../intents.ts'
import type { Option, Question } from '../../question.ts'
import { guardSplit, sortingOf } from '../../review/course/sorting.ts'
import { acceptedAfterAll } from '../../review/triage.ts'
import type { DeliveryState } from '../../state.ts'
import { aboutFindings } from './disputed.ts'
import type { Given, StoryRules } from './rules.ts'

const unnamed: IntentRefusal = {
  refused: 'you have not said which of them count',
  remedy: 'give their numbers: `ropewalk answer <question> decide "1, 3"`',
}

/** A triager would drop too much of what reviewers found. */
export const triage: StoryRules<'disputed'> = {
  about: 'story',
  status: 'disputed',
  words: { decide: { prompt: 'Which of them count? Give their numbers, such as 1, 3', unsaid: unnamed } },
  lacks: namesNone,
  ask(_, story, control) {
    if (control.about !== 'triage') return null
    const { findings, over } = control
    const text = `Reviewers found ${findings.length} things in ${story.spec.id}, and the triager would drop ${over.length} of them. Do they count?`
    return aboutFindings(story, control, { text, options })
  },
  answer(state, story, { control, answer }) {
    if (control.about !== 'triage') return
    const { findings, over } = control
    const prints = answer.option === 'accept-all' ? over : answer.option === 'decide' ? chosen(over, answer.text) : []
    const because = `${answer.by} says that it counts`
    const sorted = acceptedAfterAll(findings, control.sorted, { prints, because })
    guardSplit(state, story, { ...sortingOf(control), sorted })
  },
}

function namesNone({ stories }: DeliveryState, { story }: Question, { option, text }: Given): IntentRefusal | null {
  if (option !== 'decide') return null
  const control = stories[story ?? '']?.control
  if (control?.status === 'disputed' && chosen(control.over, text).length > 0) return null
  return unnamed
}

/** By their numbers in the question, from 1. */
const chosen = (over: string[], text: string): string[] =>
  (text.match(/\d+/g) ?? []).flatMap((number) => over[Number(number) - 1] ?? [])

const options: Option[] = [
  { id: 'accept-all', label: 'all of them count' },
  { id: 'trust-triage', label: 'none of them counts' },
  { id: 'decide', label: 'some of them count: give their numbers' },
]
