import { plainText } from '../../std/text/plain-text.ts'
import type { Line } from './line.ts'
import { rendered } from './line.ts'

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
  print(...lines: Line[]): void
  /** Beside the result: warnings and hints, on standard error. */
  warn(...lines: Line[]): void
  /** One JSON document, or one line of a stream of them. */
  emit(value: unknown): void
  /** A text as it is, for a file or a pipe; made harmless for a terminal. */
  document(text: string): void
  /** Already rendered. */
  write(text: string): void
}

export interface Streams {
  stdin: { isTTY?: boolean }
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  env: Record<string, string | undefined>
}

export function openScreen({ stdin, stdout, stderr, env }: Streams, json: boolean): Screen {
  const terminal = stdout.isTTY === true && env.TERM !== 'dumb'
  const colour = terminal && !json && (env.NO_COLOR ?? '') === ''
  const write = (text: string) => void stdout.write(text)
  return {
    json,
    interactive: terminal && stdin.isTTY === true && !json,
    redraws: terminal && !json,
    colour,
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    print: (...lines) => write(lines.map((line) => `${rendered(line, colour)}\n`).join('')),
    warn: (...lines) => void stderr.write(lines.map((line) => `${rendered(line, colour && stderr.isTTY)}\n`).join('')),
    emit: (value) => write(`${jsonText(value)}\n`),
    document: (text) => write(terminal ? plainText(text) : text),
    write,
  }
}

/** JSON in which no character can move a cursor. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(/[\x7f-\x9f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)
