import type { RecordShape } from './shape.ts'

/** What a role must return. */
export interface Contract<Value> {
  /** `plan`, `verdict`. */
  name: string
  /** Higher whenever an answer that did would no longer do, or means something else. */
  version: number
  shape: RecordShape<Value>
  /** Keys by which an object is taken for an answer, besides those that it must have. */
  signs?: string[]
  /** As an agent would write it. An answer that only repeats it is none, so it tells of things that do not exist. */
  example: Record<string, unknown>
  /** A list without an object around it, whose elements have this key, is taken for this field. */
  bareList: { field: string; key: string } | null
  /** When another answer says otherwise: the last one holds, or none does. */
  rivals: 'last' | 'none'
  /** When the answer was cut off: the elements that are whole do, or nothing does. */
  cut: 'whole-elements' | 'nothing'
  /** What its fields say against each other. */
  contradictions(value: Value): string[]
  /** What should be in it and is not: asked for once, and done without where it does not come. */
  lacks?(value: Value): string[]
}

/** What a contract says where nobody says otherwise; and what its answers are is told by its shape. */
export const contractOf = <Value>(
  given: Pick<Contract<Value>, 'name' | 'version' | 'shape' | 'example'> & Partial<Contract<Value>>,
): Contract<Value> => ({ bareList: null, rivals: 'none', cut: 'nothing', contradictions: () => [], ...given })

/** What is read by a contract, or by one that is made for each question. */
export type AnswerTo<Given> =
  Given extends Contract<infer Value>
    ? Value
    : Given extends (...given: never[]) => Contract<infer Value>
      ? Value
      : never

/** Full: nothing to say about it. Partial: usable, and the problems say with what loss. Fallback: nothing usable. */
export type RoleAnswer<Value> =
  | { quality: 'full'; value: Value; problems: [] }
  | { quality: 'partial'; value: Value; problems: string[] }
  | { quality: 'fallback'; value: null; problems: string[] }

/** What a value is worth by the contract alone. */
export function fitting<Value>(contract: Contract<Value>, value: unknown): { value: Value | null; problems: string[] } {
  const problems: string[] = []
  const read = contract.shape.read(value, '', problems)
  if (problems.length === 0) problems.push(...contract.contradictions(read))
  return { value: problems.length === 0 ? read : null, problems: problems.slice(0, mostProblems) }
}

const mostProblems = 20
