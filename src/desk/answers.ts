import type { Question } from '../delivery/question.ts'
import { openQuestions } from '../delivery/questions/due.ts'
import { questionRules } from '../delivery/questions/registry.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { TerminalError } from '../ports/errors.ts'
import { type GivenAnswer, parseAnswers } from '../settings/answers-file.ts'
import { nearest } from '../std/nearest.ts'
import type { InboxItem } from '../views/inbox.ts'
import type { GivenFile } from './prepare/preflight.ts'
import { problemsError } from './prepare/settings-layers.ts'

/** All answers of a file, or an error that names everything wrong with them: none of them counts then. */
export function answersIn({ text, place }: GivenFile, items: InboxItem[]): GivenAnswer[] {
  const parsed = parseAnswers(text, place)
  const remedy = 'fix the file and run this again; nothing was recorded'
  if (!parsed.ok) throw problemsError('the answers cannot be used', parsed.problems, remedy)
  const matched = parsed.answers.map((given) => matchedIn(items, given))
  const problems = matched.flatMap((one) => (typeof one === 'string' ? [one] : []))
  if (problems.length > 0) throw new TerminalError(['the answers cannot be used:', ...problems].join('\n  '), remedy)
  return matched.filter((one) => typeof one !== 'string')
}

/** What is to be recorded, or what is wrong with it. The beginning of the delivery's id will do. */
function matchedIn(items: InboxItem[], given: GivenAnswer): GivenAnswer | string {
  const { delivery, question: id } = given
  const [item, ...others] = items.filter((one) => one.delivery.startsWith(delivery) && one.question.id === id)
  if (item === undefined) return `no open question is called ${id} in ${delivery}`
  if (others.length > 0) return `"${delivery}" fits several deliveries with a question ${id}`
  const option = optionIn(item.question, given.option)
  if (option === null)
    return `"${given.option}" is not an answer to ${id} (${optionsText(item.question, given.option)})`
  return { ...given, delivery: item.delivery, option }
}

type Asked = Pick<Question, 'id' | 'kind' | 'options'>

/** The option that was meant: by its id, or by the number that it is shown with. Free text where there are no options. */
export function optionNamed(question: Asked, given: string): string {
  const option = optionIn(question, given)
  if (option !== null) return option
  throw new TerminalError(`"${given}" is not an answer to ${question.id}`, optionsText(question, given))
}

/** Null when there is none. */
function optionIn({ kind, options }: Asked, given: string): string | null {
  if (options.length === 0 || options.some((option) => option.id === given)) return given
  if (/^\d+$/.test(given)) return options[Number(given) - 1]?.id ?? null
  return questionRules[kind].takesWords === true ? given : null
}

function optionsText({ kind, options }: Asked, given: string): string {
  // Options that an agent made up are called by their numbers.
  const list = options.map(({ id, label }, index) => `${index + 1} ${id === `${index + 1}` ? label : id}`).join(', ')
  if (questionRules[kind].takesWords === true) return `one of: ${list}; or say it in words`
  const meant = nearest(
    given,
    options.map(({ id }) => id),
  )
  return meant === null ? `one of: ${list}` : `did you mean ${meant}? One of: ${list}`
}

/** The open question with this option that was meant: by its id, by its story, or because it is the only one. */
export function findQuestion(state: DeliveryState, option: string, name: string | undefined): Question {
  const open = openQuestions(state).filter((one) => one.options.some((each) => each.id === option))
  const fitting = name === undefined ? open : open.filter((one) => one.id === name || one.story === name)
  if (fitting.length === 1) return fitting[0]!
  const list = open.map((one) => one.id).join(', ')
  if (open.length === 0)
    throw new TerminalError(
      `no question is waiting for "${option}"`,
      '`ropewalk status` shows open questions; `ropewalk resume` continues until one is asked',
    )
  throw new TerminalError(
    name === undefined ? `${open.length} questions are waiting for "${option}"` : `no open question is called ${name}`,
    `name one of: ${list}`,
  )
}
