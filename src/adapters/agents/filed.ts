// What agents keep in files of their own, and tell nowhere else.
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noUsage, type Usage } from '../../delivery/money/ledger.ts'
import { type Json, objectOn } from './json.ts'
import type { Variables } from './turn.ts'

/** What an agent's files tell of a session, or of one turn in it. */
export interface Filed {
  /** What those calls of its model have used that came to their end. */
  usage: Usage
  /** From where the agent goes on counting, where that may be less: it was killed before it noted that down. */
  counted?: Usage
  model: string | null
  /** What its model's service last refused, or what broke, when nothing came of it since. */
  trouble: { status: number | null; message: string } | null
  /** Whether the model's last word in it is an answer that calls no tool; only where its end may get lost. */
  answered?: boolean
}

/** What its files tell of a turn, where it does not tell it itself. */
export interface FiledTurn extends Filed {
  /** How many calls besides may have been paid for, and nothing tells how dearly. */
  broken: number
  /** How many small calls of its own it has made, of which nothing tells what they have used. */
  hidden: number
  /** What the largest call of the session has used: another one may be as large. */
  context: number
  /** Whether there is no call but those it files; else a turn that is cut off may have had one under way besides. */
  whole: boolean
}

export interface AskedOfFiles {
  env: Variables
  session: string
  /** When the turn began, in milliseconds since 1970. */
  since: number
}

/** Null when its files tell nothing of the session. */
export type ReadFiled = (asked: AskedOfFiles) => Promise<FiledTurn | null>

export const nothingFiled: Filed = { usage: noUsage, model: null, trouble: null }

/** The files somewhere below a folder whose path there fits; none when there is no such folder. */
export async function filesBelow(folder: string, fits: (path: string) => boolean): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true }).catch(() => [])
  const fitting = paths.filter(fits).sort()
  return fitting.map((path) => join(folder, path))
}

/** What the objects on the lines of some files come to, one after the other; null when there is no file. */
export async function foldFiles<Sum>(files: string[], start: Sum, add: (sum: Sum, object: Json) => Sum) {
  let sum = start
  for (const file of files) for await (const line of fileLines(file)) sum = add(sum, objectOn(line) ?? {})
  return files.length === 0 ? null : sum
}

/** Null when it cannot be read. */
export function textIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

const longestLine = 1024 * 1024

/** The lines of a file. Those that are too long are left out, so that they are never held. */
export async function* fileLines(path: string, start = 0): AsyncGenerator<string> {
  let held = ''
  let tooLong = false
  for await (const chunk of createReadStream(path, { encoding: 'utf8', start }) as AsyncIterable<string>) {
    const [first = '', ...rest] = chunk.split('\n')
    held = tooLong ? '' : held + first
    for (const line of rest) {
      if (!tooLong) yield held
      tooLong = false
      held = line
    }
    if (held.length > longestLine) {
      tooLong = true
      held = ''
    }
  }
  if (!tooLong) yield held
}

/** A log may be years long: what a turn has left is in its last part. */
const longestTail = 16 * 1024 * 1024

/** The lines at the end of a file; none when it cannot be read. */
export async function* lastFileLines(path: string): AsyncGenerator<string> {
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size !== undefined) yield* fileLines(path, Math.max(0, size - longestTail))
}
