import { plainText } from '../../std/text/plain-text.ts'
import { fittedLine, lineWidth, rendered, type ShownLine, wrapped } from './line.ts'

/** Where a verb's words go. */
export interface Screen {
  /** JSON was asked for. */
  json: boolean
  /** A human can be asked here. */
  interactive: boolean
  /** What was drawn can be drawn again. */
  redraws: boolean
  colour: boolean
  size(): { columns: number; rows: number }
  print(...lines: ShownLine[]): void
  /** The answer of a verb: as JSON where that was asked for. */
  show(value: unknown, lines: () => ShownLine[]): void
  /** Beside the result: warnings and hints, on standard error. */
  warn(...lines: ShownLine[]): void
  /** One JSON document, or one line of a stream of them. */
  emit(value: unknown): void
  /** A text as it is, for a file or a pipe; made harmless for a terminal. */
  document(text: string): void
  /** Already rendered. */
  write(text: string): void
}

interface Streams {
  stdin: { isTTY?: boolean }
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: Record<string, string | undefined>
}

export function openScreen({ stdin, stdout, stderr, env }: Streams, json: boolean): Screen {
  const terminal = stdout.isTTY === true && env.TERM !== 'dumb'
  const colour = terminal && !json && (env.NO_COLOR ?? '') === ''
  const write = (text: string) => void stdout.write(text)
  const print = (...lines: ShownLine[]) => write(rowsOn(stdout, lines, colour))
  const emit = (value: unknown) => write(`${jsonText(value)}\n`)
  return {
    json,
    interactive: terminal && stdin.isTTY === true && !json,
    redraws: terminal && !json,
    colour,
    size: () => ({ columns: stdout.columns || unknownColumns, rows: stdout.rows || 24 }),
    print,
    show: (value, lines) => (json ? emit(value) : print(...lines())),
    warn: (...lines) => void stderr.write(rowsOn(stderr, lines, colour && stderr.isTTY)),
    emit,
    document: (text) => write(terminal ? plainText(text) : text),
    write,
  }
}

/** Wrapped for whoever looks at a terminal, and as they are for a file or a pipe. */
export function rowsOn(stream: NodeJS.WriteStream, lines: ShownLine[], colour: boolean): string {
  const columns = stream.columns || unknownColumns
  const rows = stream.isTTY === true ? lines.flatMap((line) => wrapped(line, columns)) : lines
  return rows.map((row) => `${rendered(row, colour)}\n`).join('')
}

/** Of a terminal that does not know its width. */
export const unknownColumns = 80

/** JSON in which no character can move a cursor. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/[\x7f-\x9f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)

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
