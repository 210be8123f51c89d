const longestAnswer = 4_000_000
const longestText = 400_000

/** What an agent's answer may be, read as JSON or YAML: its result file, else fenced blocks of its text, the last first. */
export async function* valuesIn(resultFile: string | null, text: string): AsyncGenerator<unknown> {
  for (const candidate of candidates(resultFile, text)) yield await parse(candidate)
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

/** Neither bad JSON nor an alias bomb is an error of ours: it is no answer. */
function attempted(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return null
  }
}
