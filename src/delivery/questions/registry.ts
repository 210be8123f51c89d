import type { IntentRefusal } from '../intents.ts'
import type { Answer, Question, QuestionKind } from '../question.ts'
import { type DeliveryState, storiesOf, storyOf } from '../state.ts'
import type { StoryState } from '../story/story.ts'
import { intentRules, landingRules, planGate, troubleRules } from './delivery.ts'
import {
  byAnswering,
  type DeliveryRules,
  type Given,
  type QuestionRules,
  type StoryRules,
  type Words,
} from './rules.ts'
import { escalation, intentGap, specGate, takeOverRules } from './stuck.ts'
import { changedTestsRules, coder, permission, split, storyGate, triage, unverified } from './work.ts'

/** Every kind of question. Those about the delivery as a whole are asked in this order. */
export const questionRules: Record<QuestionKind, QuestionRules> = {
  intent: intentRules,
  'plan-gate': planGate,
  landing: landingRules,
  trouble: troubleRules,
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

const all = Object.entries(questionRules).map(([kind, rules]) => ({ kind: kind as QuestionKind, ...rules }))
const ofDelivery = all.filter((rules): rules is DeliveryRules & Named => rules.about === 'delivery')
const ofStory = all.filter((rules): rules is StoryRules & Named => rules.about === 'story')
/** Looked up for each story whenever anything has happened. */
const byStatus = new Map(ofStory.map(({ status }) => [status, ofStory.filter((rules) => rules.status === status)]))

interface Named {
  kind: QuestionKind
}

/** All that only a human can settle now, whether it was asked already or not. */
export function wantedQuestions(state: DeliveryState): Question[] {
  const blank = { story: null, default: null, deadlineAt: null, evidence: '' }
  const questions = storiesOf(state).flatMap((story) =>
    rulesFor(story).flatMap(({ kind, ask }): Question[] => {
      const wording = ask(state, story, story.control)
      return wording === null ? [] : [{ ...blank, kind, story: story.spec.id, ...wording }]
    }),
  )
  const others = ofDelivery.flatMap(({ kind, ask }): Question[] => {
    const wording = ask(state)
    return wording === null ? [] : [{ ...blank, kind, ...wording }]
  })
  return [...questions, ...others]
}

const rulesFor = ({ control }: StoryState): (StoryRules & Named)[] => byStatus.get(control.status) ?? []

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
