/** The indented YAML block after a test point, read field by field; deeper structure is not needed. */
export function readDiagnostic(lines: string[], from: number): { fields: Map<string, string>; end: number } {
  const fields = new Map<string, string>()
  const opening = /^(\s+)---\s*$/.exec(lines[from] ?? '')
  if (!opening) return { fields, end: from }
  const indent = opening[1]!
  let at = from + 1
  let block: string | null = null
  for (; at < lines.length; at++) {
    const line = lines[at]!
    if (line.trimEnd() === `${indent}...`) return { fields, end: at + 1 }
    if (line.trim() !== '' && !line.startsWith(indent)) break
    const field = /^(\w+):\s?(.*)$/.exec(line.slice(indent.length))
    if (field) {
      block = /^[|>][-+]?\s*$/.test(field[2]!) ? field[1]! : null
      fields.set(field[1]!, block === null ? unquoted(field[2]!) : '')
    } else if (block !== null) append(fields, block, line.slice(indent.length + 2))
  }
  return { fields, end: at }
}

const longestField = 16_000

function append(fields: Map<string, string>, key: string, line: string): void {
  const text = fields.get(key) ?? ''
  if (text.length < longestField) fields.set(key, text === '' ? line : `${text}\n${line}`)
}

function unquoted(text: string): string {
  const quoted = /^(['"])(.*)\1$/.exec(text.trim())
  return quoted ? quoted[2]! : text.trim()
}
