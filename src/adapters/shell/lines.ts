export const longestLineBytes = 1024 * 1024

/** Cuts a stream of chunks into lines. Of a line that is too long the head is kept, and the line says so. */
export function openLines(onLine: (line: string) => void) {
  let held = Buffer.alloc(0)
  let heldBytes = 0
  let lineBytes = 0

  function hold(part: Buffer): void {
    const kept = Math.min(part.length, longestLineBytes - heldBytes)
    if (heldBytes + kept > held.length) {
      const larger = Buffer.allocUnsafe(Math.min(longestLineBytes, 2 * (heldBytes + kept)))
      held.copy(larger, 0, 0, heldBytes)
      held = larger
    }
    part.copy(held, heldBytes, 0, kept)
    heldBytes += kept
    lineBytes += part.length
  }

  function release(): void {
    const text = held.toString('utf8', 0, heldBytes)
    const cut = lineBytes > heldBytes
    held = Buffer.alloc(0)
    onLine(cut ? `${text}… [line cut: ${lineBytes} bytes]` : text)
    heldBytes = 0
    lineBytes = 0
  }

  return {
    add(chunk: Buffer): void {
      let from = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        if (lineBytes === 0 && at - from <= longestLineBytes) onLine(chunk.toString('utf8', from, at))
        else {
          hold(chunk.subarray(from, at))
          release()
        }
        from = at + 1
      }
      if (from < chunk.length) hold(chunk.subarray(from))
    },
    /** The last line may lack its newline. */
    end(): void {
      if (lineBytes > 0) release()
    },
  }
}
