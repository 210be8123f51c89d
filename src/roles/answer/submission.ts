import type { Contract } from './contract.ts'
import { shapeFrom } from './shape/from-schema.ts'
import type { Schema } from './shape/shape.ts'

/** What a process that takes answers must know of a contract. */
export interface Submission {
  name: string
  rivals: 'last' | 'none'
  /** What is said about the tool to whoever may call it. */
  tool: { name: string; description: string; inputSchema: Schema }
}

const toolName = 'submit_answer'

/** Beside the result file, for the program that takes answers. */
export const submissionFile = (resultFile: string): string => `${resultFile}.contract`

export const submissionOf = ({ name, rivals, shape }: Contract<unknown>): Submission => ({
  name,
  rivals,
  tool: {
    name: toolName,
    description: `Gives your ${name}, at the end of your work, instead of writing it to the file named by ROPEWALK_RESULT. You are told at once when it does not do.`,
    inputSchema: shape.schema,
  },
})

/** What is wrong with an answer by its shape; what its fields say against each other is seen later. */
export function problemsIn({ tool }: Submission, answer: unknown): string[] {
  const problems: string[] = []
  shapeFrom(tool.inputSchema).read(answer, '', problems)
  return problems.slice(0, 20)
}
