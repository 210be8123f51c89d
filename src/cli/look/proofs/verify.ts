import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { TerminalError } from '../../../ports/errors.ts'
import type { UserRepository } from '../../../ports/proofs/user-repository.ts'
import type { Demands, Verification } from '../../../ports/proofs/verifier.ts'
import { onInterrupt } from '../../deliver/interrupt.ts'
import { exitCodes } from '../../exit-code.ts'
import { summaryOf, verificationLines, verifiedLines } from '../../show/lines/verification-lines.ts'
import type { Cli } from '../../world.ts'

export interface VerifyOptions {
  signed?: boolean
  signers?: string
  rerun?: boolean
}

/** Whether the commits of a revision or a range carry proofs that hold. */
export async function verify(cli: Cli, revision: string, options: VerifyOptions): Promise<number> {
  const { repository, verifier } = await cli.world.verification(cli.cwd)
  const commits = await commitsOf(repository, revision)
  const interrupt = onInterrupt({ first: () => {}, again: () => process.exit(exitCodes.operator) })
  const demands = { ...demandsOf(cli, repository, options), signal: interrupt.signal }
  const verified: Verification[] = []
  try {
    for (const commit of commits) {
      const [one] = await Promise.allSettled([verifier.verify(commit, demands)])
      if (interrupt.signal.aborted) return exitCodes.operator
      if (one.status === 'rejected') throw one.reason
      verified.push(one.value)
      if (!cli.screen.json) cli.screen.print(...verificationLines(one.value))
    }
  } finally {
    interrupt.close()
  }
  const summary = summaryOf(verified)
  if (cli.screen.json) cli.screen.emit({ revision, summary, commits: verified })
  else cli.screen.print(...verifiedLines(summary, { notes: repository.hasNotes, many: commits.length > 1 }))
  if (summary.broken > 0) return exitCodes.error
  return summary.none + summary.unknown > 0 ? exitCodes.human : exitCodes.done
}

async function commitsOf(repository: UserRepository, revision: string): Promise<string[]> {
  const commits = await repository.commits(revision)
  if (commits === null)
    throw new TerminalError(
      `this repository knows no "${revision}"`,
      repository.shallow
        ? 'this clone is shallow: `git fetch --unshallow` brings the rest of its history'
        : 'name a commit (HEAD, a branch, an id) or a range (main~5..main)',
    )
  if (commits.length > 0) return commits
  throw new TerminalError(`there is no commit in ${revision}`, 'the later end of a range comes second: older..newer')
}

function demandsOf(cli: Cli, repository: UserRepository, options: VerifyOptions): Omit<Demands, 'signal'> {
  const signersFile = options.signers === undefined ? repository.signersFile : resolve(cli.cwd, options.signers)
  if (options.signers !== undefined && !existsSync(signersFile!))
    throw new TerminalError(`there is no file ${signersFile}`, 'see "ALLOWED SIGNERS" in `man ssh-keygen` for its form')
  const signed = options.signed === true
  if (signed && signersFile === null)
    throw new TerminalError(
      'nobody has said whose signatures count',
      'name a file of allowed signers with --signers, or set gpg.ssh.allowedSignersFile in git',
    )
  return { signersFile, signed, strict: options.signers !== undefined, rerun: options.rerun === true }
}
