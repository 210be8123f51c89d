import { z } from 'zod'
import { TerminalError } from '../../ports/errors.ts'

const shape = z.object({
  command: z.tuple([z.string().min(1)], z.string()),
  /** Folders besides its workspace that it may write to: where it keeps sessions or caches. */
  write: z.array(z.string().startsWith('/')).default([]),
  environment: z.array(z.string().min(1)).default([]),
})

/** The driver's part of an agent's settings. */
export function parseOptions(options: Record<string, unknown>): z.infer<typeof shape> {
  const parsed = shape.safeParse(options)
  if (parsed.success) return parsed.data
  throw new TerminalError(
    `the command agent's settings are wrong: ${z.prettifyError(parsed.error)}`,
    'Give it a program with its arguments, such as command: ["./my-agent", "--flag"].',
  )
}
