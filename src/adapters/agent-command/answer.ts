import { z } from 'zod'
import { questionIn } from '../../proof/agents/question.ts'
import { jsonObjectIn } from '../../std/json-file.ts'

const instant = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))])
const count = z.number().nonnegative()

const keys = {
  usage: z.object({ inputTokens: count.default(0), outputTokens: count.default(0), cachedTokens: count.default(0) }),
  usd: count,
  limit: z.object({
    resetsAt: instant.nullable().default(null),
    kind: z.enum(['rate-limit', 'quota', 'overloaded']).default('rate-limit'),
  }),
  session: z.string().min(1),
}

export type Answer = { question: ReturnType<typeof questionIn> } & {
  [Key in keyof typeof keys]: z.infer<(typeof keys)[Key]> | null
}

/** What the result file says to the driver itself. The role's own answer is in the same file and not our concern. */
export function readAnswer(path: string): Answer {
  const json = jsonObjectIn(path)
  const take = <T>(key: keyof typeof keys, shape: z.ZodType<T>): T | null => shape.safeParse(json[key]).data ?? null
  return {
    question: questionIn(json),
    usage: take('usage', keys.usage),
    usd: take('usd', keys.usd),
    limit: take('limit', keys.limit),
    session: take('session', keys.session),
  }
}
