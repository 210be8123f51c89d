/** The last `size` bytes of a stream, in memory that never grows. */
export function openTail(size: number) {
  const ring = Buffer.allocUnsafe(size)
  let total = 0
  return {
    add(chunk: Buffer): void {
      const part = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk
      const at = (total + chunk.length - part.length) % size
      const fits = Math.min(part.length, size - at)
      part.copy(ring, at, 0, fits)
      part.copy(ring, 0, fits)
      total += chunk.length
    },
    text(): string {
      if (total <= size) return ring.toString('utf8', 0, total)
      const at = total % size
      const bytes = Buffer.concat([ring.subarray(at), ring.subarray(0, at)])
      return bytes.toString('utf8', firstWholeCharacter(bytes))
    },
  }
}

/** Past the continuation bytes of a character whose head was cut off. */
function firstWholeCharacter(bytes: Buffer): number {
  let at = 0
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
  return at
}
