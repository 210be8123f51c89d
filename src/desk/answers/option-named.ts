import type { Question } from '../../delivery/questions/question.ts'
import { questionRules } from '../../delivery/questions/registry.ts'
import { TerminalError } from '../../ports/errors.ts'
import { nearest } from '../../std/nearest.ts'

type Asked = Pick<Question, 'id' | 'kind' | 'options'>

/** The option that was meant: by its id, or by the number that it is shown with. Free text where there are no options. */
export function optionNamed(question: Asked, given: string): string {
  const option = optionIn(question, given)
  if (option !== null) return option
  throw new TerminalError(`"${given}" is not an answer to ${question.id}`, optionsText(question, given))
}

/** Null when there is none. */
export function optionIn({ kind, options }: Asked, given: string): string | null {
  if (options.length === 0 || options.some((option) => option.id === given)) return given
  if (/^\d+$/.test(given)) return options[Number(given) - 1]?.id ?? null
  return questionRules[kind].takesWords === true ? given : null
}

export function optionsText({ kind, options }: Asked, given: string): string {
  // Options that an agent made up are called by their numbers.
  const list = options.map(({ id, label }, index) => `${index + 1} ${id === `${index + 1}` ? label : id}`).join(', ')
  if (questionRules[kind].takesWords === true) return `one of: ${list}; or say it in words`
  const meant = nearest(
    given,
    options.map(({ id }) => id),
  )
  return meant === null ? `one of: ${list}` : `did you mean ${meant}? One of: ${list}`
}
