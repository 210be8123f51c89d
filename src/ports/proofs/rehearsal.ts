import type { CommitId } from '../../delivery/ids.ts'
import type { CommitKind, Finding } from '../../delivery/judging/finding.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { RecentChange } from '../repository/commits.ts'
import type { Repository } from '../repository/repository.ts'

/** Tells of a commit what would have been said of it if it had been the work of a story that declares nothing. */
export interface Rehearsal {
  /** By what only reads it. Null: it has no parent here. */
  judge(
    repository: Repository,
    request: { commit: RecentChange; policy: Pick<Policy, 'checks' | 'setup' | 'protect'> },
  ): Promise<Rehearsed | null>
  /**
   * By what runs it and its parent, confined like any check; nothing of it stays. Throws what the world does to it as a
   * whole, and when the signal aborts; what one judge cannot tell is part of the answer.
   */
  run(repository: Repository, request: RunRehearsal): Promise<RehearsedRun>
}

export interface RunRehearsal {
  commit: RecentChange
  /** The user's repository. */
  known: { id: string; path: string }
  policy: Policy
  signal: AbortSignal
  onJudge(judge: string): void
}

export interface Rehearsed {
  commit: CommitId
  subject: string
  kind: CommitKind
  /** All of them, also those that hold nothing back. */
  findings: Finding[]
}

export interface RehearsedRun {
  commit: CommitId
  subject: string
  /** Why nobody can say what would have become of it, such as a parent that is red already; null: it was judged. */
  unjudged: string | null
  /** The judges that spoke, in order. */
  words: JudgeWord[]
  durationMs: number
}

export interface JudgeWord {
  judge: string
  /** Those that send the work back, or lead to a question. */
  findings: Finding[]
  durationMs: number
}

/** One file of a repository, and whom it serves: those who use the product, its tests, or the tools. */
export interface SortedFile {
  path: string
  /** `both`: what the product needs, and how it is tested; taken apart. */
  kind: 'product' | 'tests' | 'settings' | 'both'
  because: string
}
