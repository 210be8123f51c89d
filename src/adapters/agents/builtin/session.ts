import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../std/json.ts'
import type { AssistantPart } from './model/api.ts'

/** What has happened in a session, in order. One line of its file each. */
export type SessionEntry =
  | { kind: 'user'; text: string }
  | { kind: 'assistant'; content: AssistantPart[] }
  | { kind: 'tool'; id: string; ok: boolean; output: string }
  /** Long tool outputs before this entry are not sent any more. */
  | { kind: 'shortened'; before: number }

export type SessionFile = NonNullable<ReturnType<typeof openSessionFile>>

/**
 * A line is written when it is true, in one write, so a process that is killed leaves whole lines and at most half
 * of one, which is taken away. Null when it must be there and is not.
 */
export function openSessionFile({ home, session, resume }: { home: string; session: string; resume: boolean }) {
  const folder = join(home, 'sessions')
  const file = join(folder, `${session}.jsonl`)
  if (resume && !existsSync(file)) return null
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const entries = existsSync(file) ? recover(file) : []
  return {
    entries: entries as readonly SessionEntry[],
    add(entry: SessionEntry): void {
      appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
      entries.push(entry)
    },
  }
}

function recover(file: string): SessionEntry[] {
  const bytes = readFileSync(file)
  const entries: SessionEntry[] = []
  let good = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, good)) {
    const entry = entryOn(bytes.toString('utf8', good, end))
    if (entry === null) break
    entries.push(entry)
    good = end + 1
  }
  if (good < bytes.length) truncateSync(file, good)
  return entries
}

function entryOn(line: string): SessionEntry | null {
  const entry = parseJson(line) as SessionEntry | null
  return ['user', 'assistant', 'tool', 'shortened'].includes(entry?.kind ?? '') ? entry : null
}
