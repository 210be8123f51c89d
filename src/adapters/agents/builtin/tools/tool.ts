import * as z from 'zod'
import type { FunctionTool } from '../model/api.ts'

/** Where tools work, and what bounds them. */
export interface ToolPlace {
  workspace: string
  /** The one file outside of the workspace that may be written. */
  resultFile: string | null
  /** For commands; the key is not in it. */
  env: Record<string, string | undefined>
  maxOutputBytes: number
  signal: AbortSignal
}

/** For the model to read: what it asked for cannot be done. */
export class ToolError extends Error {}

export interface ModelTool {
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

/** As data: the fence is longer than any in the text, so nothing in it can close it. */
export function fencedOutput(text: string, label: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${label}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}`
}

export interface KeptEnds {
  add(bytes: Buffer): void
  text(): string
}

/** Keeps the beginning and the end of an output of any length, in memory of a fixed size. */
export function keepEnds(maxBytes: number): KeptEnds {
  const half = Math.floor(maxBytes / 2)
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let left = 0
  return {
    add(bytes) {
      const room = half - head.length
      if (room > 0) head = Buffer.concat([head, bytes.subarray(0, room)])
      const rest = Buffer.concat([tail, bytes.subarray(Math.max(0, room))])
      left += Math.max(0, rest.length - half)
      tail = Buffer.from(rest.subarray(Math.max(0, rest.length - half)))
    },
    text: () =>
      left === 0
        ? Buffer.concat([head, tail]).toString('utf8')
        : `${head.toString('utf8')}\n[… ${left} bytes left out …]\n${tail.toString('utf8')}`,
  }
}

/** The same for a text that is there already. */
export function cutMiddle(text: string, maxBytes: number): string {
  const kept = keepEnds(maxBytes)
  kept.add(Buffer.from(text))
  return kept.text()
}
