import { z } from 'zod'

const shape = z.object({ text: z.string().min(1), options: z.array(z.string()).default([]) })

/** What an agent asks with `{"question": {"text": …, "options": […]}}` in its result; null: it asks nothing. */
export function questionIn(result: Record<string, unknown>): z.infer<typeof shape> | null {
  return shape.safeParse(result.question).data ?? null
}
