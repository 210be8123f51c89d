/**
 * What set-up made, kept for further places in which it would make the same. Nobody but us writes there, and a place
 * gets a copy (a clone, where the file system can), never a link. Throws TerminalError when the disk is full.
 */
export interface Pool {
  /** What set-up makes in this place depends on this and nothing else; null: nobody can tell, so each place has its own. */
  keyOf(place: string, setup: { run: string; reads: string[]; environment: string }): Promise<string | null>
  /** Puts what was made for the key into the place. `own`: it cannot be moved, or the place has something of its own there; `none`: nobody has made it, or not all of it is left. */
  take(request: Take): Promise<'taken' | 'own' | 'none'>
  /**
   * Takes it, or else makes it in the place and keeps a copy, if it was made well. Of several that need the same, in
   * whatever process, one makes it and the others wait, though not for ever. Null: it was taken.
   */
  fill<Made extends { ok: boolean }>(request: Take & Making<Made>): Promise<Made | null>
  /** Files that a package tool has linked into the place from a store of its own get a life of their own. */
  separate(place: string): Promise<void>
  entries(): Promise<PoolEntry[]>
  /** Gone for whoever looks from now on; who is copying from it finds out and goes without. */
  remove(name: string): Promise<void>
  /** Ends what is being made ahead. */
  close(): Promise<void>
}

export interface Take {
  key: string
  place: string
  /** What is in the place is looked for where it lies; else only at the path where all who share it see theirs. */
  lived: boolean
  mark: string
  /** Whether to make a further copy while nobody waits: it costs room, and saves the next one the time. */
  ahead: boolean
  /** Asks for the room that it takes, before anything is copied; what it throws is passed on. */
  enlarge: (bytes: number) => Promise<void>
}

export interface Making<Made> {
  signal: AbortSignal
  make: () => Promise<Made>
  /** Where whoever makes it sees the place; null: where it lies. */
  seenAt: string | null
  /** So long may another take to make it; then the place makes it for itself. */
  longestMs: number
  /** Keeps the copy, which is so large, while there is room for it. */
  keeping: <T>(bytes: number, keep: () => Promise<T>) => Promise<T | null>
}

export interface PoolEntry {
  /** Its key, or the name of what a kill has left. */
  name: string
  path: string
  bytes: number
  usedAt: number
  /** Somebody is making it at this moment. */
  filling: boolean
  /** Why each place makes it for itself; null: it is shared. */
  own: string | null
}
