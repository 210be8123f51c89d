import type { Cli } from '../cli.ts'
import { interruptible, leaveAtOnce } from '../deliver/interrupt.ts'
import { exitCodes } from '../exit-code.ts'
import { summaryOf, verificationLines, verifiedLines } from './verification-lines.ts'

export interface VerifyOptions {
  signed?: boolean
  signers?: string
  rerun?: boolean
}

/** Whether the commits of a revision or a range carry proofs that hold. */
export async function verify({ desk, screen }: Cli, [revision]: string[], options: VerifyOptions): Promise<number> {
  const { signed, signers, rerun } = options
  const asked = { revision: revision!, signed: signed === true, signers, rerun: rerun === true }
  const { commits, hasNotes, interrupted } = await interruptible(
    (signal) =>
      desk.verify({
        ...{ ...asked, signal },
        onVerified: (one) => void (screen.json || screen.print(...verificationLines(one))),
      }),
    leaveAtOnce,
  )
  if (interrupted) return exitCodes.operator
  const summary = summaryOf(commits)
  screen.show({ revision, summary, commits }, () =>
    verifiedLines(summary, { notes: hasNotes, many: commits.length > 1 }),
  )
  if (summary.broken > 0) return exitCodes.error
  return summary.none + summary.unknown > 0 ? exitCodes.human : exitCodes.done
}
