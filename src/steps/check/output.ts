import { isTelling } from '../../proof/results/telling.ts'

const headLength = 1_000_000
const tailLength = 4_000_000
const toldLength = 2_000_000

/** Keeps the beginning and the end of a long output, and of what is between them the lines that tell of tests. */
export function openOutput() {
  let head = ''
  let told = ''
  let kept: string[] = []
  let keptLength = 0
  let dropped = false
  return {
    add(line: string): void {
      if (!dropped && keptLength === 0 && head.length < headLength) {
        head += `${line}\n`
        return
      }
      kept.push(line)
      keptLength += line.length + 1
      // Halved only when twice too long, so that a line costs the same however many there are.
      if (keptLength > 2 * tailLength) shorten()
    },
    text: (): string => head + told + kept.map((line) => `${line}\n`).join(''),
    truncated: (): boolean => dropped,
  }

  function shorten(): void {
    let from = 0
    while (keptLength > tailLength) {
      const line = kept[from++]!
      keptLength -= line.length + 1
      if (told.length < toldLength && isTelling(line)) told += `${line}\n`
    }
    kept = kept.slice(from)
    dropped = true
  }
}
