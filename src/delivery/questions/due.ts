import { nobodyLeft } from '../agents/choice.ts'
import type { Instant } from '../ids.ts'
import { intentQuestion } from '../intent/question.ts'
import { contestedQuestion } from '../judging/maintained.ts'
import type { Moment } from '../moment.ts'
import { disputeQuestion } from '../review/questions.ts'
import type { DeliveryState, Trouble } from '../state.ts'
import { policyOf, storiesOf } from '../state.ts'
import type { Step } from '../step.ts'
import { identified } from '../step-id.ts'
import { kindOf } from '../story/permission.ts'
import type { StoryState } from '../story/story.ts'
import type { Option, Question } from './question.ts'
import { asQuestion } from './question.ts'
import { stuckQuestion } from './stuck.ts'

/** Questions to put, and those whose deadline has passed. */
export function dueQuestions(
  state: DeliveryState,
  moment: Moment,
): { steps: Step[]; wakeAt: Instant | null; open: boolean } {
  const wanted = unaskedQuestions(state)
  const open = openQuestions(state)
  const expired = open.filter(({ deadlineAt }) => deadlineAt !== null && deadlineAt <= moment.at)
  const deadlines = open.flatMap(({ deadlineAt }) => (deadlineAt === null ? [] : [deadlineAt]))
  return {
    steps: [
      ...wanted.map((question) => identified({ verb: 'AskQuestion', story: question.story, question }) as Step),
      ...expired.map(
        ({ id, story, default: option }) =>
          identified({ verb: 'CloseQuestion', story, question: id, option: option ?? '' }) as Step,
      ),
    ],
    wakeAt: deadlines.length === 0 || expired.length > 0 ? null : Math.min(...deadlines),
    open: open.length > 0,
  }
}

/** What must be asked and has not been. */
export const unaskedQuestions = (state: DeliveryState): Question[] =>
  wantedQuestions(state).filter((question) => state.questions[question.id] === undefined)

/** Open questions that still matter, oldest first. */
export function openQuestions(state: DeliveryState): Question[] {
  const asked = Object.values(state.questions)
  if (asked.length === 0 || state.imported !== null) return []
  const wanted = new Set(wantedQuestions(state).map((question) => question.id))
  return asked.filter((one) => one.answer === null && wanted.has(one.question.id)).map((one) => one.question)
}

/** What was shown and can still be chosen: settings may have changed since. */
export function optionsLeft(state: DeliveryState, { id, options }: Question): Option[] {
  const now = wantedQuestions(state).find((question) => question.id === id)?.options ?? []
  return options.filter((option) => now.some((one) => one.id === option.id))
}

function wantedQuestions(state: DeliveryState): Question[] {
  const questions = storiesOf(state).flatMap((story) => storyQuestion(state, story) ?? [])
  questions.push(...[intentQuestion(state) ?? []].flat())
  if (state.plan.control.status === 'proposed') questions.push(planGate(state))
  const { landing } = state.line
  const { unattended } = policyOf(state)
  if (landing.status === 'waiting' && !unattended) questions.push(landingQuestion(state, landing.message))
  const trouble = state.trouble ?? nobodyLeft(state)
  if (trouble !== null && !unattended) questions.push(troubleQuestion(state, trouble))
  return questions
}

function storyQuestion(state: DeliveryState, story: StoryState): Question | null {
  const { control, turn } = story
  const id = story.spec.id
  switch (control.status) {
    case 'gated':
      return asQuestion({
        id: `gate-${id}-${turn}`,
        kind: 'story-gate',
        story: id,
        text: `Merge "${story.spec.title}"?`,
        options: gateOptions,
      })
    case 'contested':
      return contestedQuestion(story, control)
    case 'disputed':
      return disputeQuestion(story, control)
    case 'asking': {
      if (control.permission !== null) return permissionQuestion(id, turn, control.permission)
      const options = control.options.map((label, index) => ({ id: `${index + 1}`, label }))
      return asQuestion({ id: `coder-${id}-${turn}`, kind: 'coder', story: id, text: control.text, options })
    }
    default:
      return stuckQuestion(state, story)
  }
}

