// What the program is told in its one argument, and what it says on standard output.
import * as z from 'zod'
import type { Usage } from '../../../delivery/money/ledger.ts'
import type { AgentError, AgentEvent } from '../../../ports/agent-driver.ts'

/** A model service. */
export const modelService = z.object({
  type: z.enum(['anthropic', 'openai', 'google', 'compatible']),
  /** Null: the vendor's own. */
  url: z.string().nullable().default(null),
  /** The variable that holds the key; null: none is needed. */
  key: z.string().nullable().default(null),
})

export type ModelService = z.infer<typeof modelService>

const turn = z.strictObject({
  service: modelService,
  home: z.string().min(1),
  /** It becomes the name of a file. */
  session: z.string().regex(/^[\w-]{1,100}$/),
  /** The session must be there already. */
  resume: z.boolean(),
  /** Null: none is set. */
  model: z.string().nullable(),
  /** The program that takes answers; null: there is none. */
  submit: z.string().nullable(),
  maxSteps: z.int().positive().default(200),
  /** How often the model may be asked; null: as often as there are steps. */
  maxTurns: z.int().positive().nullable(),
})

export type AskedTurn = z.infer<typeof turn>

const probe = z.strictObject({ probe: modelService })

export type ProgramArgument = z.input<typeof turn> | z.input<typeof probe>

/** Throws an Error with a message for people when the argument is wrong. */
export function readArgument(text: string): AskedTurn | z.infer<typeof probe> {
  const given: object = JSON.parse(text)
  const { data, error } = ('probe' in given ? probe : turn).safeParse(given)
  if (error !== undefined) throw new Error(z.prettifyError(error))
  return data
}

/** The program's whole language: each of these is one line of standard output. */
export type ProgramLine =
  | AgentEvent
  /** The model is at work; a sign of life and nothing more. */
  | { type: 'progress' }
  /** The last one, always. */
  | ({ type: 'result'; text: string; usage: Usage; exact: boolean; model: string | null } & ProgramEnding)

export type ProgramEnding = { ok: true } | { ok: false; error: AgentError }

export type Say = (line: ProgramLine) => void

/** What is shorter is a word that a local server wants to hear, not a secret. */
const shortestSecret = 8

/** Whatever is in a line, the key is not. */
export function lineText(line: ProgramLine, key: string | null): string {
  const isSecret = key !== null && key.length >= shortestSecret
  const hidden = (_: string, value: unknown) =>
    isSecret && typeof value === 'string' ? value.replaceAll(key, '[key]') : value
  return `${JSON.stringify(line, hidden)}\n`
}
