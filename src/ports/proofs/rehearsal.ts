import type { CommitId } from '../../delivery/ids.ts'
import type { CommitKind } from '../../delivery/judging/commit-kind.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { RecentChange, Repository } from '../repository.ts'

/** Tells of a commit what would have been said of it if it had been the work of a story. Runs nothing of it. */
export interface Rehearsal {
  /** As if the commit's subject had been the title of a story that declares nothing. Null: it has no parent here. */
  judge(
    repository: Repository,
    request: { commit: RecentChange; policy: Pick<Policy, 'checks' | 'setup' | 'protect'> },
  ): Promise<Rehearsed | null>
}

export interface Rehearsed {
  commit: CommitId
  subject: string
  kind: CommitKind
  /** All of them, also those that hold nothing back. */
  findings: Finding[]
}
