import type { Verification } from '../../ports/proofs/verifier.ts'
import { durationText } from '../../std/duration.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { counted, shortId } from '../../views/step-text.ts'
import { interruptible, leaveAtOnce } from '../deliver/interrupt.ts'
import { exitCodes } from '../exit-code.ts'
import { bold, dim, green, red, type ShownLine, type TextSpan, yellow } from '../show/line.ts'
import { verb } from '../verb.ts'

const words = {
  says: 'check that commits carry a valid proof: exit code 0 proven, 2 without a proof, 1 broken',
  takes: { '<commit | range>': 'such as HEAD or main~5..main' },
  options: {
    '--signed': 'require a signature by somebody you know',
    '--signers <file>': "whose signatures count (default: git's gpg.ssh.allowedSignersFile)",
    '--rerun': 'run the recorded commands again, in a clean checkout',
  },
}

/** Whether the commits of a revision or a range carry proofs that hold. */
export const verifyVerb = verb(words, async ({ desk, screen }, [revision], { signed, signers, rerun }) => {
  const asked = { revision: revision!, signed, signers, rerun }
  const onVerified = (one: Verification) => void (screen.json || screen.print(...verificationLines(one)))
  const verifying = await interruptible(screen, (signal) => desk.verify({ ...asked, signal, onVerified }), leaveAtOnce)
  const { commits, hasNotes, interrupted } = verifying
  if (interrupted) return exitCodes.operator
  const summary = summaryOf(commits)
  screen.show({ revision, summary, commits }, () =>
    verifiedLines(summary, { notes: hasNotes, many: commits.length > 1 }),
  )
  if (summary.broken > 0) return exitCodes.error
  return summary.none + summary.unknown > 0 ? exitCodes.human : exitCodes.done
})

type VerifySummary = Record<Verification['status'], number>

function summaryOf(verified: Verification[]): VerifySummary {
  const count = (status: Verification['status']) => verified.filter((one) => one.status === status).length
  return {
    proven: count('proven'),
    part: count('part'),
    none: count('none'),
    unknown: count('unknown'),
    broken: count('broken'),
  }
}

const statuses: Record<Verification['status'], TextSpan> = {
  proven: green('proven    '),
  part: green('part of   '),
  none: yellow('not proven'),
  unknown: yellow('unknown   '),
  broken: red('broken    '),
}

/** One commit: the word, what does not fit, and what the proof says. */
function verificationLines({ commit, subject, status, problems, remarks, proof }: Verification): ShownLine[] {
  return [
    [statuses[status], '  ', bold(shortId(commit)), `  ${oneLine(subject, 100)}`],
    ...problems.map((problem): ShownLine => `            ${oneLine(problem)}`),
    ...(proof === null ? [] : saidLines(status, proof).map((line) => dim(`            ${line}`))),
    ...remarks.map((remark) => dim(`            ${oneLine(remark)}`)),
  ]
}

function saidLines(status: Verification['status'], proof: NonNullable<Verification['proof']>): string[] {
  if (status === 'part')
    return [`${oneLine(proof.story, 64)} of ${oneLine(proof.delivery, 64)}: its proof is with ${shortId(proof.whole)}`]
  return status === 'proven' ? proofLines(proof) : []
}

function proofLines({ delivery, story, provenBy, checks, reviewers, signer, log }: NonNullable<Verification['proof']>) {
  const together = provenBy === null ? '' : `, proven together with ${shortId(provenBy)}`
  return [
    `${oneLine(story, 64)} of ${oneLine(delivery, 64)}${together}`,
    ...checks.map(({ name, command, counts, byExitCode, durationMs }) => {
      const tests = counts === null ? 'passed' : `${counts.passed} of ${counts.total} tests passed`
      const alone = byExitCode ? ' by exit code alone' : ''
      return `${oneLine(name, 64)}: ${tests}${alone} in ${durationText(durationMs)} (${oneLine(command, 120)})`
    }),
    `${reviewers.length === 0 ? 'not reviewed' : `reviewed by ${oneLine(reviewers.join(', '), 200)}`}; ${
      signer === null ? 'not signed' : `signed by ${oneLine(signer, 100)}`
    }; ${log === 'agrees' ? 'the log here says the same' : 'this machine has no log of it'}`,
  ]
}

/** After the last one: all of them in a line, and where proofs may be when none was found. */
function verifiedLines(
  { proven, part, none, unknown, broken }: VerifySummary,
  { notes, many }: { notes: boolean; many: boolean },
): ShownLine[] {
  const rest = [
    ...(part === 0 ? [] : [`${part} part of these`]),
    `${none} not proven`,
    ...(unknown === 0 ? [] : [`${unknown} cannot be checked here`]),
    `${broken} broken`,
  ]
  const count = counted(proven + part + none + unknown + broken, 'commit')
  const all = `${count}: ${[`${proven} proven`, ...rest].join(', ')}`
  return [
    ...(many ? [bold(all)] : []),
    ...(notes || none === 0
      ? []
      : [dim('No proofs are here. A clone gets them by: git fetch origin refs/notes/ropewalk:refs/notes/ropewalk')]),
  ]
}
