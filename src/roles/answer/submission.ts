import type { Contract } from './contract.ts'
import { flag, isRecord, list, oneOf, optional, record, type Schema, type Shape, text, whole } from './shape.ts'

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

/** The shape whose schema this is, so that another process finds the same faults. */
function shapeFrom(schema: Schema): Shape<unknown> {
  const { type, properties, required, items, enum: words } = schema
  if (type === 'object' && isRecord(properties)) return recordFrom(properties, required)
  if (type === 'array') return list(shapeFrom(items as Schema), { most: Number(schema.maxItems) })
  if (type === 'boolean') return flag()
  if (type === 'integer') return whole({ from: Number(schema.minimum), to: Number(schema.maximum) })
  if (Array.isArray(words)) return oneOf(words.map(String))
  return text({ least: Number(schema.minLength), most: Number(schema.maxLength) })
}

function recordFrom(properties: Record<string, unknown>, required: unknown): Shape<unknown> {
  const needed = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([key, schema]) => {
    const shape = shapeFrom(schema as Schema)
    return [key, needed.includes(key) ? shape : optional(shape, null)] as const
  })
  return record(Object.fromEntries(fields))
}
