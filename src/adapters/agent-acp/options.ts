import { z } from 'zod'
import { TerminalError } from '../../ports/errors.ts'

const shape = z.object({
  command: z.tuple([z.string().min(1)], z.string()),
  /** After all others. */
  args: z.array(z.string()).default([]),
  environment: z.array(z.string().min(1)).default([]),
  permissions: z.enum(['bypass', 'ask']).default('bypass'),
})

export type AcpOptions = z.infer<typeof shape>

/** The driver's part of an agent's settings. */
export function parseOptions(options: Record<string, unknown>): AcpOptions {
  const parsed = shape.safeParse(options)
  if (parsed.success) return parsed.data
  throw new TerminalError(
    `the ACP agent's settings are wrong: ${z.prettifyError(parsed.error)}`,
    'Give it the program that speaks ACP, such as command: ["goose"] or command: ["./my-agent", "--acp"].',
  )
}
