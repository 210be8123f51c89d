const longestLength = 4_000

/** Text that comes in pieces, as whole lines. */
export function openLines(onLine: (line: string) => void) {
  let held = ''
  const release = (line: string): void => {
    if (line.trim() !== '') onLine(line)
  }
  return {
    add(piece: string): void {
      const lines = (held + piece).split('\n')
      held = lines.pop() ?? ''
      lines.forEach(release)
      if (held.length > longestLength) this.end()
    },
    end(): void {
      release(held)
      held = ''
    },
  }
}
