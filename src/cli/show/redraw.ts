import type { ShownLine } from './line.ts'
import { fittedLine, lineWidth, rendered } from './line.ts'
import type { Screen } from './screen.ts'

export interface Redraw {
  /** In the place of what was drawn before. */
  draw(lines: ShownLine[]): void
  /** What is drawn stays; the next drawing begins below it. */
  leave(): void
}

/** Draws over its own last drawing; no alternate screen, so the last state stays when we are gone. */
export function openRedraw(screen: Screen): Redraw {
  let widths: number[] = []
  return {
    draw(lines) {
      const { columns, rows } = screen.size()
      const fitting = lines.slice(0, Math.max(1, rows - 1)).map((line) => fittedLine(line, columns - 1))
      // After a resize the terminal has broken our former lines anew: count the rows that they take now.
      const height = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
      const up = height === 0 ? '' : `\x1b[${Math.min(height, rows - 1)}A\r`
      screen.write(`${up}${fitting.map((line) => `${rendered(line, screen.colour)}\x1b[K\n`).join('')}\x1b[J`)
      widths = fitting.map(lineWidth)
    },
    leave() {
      widths = []
    },
  }
}
