import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import type { Demands, Verification } from '../../ports/proofs/verifier.ts'
import type { Visit } from '../world.ts'

interface VerifyAsked {
  /** A commit, or a range of them. */
  revision: string
  signed: boolean
  /** A file of those whose signatures count, instead of git's own. */
  signers: string | undefined
  rerun: boolean
  signal: AbortSignal
  onVerified(one: Verification): void
}

/** Whether the commits of a revision or a range carry proofs that hold, and whether the repository has any at all. */
export async function verifyCommits(visit: Visit, asked: VerifyAsked) {
  const { signal } = asked
  const { repository, verifier } = await visit.world.verification(visit.folder)
  const commits = await commitsOf(repository, asked.revision)
  const demands = { ...demandsOf(visit, repository, asked), signal }
  const verified: Verification[] = []
  for (const commit of commits) {
    const [one] = await Promise.allSettled([verifier.verify(commit, demands)])
    if (signal.aborted) break
    if (one.status === 'rejected') throw one.reason
    verified.push(one.value)
    asked.onVerified(one.value)
  }
  return { commits: verified, hasNotes: repository.hasNotes, interrupted: signal.aborted }
}

async function commitsOf(repository: UserRepository, revision: string): Promise<string[]> {
  const commits = await repository.commits(revision)
  if (commits === null)
    throw unknownRevision(repository, revision, 'name a commit (HEAD, a branch, an id) or a range (main~5..main)')
  if (commits.length > 0) return commits
  throw new TerminalError(`there is no commit in ${revision}`, 'the later end of a range comes second: older..newer')
}

/** One commit by a name of it. */
export async function commitOf(user: UserRepository, revision: string, remedy: string): Promise<string> {
  const isOne = revision.trim() !== '' && !revision.startsWith('-') && !revision.includes('..')
  const [commit] = (isOne ? await user.commits(revision) : null) ?? []
  if (commit === undefined) throw unknownRevision(user, revision, remedy)
  return commit
}

/** A revision that git does not know, perhaps because it has been left out of the clone. */
const unknownRevision = ({ shallow }: UserRepository, revision: string, remedy: string): TerminalError =>
  new TerminalError(`this repository knows no "${revision}"`, shallow ? shallowRemedy : remedy)

export const shallowRemedy = 'this clone is shallow: `git fetch --unshallow` brings the rest of its history'

function demandsOf(visit: Visit, repository: UserRepository, asked: VerifyAsked): Omit<Demands, 'signal'> {
  const { signed, signers, rerun } = asked
  const signersFile = signers === undefined ? repository.signersFile : resolve(visit.folder, signers)
  if (signers !== undefined && !existsSync(signersFile!))
    throw new TerminalError(`there is no file ${signersFile}`, 'see "ALLOWED SIGNERS" in `man ssh-keygen` for its form')
  if (signed && signersFile === null)
    throw new TerminalError(
      'nobody has said whose signatures count',
      'name a file of allowed signers with --signers, or set gpg.ssh.allowedSignersFile in git',
    )
  return { signersFile, signed, strict: signers !== undefined, rerun }
}
