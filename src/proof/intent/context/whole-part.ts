/** As much of a text as fits, to the end of a paragraph, or of a line where a paragraph is longer. */
export function wholePart(text: string, mostBytes: number): { text: string; leftBytes: number } {
  const bytes = Buffer.byteLength(text)
  if (bytes <= mostBytes) return { text, leftBytes: 0 }
  const fitting = Buffer.from(text).subarray(0, mostBytes).toString('utf8')
  const end = Math.max(fitting.lastIndexOf('\n\n'), 0) || Math.max(fitting.lastIndexOf('\n'), 0)
  const part = fitting.slice(0, end)
  return { text: part, leftBytes: bytes - Buffer.byteLength(part) }
}
