import type { CommitId } from '../../delivery/ids.ts'
import type { Blobs } from '../../ports/blobs.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Signatures } from '../../ports/proofs/signing.ts'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import type { StepWorld } from '../world.ts'

/** What verifying needs of the world. */
export interface VerifyWorld {
  repository: UserRepository
  signing: Signatures
  /** Null: this machine has no log. */
  log: Pick<EventLog, 'read' | 'verify' | 'deliveries'> | null
  blobs: Blobs
  /** Every text that a settings file has as a value. */
  textsIn: (settings: string) => Promise<string[]>
  /** Where recorded commands are run again on a commit: everything of it is gone afterwards. Its world knows the clone only. */
  rerun: (commit: CommitId, use: (place: RerunPlace) => Promise<Again>) => Promise<Again>
  /** What writes a note that is missing; null: this machine has no log. */
  steps: (() => Promise<StepWorld>) | null
}

export interface RerunPlace {
  world: StepWorld
  clone: Repository
  /** Of every process that is started for it. */
  mark: string
}

export interface Again {
  problems: string[]
  remarks: string[]
}
