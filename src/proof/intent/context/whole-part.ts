/** As much of a text as fits, to the end of a paragraph, of a line where a paragraph is longer, or of a letter. */
export function wholePart(text: string, mostBytes: number): { text: string; leftBytes: number } {
  const bytes = Buffer.byteLength(text)
  if (bytes <= mostBytes) return { text, leftBytes: 0 }
  const fitting = new TextDecoder().decode(Buffer.from(text).subarray(0, mostBytes), { stream: true })
  const ends = [fitting.lastIndexOf('\n\n'), fitting.lastIndexOf('\n'), fitting.length]
  const end = ends.find((one) => one > 0) ?? 0
  const part = fitting.slice(0, end)
  return { text: part, leftBytes: bytes - Buffer.byteLength(part) }
}
