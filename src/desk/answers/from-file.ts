import { TerminalError } from '../../ports/errors.ts'
import { type GivenAnswer, parseAnswers } from '../../settings/answers/answers-file.ts'
import type { InboxItem } from '../../views/questions/inbox.ts'
import type { Given } from '../prepare/preflight.ts'
import { problemsError } from '../prepare/settings-layers.ts'
import { optionIn, optionsText } from './option-named.ts'

/** All answers of a file, or an error that names everything wrong with them: none of them counts then. */
export function answersIn({ text, place }: Given, items: InboxItem[]): GivenAnswer[] {
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
