import type { Verification } from '../../ports/proofs/verifier.ts'
import { durationText } from '../../std/duration.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { counted, passedText, shortId } from '../../views/step-text.ts'
import { exitCodes, interruptible, leaveAtOnce } from '../ending.ts'
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
  const summary: VerifySummary = { proven: 0, part: 0, none: 0, unknown: 0, broken: 0 }
  for (const { status } of verified) summary[status] += 1
  return summary
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
  const { delivery, story, whole, provenBy, checks, reviewers, signer, log } = proof
  const name = `${oneLine(story, 64)} of ${oneLine(delivery, 64)}`
  if (status === 'part') return [`${name}: its proof is with ${shortId(whole)}`]
  if (status !== 'proven') return []
  const reviewed = reviewers.length === 0 ? 'not reviewed' : `reviewed by ${oneLine(reviewers.join(', '), 200)}`
  const signed = signer === null ? 'not signed' : `signed by ${oneLine(signer, 100)}`
  return [
    `${name}${provenBy === null ? '' : `, proven together with ${shortId(provenBy)}`}`,
    ...checks.map(({ name: check, command, counts, byExitCode, durationMs }) => {
      const tests = passedText(counts ?? { passed: null, total: null }, byExitCode)
      return `${oneLine(check, 64)}: ${tests} in ${durationText(durationMs)} (${oneLine(command, 120)})`
    }),
    `${reviewed}; ${signed}; ${log === 'agrees' ? 'the log here says the same' : 'this machine has no log of it'}`,
  ]
}

/** After the last one: all of them in a line, and where proofs may be when none was found. */
function verifiedLines(
  { proven, part, none, unknown, broken }: VerifySummary,
  { notes, many }: { notes: boolean; many: boolean },
): ShownLine[] {
  const counts = [
    `${proven} proven`,
    ...(part === 0 ? [] : [`${part} part of these`]),
    `${none} not proven`,
    ...(unknown === 0 ? [] : [`${unknown} cannot be checked here`]),
    `${broken} broken`,
  ]
  const all = counted(proven + part + none + unknown + broken, 'commit')
  const hint = 'No proofs are here. A clone gets them by: git fetch origin refs/notes/ropewalk:refs/notes/ropewalk'
  return [...(many ? [bold(`${all}: ${counts.join(', ')}`)] : []), ...(notes || none === 0 ? [] : [dim(hint)])]
}
