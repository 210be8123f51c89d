import type { Finding } from '../../delivery/judging/finding.ts'
import type { SortedFindings } from '../../delivery/review/review.ts'
import type { TriageFindings } from '../../delivery/step.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { type Triage, triageContract, triagerPrompt } from '../../roles/triager.ts'
import { askFor } from '../agent/ask.ts'
import type { StepWork } from '../work.ts'
import { namedFindings, reviewedSubject, settingOf } from './change.ts'

type Triaging = StepWork<TriageFindings>

/** Somebody sorts what reviewers found. Whether the sorting holds is for the law to say. */
export async function triageFindings(work: Triaging): Promise<Ending> {
  const { id: step, story, commit, findings } = work.step
  const { blocks, timeoutMs } = work.input.policy.review
  const question = { contract: triageContract(commit), prompt: await triagePrompt(work), timeoutMs: 2 * timeoutMs }
  return await askFor(work, question, {
    told: (value) => {
      const sorted = value.sorted.map((one) => sortedOf(one, namedFindings(findings)))
      const holdsUp = sorted.some(({ fate, severity }) => fate === 'accepted' && blocks.includes(severity))
      const verdict = value.verdict ?? (holdsUp ? 'needs-work' : 'approve')
      return { type: 'FindingsTriaged', step, story, sorted, verdict }
    },
    none: (problems) => ({ type: 'TriageFaulted', step, story, problems }),
  })
}

/** What the triager is told. */
export async function triagePrompt(work: Triaging): Promise<Prompt> {
  const { step } = work
  const subject = await reviewedSubject(work, null)
  const findings = namedFindings(step.findings).map((one) => ({ ...one, notes: notesOn(one.finding, step) }))
  const brief = { ...subject.told, findings, problems: step.problems }
  return triagerPrompt(brief, await settingOf(work, 'triager', subject))
}

/** What is known of a finding besides what its reviewer says. */
function notesOn({ fingerprint }: Finding, { outside, disputed }: TriageFindings): string[] {
  return [
    ...(outside.includes(fingerprint) ? ['(The change does not touch this place.)'] : []),
    ...(disputed.includes(fingerprint) ? ['(Another reviewer disputes this, with a quotation.)'] : []),
  ]
}

/** A name that nobody has given is kept as it is: the law knows no such finding. */
export function sortedOf(
  { finding: name, fate, severity, because }: Triage['sorted'][number],
  findings: { name: string; finding: Finding }[],
): SortedFindings {
  const meant = findings.find((one) => one.name === name || one.finding.fingerprint === name)
  return { fingerprint: meant?.finding.fingerprint ?? name, fate, severity, because: because.slice(0, 2_000) }
}
