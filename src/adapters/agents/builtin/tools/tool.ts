import { z } from 'zod'
import type { FunctionTool } from '../model/api.ts'
import { cutMiddle } from './output.ts'
import { ToolError, type ToolPlace } from './place.ts'

export interface ModelTool {
  name: string
  declared: FunctionTool
  run(input: unknown, place: ToolPlace): Promise<ToolOutput>
}

export interface ToolOutput {
  ok: boolean
  text: string
}

interface Definition<Shape extends z.ZodObject> {
  name: string
  description: string
  input: Shape
  /** Throws a ToolError, or what the machine throws, when it cannot be done. */
  run(input: z.infer<Shape>, place: ToolPlace): Promise<ToolOutput | string> | ToolOutput | string
}

/** A tool takes anything and throws nothing: the model reads what was wrong. */
export function tool<Shape extends z.ZodObject>(definition: Definition<Shape>): ModelTool {
  const { name, description, input } = definition
  const inputSchema = z.toJSONSchema(input, { io: 'input' }) as FunctionTool['inputSchema']
  return {
    name,
    declared: { type: 'function', name, description, inputSchema },
    async run(given, place) {
      const { data, error } = input.safeParse(withoutNulls(given))
      if (error) return { ok: false, text: `The arguments are wrong. ${z.prettifyError(error)}` }
      try {
        const result = await definition.run(data as z.infer<Shape>, place)
        return typeof result === 'string' ? { ok: true, text: result } : result
      } catch (thrown) {
        if (!(thrown instanceof ToolError || (thrown as NodeJS.ErrnoException).code)) throw thrown
        return { ok: false, text: cutMiddle((thrown as Error).message, place.maxOutputBytes) }
      }
    },
  }
}

/** Some models say null for what they leave out. */
function withoutNulls(given: unknown): unknown {
  if (given === null || typeof given !== 'object') return given
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
}
