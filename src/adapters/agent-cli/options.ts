import { z } from 'zod'
import { TerminalError } from '../../ports/errors.ts'

const shape = z.object({
  /** Instead of the program on the PATH: another one, or how to start it. */
  command: z.tuple([z.string().min(1)], z.string()).optional(),
  /** After all of ours. */
  args: z.array(z.string()).default([]),
  environment: z.array(z.string().min(1)).default([]),
  home: z.enum(['own', 'user']).default('own'),
  permissions: z.enum(['bypass', 'ask']).default('bypass'),
})

export type CliOptions = z.infer<typeof shape>

/** The driver's part of an agent's settings. */
export function parseOptions(name: string, options: Record<string, unknown>): CliOptions {
  const parsed = shape.safeParse(options)
  if (parsed.success) return parsed.data
  throw new TerminalError(
    `the settings of the agent ${name} are wrong: ${z.prettifyError(parsed.error)}`,
    'Correct them in ropewalk.yaml.',
  )
}
