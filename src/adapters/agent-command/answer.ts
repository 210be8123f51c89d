import { closeSync, constants, openSync, readSync } from 'node:fs'
import { z } from 'zod'

const longestBytes = 1024 * 1024
const instant = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))])
const count = z.number().nonnegative()

const keys = {
  question: z.object({ text: z.string().min(1), options: z.array(z.string()).default([]) }),
  usage: z.object({ inputTokens: count.default(0), outputTokens: count.default(0), cachedTokens: count.default(0) }),
  usd: count,
  limit: z.object({
    resetsAt: instant.nullable().default(null),
    kind: z.enum(['rate-limit', 'quota', 'overloaded']).default('rate-limit'),
  }),
  session: z.string().min(1),
}

export type Answer = { [Key in keyof typeof keys]: z.infer<(typeof keys)[Key]> | null }

/** What the result file says to the driver itself. The role's own answer is in the same file and not our concern. */
export function readAnswer(path: string): Answer {
  const json = parse(head(path))
  const take = <T>(key: keyof typeof keys, shape: z.ZodType<T>): T | null => shape.safeParse(json[key]).data ?? null
  return {
    question: take('question', keys.question),
    usage: take('usage', keys.usage),
    usd: take('usd', keys.usd),
    limit: take('limit', keys.limit),
    session: take('session', keys.session),
  }
}

/** Empty when there is none, or when it is too long to be read. */
function head(path: string): string {
  try {
    // Not blocking: the agent may have made it a pipe.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const buffer = Buffer.alloc(longestBytes + 1)
      const bytes = readSync(fd, buffer)
      return bytes > longestBytes ? '' : buffer.toString('utf8', 0, bytes)
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
