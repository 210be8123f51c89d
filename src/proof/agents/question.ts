/** What an agent asks with `{"question": {"text": …, "options": […]}}` in its result; null: it asks nothing. */
export function questionIn(result: Record<string, unknown>): { text: string; options: string[] } | null {
  const { text, options = [] } = Object(result.question) as { text?: unknown; options?: unknown }
  if (typeof text !== 'string' || text === '' || !Array.isArray(options)) return null
  return options.every((one) => typeof one === 'string') ? { text, options } : null
}
