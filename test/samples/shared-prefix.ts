/** How many bytes all of these texts have in common from their beginning on. */
export function sharedPrefixBytes(texts: readonly string[]): number {
  const [first = Buffer.alloc(0), ...others] = texts.map((text) => Buffer.from(text))
  const end = first.findIndex((byte, at) => others.some((other) => other[at] !== byte))
  return end === -1 ? first.length : end
}
