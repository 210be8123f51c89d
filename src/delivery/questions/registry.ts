import type { IntentRefusal } from '../intents.ts'
import type { Answer, Question, QuestionKind } from '../question.ts'
import type { DeliveryState } from '../state.ts'
import { storiesOf, storyOf } from '../state.ts'
import type { StoryState } from '../story/story.ts'
import { intent } from './delivery/intent.ts'
import { landing } from './delivery/landing.ts'
import { planGate } from './delivery/plan-gate.ts'
import { trouble } from './delivery/trouble.ts'
import { changedTestsRules } from './story/changed-tests.ts'
import { coder } from './story/coder.ts'
import { escalation } from './story/escalation.ts'
import { intentGap } from './story/intent-gap.ts'
import { permission } from './story/permission.ts'
import {
  byAnswering,
  type DeliveryRules,
  type Given,
  type QuestionRules,
  type StoryRules,
  type Words,
} from './story/rules.ts'
import { specGate } from './story/spec-gate.ts'
import { split } from './story/split.ts'
import { storyGate } from './story/story-gate.ts'
import { takeOverRules } from './story/take-over.ts'
import { triage } from './story/triage.ts'
import { unverified } from './story/unverified.ts'

/** Every kind of question. Those about the delivery as a whole are asked in this order. */
export const questionRules: Record<QuestionKind, QuestionRules> = {
  intent,
  'plan-gate': planGate,
  landing,
  trouble,
  'story-gate': storyGate,
  escalation,
  coder,
  permission,
  'spec-gate': specGate,
  'intent-gap': intentGap,
  'take-over': takeOverRules,
  triage,
  split,
  unverified,
  'changed-tests': changedTestsRules,
}

const all = Object.values(questionRules)
const ofDelivery = all.filter((rules): rules is DeliveryRules => rules.about === 'delivery')
const ofStory = all.filter((rules): rules is StoryRules => rules.about === 'story')
/** Looked up for each story whenever anything has happened. */
const byStatus = new Map(ofStory.map(({ status }) => [status, ofStory.filter((rules) => rules.status === status)]))

/** All that only a human can settle now, whether it was asked already or not. */
export function wantedQuestions(state: DeliveryState): Question[] {
  const questions = storiesOf(state).flatMap((story) =>
    rulesFor(story).flatMap((rules) => rules.ask(state, story, story.control) ?? []),
  )
  return [...questions, ...ofDelivery.flatMap((rules) => rules.ask(state) ?? [])]
}

const rulesFor = ({ control }: StoryState): StoryRules[] => byStatus.get(control.status) ?? []

export function applyAnswer(state: DeliveryState, question: Question, answer: Answer): void {
  const rules = questionRules[question.kind]
  if (rules.about === 'delivery') return rules.answer(state, question, answer)
  const story = storyOf(state, question.story!)
  const { control } = story
  if (control.status === rules.status) rules.answer(state, story, { control, question, answer })
}

/** Nobody is there any more. Gates were asked for and stay, and what a human has taken over is theirs. */
export function leaveQuestions(state: DeliveryState): void {
  for (const rules of ofDelivery) rules.leave?.(state)
  for (const story of storiesOf(state))
    for (const rules of rulesFor(story))
      if (rules.status === story.control.status) rules.leave?.(state, story, story.control)
}

/** Why this answer will not do yet; null: it will. */
export function lackOfAnswer(state: DeliveryState, question: Question, given: Given): IntentRefusal | null {
  const unsaid = given.text.trim() === '' ? wordsFor(question.kind, given.option)?.unsaid : null
  return unsaid ?? questionRules[question.kind].lacks?.(state, question, given) ?? null
}

/** What is to be said with this option; null: nothing. */
export function wordsFor(kind: QuestionKind, option: string): Words | null {
  const words = questionRules[kind].words ?? {}
  const name = option.replace(/-\d+$/, '')
  return Object.hasOwn(words, name) ? words[name]! : null
}

/** To be pasted into a shell, so without brackets and bars. */
export const answerCommand = (question: Question): string =>
  (questionRules[question.kind].command ?? byAnswering)(question)
