import type { Question } from '../../../delivery/questions/question.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import { answerCommand } from '../../../views/what-to-do.ts'
import type { Line } from '../line.ts'
import { dim, yellow } from '../line.ts'
import { dateText } from '../time.ts'

/** Open questions, each with how to answer it. */
export function questionLines(questions: Question[]): Line[] {
  return questions.flatMap((question) => [
    [yellow('? '), oneLine(question.text, 1000)],
    ...question.options.map((option): Line => dim(`    ${option.id}: ${oneLine(option.label, 200)}`)),
    ...(question.deadlineAt === null
      ? []
      : [dim(`    without an answer until ${dateText(question.deadlineAt)}: ${question.default}`)]),
    `    ${answerCommand(question)}`,
  ])
}
