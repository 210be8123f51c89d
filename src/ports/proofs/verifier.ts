import type { CommitId } from '../../delivery/ids.ts'

/** Says of merged commits whether their proof holds. Reads the user's repository and, where it is, the log. */
export interface Verifier {
  verify(commit: CommitId, demands: Demands): Promise<Verification>
}

export interface Demands {
  /** Whose signatures count; null: any key's, as of somebody unknown. */
  signersFile: string | null
  /** A signature by one of those must be there. */
  signed: boolean
  /** A key that is not among those of `signersFile` is a problem, and not only a remark. */
  strict: boolean
  /** The recorded commands are run again. */
  rerun: boolean
  signal: AbortSignal
}

export interface Verification {
  commit: CommitId
  subject: string
  /**
   * `part`: it is an earlier commit of a story whose last one is proven. `none`: it carries no proof. `unknown`: what
   * it was proven with is not here.
   */
  status: 'proven' | 'part' | 'none' | 'unknown' | 'broken'
  /** What does not fit, or why there is no proof. */
  problems: string[]
  /** What a reader should know, although it fits. */
  remarks: string[]
  proof: VerifiedProof | null
}

export interface VerifiedProof {
  delivery: string
  story: string
  /** The commit that the checks ran on, when it is another one. */
  provenBy: CommitId | null
  /** The commit that carries the proof: this one, or of a part the story's last. */
  whole: CommitId
  /** The story's commits before that one. */
  parts: CommitId[]
  checks: {
    name: string
    command: string
    counts: { total: number; passed: number } | null
    byExitCode: boolean
    durationMs: number
  }[]
  reviewers: string[]
  /** Null: it is not signed. */
  signer: string | null
  /** `agrees`: the log of this machine says the same. `absent`: it does not know the delivery. */
  log: 'agrees' | 'absent'
}
