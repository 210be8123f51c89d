/** As data: the fence is longer than any in the text, so nothing in it can close it. */
export function fencedOutput(text: string, label: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${label}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}`
}

export interface KeptEnds {
  add(bytes: Buffer): void
  text(): string
}

/** Keeps the beginning and the end of an output of any length, in memory of a fixed size. */
export function keepEnds(maxBytes: number): KeptEnds {
  const half = Math.floor(maxBytes / 2)
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let left = 0
  return {
    add(bytes) {
      const room = half - head.length
      if (room > 0) head = Buffer.concat([head, bytes.subarray(0, room)])
      const rest = Buffer.concat([tail, bytes.subarray(Math.max(0, room))])
      left += Math.max(0, rest.length - half)
      tail = Buffer.from(rest.subarray(Math.max(0, rest.length - half)))
    },
    text: () =>
      left === 0
        ? Buffer.concat([head, tail]).toString('utf8')
        : `${head.toString('utf8')}\n[… ${left} bytes left out …]\n${tail.toString('utf8')}`,
  }
}

/** The same for a text that is there already. */
export function cutMiddle(text: string, maxBytes: number): string {
  const kept = keepEnds(maxBytes)
  kept.add(Buffer.from(text))
  return kept.text()
}