const permissionQuestion = (id: string, turn: number, permission: string): Question =>
  asQuestion({
    id: `permission-${id}-${turn}`,
    kind: 'permission',
    story: id,
    text: `May the coder of ${id} do this: ${permission}${alsoOf(permission)}`,
    options: permissionOptions,
    default: 'deny',
  })

const alsoOf = (permission: string): string =>
  kindOf(permission) === permission ? '' : ` (the answer holds in this story for all that is \`${kindOf(permission)}\`)`

function planGate(state: DeliveryState): Question {
  const count = storiesOf(state).filter(({ kind }) => kind === 'story').length
  const isFirst = storiesOf(state).some(({ kind, control }) => kind === 'acceptance' && control.status !== 'skipped')
  const first = isFirst ? ', with acceptance tests before all' : ''
  const text = `Go ahead with this plan of ${count} ${count === 1 ? 'story' : 'stories'}${first}?`
  const evidence = againstPlan(state)
  return asQuestion({
    ...{ id: `plan-${state.plan.revision}`, kind: 'plan-gate', story: null },
    ...{ text, evidence, options: planOptions },
  })
}

/** What the audit found and no draft has mended, and what is too large. */
const againstPlan = ({ plan: { audit, oversize } }: DeliveryState): string =>
  [...oversize, ...(audit?.problems ?? []), ...(audit?.concerns ?? [])].map((text) => `- ${text}`).join('\n')

function landingQuestion(state: DeliveryState, message: string): Question {
  const text = `The result is proven and waits on the line: ${message}`
  return asQuestion({
    id: `landing-${ordinal(state, 'landing')}`,
    kind: 'landing',
    story: null,
    text,
    options: landingOptions,
  })
}

function troubleQuestion(
  state: DeliveryState,
  { message, remedy, environment, base }: Pick<Trouble, 'message' | 'remedy' | 'environment' | 'base'>,
): Question {
  const text = `${message}. ${remedy}`
  const asked = Object.values(state.questions).filter(({ question }) => question.kind === 'trouble')
  const same = asked.find(({ answer, question }) => answer === null && question.text === text)
  const id = same?.question.id ?? `trouble-${asked.length + 1}`
  const options = [
    ...(environment === true ? [repinOption] : []),
    ...(base === true ? [goOnOption] : []),
    ...troubleOptions,
  ]
  return asQuestion({ id, kind: 'trouble', story: null, text, options })
}

const repinOption: Option = { id: 'repin', label: 'take the settings as they are now, and try again' }
const goOnOption: Option = { id: 'go-on', label: 'go on: the work of this delivery brings what is missing' }

/** It may come to the same thing more than once: each time it is a question of its own. */
const ordinal = (state: DeliveryState, kind: Question['kind']): number =>
  1 + Object.values(state.questions).filter((asked) => asked.question.kind === kind && asked.answer !== null).length

const planOptions: Option[] = [
  { id: 'approve', label: 'go ahead' },
  { id: 'reject', label: 'no, and say why' },
]
const gateOptions: Option[] = [
  { id: 'approve', label: 'merge it' },
  { id: 'reject', label: 'send it back, and say why' },
  { id: 'skip', label: 'leave it out' },
]
const permissionOptions: Option[] = [
  { id: 'allow', label: 'let it, from now on' },
  { id: 'deny', label: 'it has to do without' },
]
const landingOptions: Option[] = [
  { id: 'land', label: 'land it now' },
  { id: 'leave', label: 'leave it on the line' },
]
const troubleOptions: Option[] = [
  { id: 'retry', label: 'try again' },
  { id: 'stop', label: 'stop the delivery' },
]
