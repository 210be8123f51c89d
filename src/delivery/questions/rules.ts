import type { IntentRefusal } from '../intents.ts'
import type { Answer, Option, Question } from '../question.ts'
import type { DeliveryState } from '../state.ts'
import type { StoryControl, StoryState } from '../story/story.ts'

/** All that the law and the faces know of one kind of question. */
export type QuestionRules = DeliveryRules | StoryRules

interface Rules {
  /** What is to be said with an option, by the option's name without its number. */
  words?: Record<string, Words>
  /** Any words are an answer, besides its options. */
  takesWords?: true
  /** Why an answer will not do although its option is there; null: it will. */
  lacks?(state: DeliveryState, question: Question, given: Given): IntentRefusal | null
  /** What is shown beside what the question brings itself: the story's facts if it brings nothing, or one of these. */
  shows?: 'plan' | 'nothing'
  /** How it is answered in a shell, where that is not by `ropewalk answer`. */
  command?(question: Question): string
}

/** A question about the delivery as a whole. */
export interface DeliveryRules extends Rules {
  about: 'delivery'
  /** What has to be asked now; null: nothing. */
  ask(state: DeliveryState): Wording | null
  /** What it leads to. */
  answer(state: DeliveryState, question: Question, answer: Answer): void
  /** Nobody is there any more: it ends as if nobody had been there when it came up. Without: it stays. */
  leave?(state: DeliveryState): void
}

/** A question about a story that is in this state. */
export interface StoryRules<S extends Status = Status> extends Rules {
  about: 'story'
  status: S
  ask(state: DeliveryState, story: StoryState, control: In<S>): Wording | null
  answer(state: DeliveryState, story: StoryState, given: { control: In<S>; question: Question; answer: Answer }): void
  leave?(state: DeliveryState, story: StoryState, control: In<S>): void
}

/** A question without its kind and its story, which follow from its rules. No default: it waits for as long as it takes. */
export type Wording = Pick<Question, 'id' | 'text' | 'options'> & Partial<Pick<Question, 'default' | 'evidence'>>

type Status = StoryControl['status']
export type In<S extends Status> = Extract<StoryControl, { status: S }>
export type Given = Pick<Answer, 'option' | 'text'>

export interface Words {
  /** How they are asked for. */
  prompt: string
  /** Why the option will not do without them; null: it will. */
  unsaid: IntentRefusal | null
}

/** By the name of each option what it says. */
export const optionsOf = (labels: Record<string, string>): Option[] =>
  Object.entries(labels).map(([id, label]) => ({ id, label }))

/** A no says why. */
export const reject: Words = {
  prompt: 'Why? Whoever does the work again is told this.',
  unsaid: {
    refused: 'a rejection needs a reason',
    remedy: 'give it with `--because "…"`; whoever does the work again is told',
  },
}

export const advice: Words = { prompt: 'Any advice? You can leave this empty.', unsaid: null }

export const byApproving = ({ id }: Question): string =>
  `ropewalk approve ${id}   or   ropewalk reject ${id} --because "…"`

export function byAnswering({ id, options }: Pick<Question, 'id' | 'options'>): string {
  const [first, ...others] = options.map((option) => option.id)
  if (first === undefined) return `ropewalk answer ${id} "…"`
  return `ropewalk answer ${id} ${first}${others.length === 0 ? '' : `   (or ${others.join(', ')})`}`
}
