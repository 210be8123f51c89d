import { type ReadPlan, readPlan } from './contract.ts'

const longestAnswer = 4_000_000
const longestText = 400_000

/** The plan in what a planner has written: its result file, else the last thing in its text that reads like one. */
export async function planIn(resultFile: string | null, text: string): Promise<ReadPlan> {
  let best: ReadPlan = { ok: false, problems: ['there is no plan in the answer'] }
  for (const candidate of candidates(resultFile, text)) {
    const value = await parse(candidate)
    if (!mentionsStories(value)) continue
    const read = readPlan(value)
    if (read.ok) return read
    if (best.problems[0] === 'there is no plan in the answer') best = read
  }
  return best
}

function candidates(resultFile: string | null, text: string): string[] {
  const written = resultFile === null ? [] : [resultFile, ...fences(resultFile)]
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  return [...written, ...fences(text), braces]
    .filter((candidate) => candidate.trim() !== '' && candidate.length <= longestAnswer)
    .slice(0, 20)
}

/** Contents of fenced blocks, the last one first. */
function fences(text: string): string[] {
  const found = [...text.slice(-longestText).matchAll(/^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm)]
  return found.map((match) => match[2]!).reverse()
}

/** JSON, or YAML, which forgives the commas and quotes that models get wrong. Null when it is neither. */
async function parse(text: string): Promise<unknown> {
  const json = attempted(() => JSON.parse(text))
  if (json !== null) return json
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text)
  return document.errors.length > 0 ? null : attempted(() => document.toJS({ maxAliasCount: 0 }))
}

/** Neither bad JSON nor an alias bomb is an error of ours: it is no plan. */
function attempted(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return null
  }
}

function mentionsStories(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return Array.isArray(value) ? value.some((one) => one?.id !== undefined) : 'stories' in value
}
