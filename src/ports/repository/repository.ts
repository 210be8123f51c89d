import type { CommitId } from '../../delivery/ids.ts'
import type { UserRepository } from '../proofs/user-repository.ts'
import type { Ancestry, Commits, Fetches, Searches } from './commits.ts'
import type { Composer } from './composing.ts'
import type { Bundles, Landings, Refs } from './landings.ts'
import type { CleanPlaces, Workspaces } from './workspaces.ts'

/**
 * Our own bare clone of one user repository, and the way to land in the user's, which is else only read. Whoever uses a
 * part of it asks for that part. Throws TransientError for a held lock, TerminalError when the repository is gone,
 * damaged, or the disk is full.
 */
export interface Repository
  extends Commits,
    Ancestry,
    Searches,
    Fetches,
    Workspaces,
    CleanPlaces,
    Composer,
    Refs,
    Bundles,
    Landings {
  /** Facts about the user's checkout, for preflight and for the check that nobody touched it. */
  checkout(): Promise<Checkout>
}

export interface Checkout {
  bare: boolean
  /** Null when HEAD is detached. */
  branch: string | null
  head: CommitId | null
  dirtyFiles: string[]
  branches: string[]
  identity: { name: string; email: string } | null
}

/** Opens (and on first use makes) our clone of a user repository. */
export interface Repositories {
  /** The user's repository that contains this path. TerminalError, with a remedy, when there is none or it has no commit. */
  find(path: string): Promise<{ id: string; path: string }>
  open(repository: { id: string; path: string }): Promise<Repository>
  /** Of the repository that contains this path. */
  look(path: string): Promise<UserRepository>
}
