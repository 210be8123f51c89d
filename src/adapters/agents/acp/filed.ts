import type { Usage } from '../../../delivery/money/ledger.ts'
import type { Variables } from '../turn.ts'

/** What an agent's own files tell of a turn, and what it does not tell over the protocol. */
export interface FiledTurn {
  /** What those calls of its model have used that came to their end. */
  usage: Usage
  /** How many calls besides may have been paid for, and nothing tells how dearly. */
  broken: number
  /** How many small calls of its own it has made, of which nothing tells what they have used. */
  hidden: number
  /** What the largest call of the session has used: another one may be as large. */
  context: number
  /** Whether there is no call but those it files; else a turn that is cut off may have had one under way besides. */
  whole: boolean
  /** What its model's service last refused, or what broke, when nothing came of it since. */
  trouble: { status: number | null; message: string } | null
}

export interface AskedOfFiles {
  env: Variables
  session: string
  /** When the turn began, in milliseconds since 1970. */
  since: number
}

/** Null when its files tell nothing of the session. */
export type ReadFiled = (asked: AskedOfFiles) => Promise<FiledTurn | null>
