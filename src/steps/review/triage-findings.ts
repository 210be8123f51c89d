import type { Finding } from '../../delivery/judging/finding.ts'
import type { Opinion, Sorted } from '../../delivery/review/review.ts'
import type { TriageFindings } from '../../delivery/review/steps.ts'
import { policyOf } from '../../delivery/state.ts'
import type { Ending, Performance } from '../../ports/performer.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { type Triage, triageContract } from '../../roles/triager/contract.ts'
import { triagerPrompt } from '../../roles/triager/prompt.ts'
import { ask } from '../agent/ask.ts'
import { resultFileOf } from '../agent/transcript.ts'
import type { StepWorld } from '../world.ts'
import { reviewTimeoutMs, type Subject, settingOf, subjectOf } from './change.ts'
import { named } from './named.ts'

type Triaging = Performance<TriageFindings>

/** Somebody sorts what reviewers found. Whether the sorting holds is for the law to say. */
export async function triageFindings(world: StepWorld, performance: Triaging): Promise<Ending> {
  const { state, step } = performance
  const subject = await subjectOf(world, performance, null)
  const { repository } = subject
  const findings = named(step.findings)
  const asked = await ask(world, performance, {
    repository,
    ...{ commit: step.commit, role: 'triager', attempt: step.attempt, round: step.retry + 1 },
    prompt: await promptFor(world, performance, subject),
    contract: triageContract(step.commit),
    timeoutMs: 2 * reviewTimeoutMs(performance),
  })
  if (asked.type === 'failed') return faulted(step, [`the triager's turn failed: ${asked.message}`])
  if (asked.type !== 'answered') return asked
  const { value, problems } = asked.answer
  if (value === null) return faulted(step, problems)
  const sorted = value.sorted.map((one) => sortedOf(one, findings))
  const verdict = value.verdict ?? verdictFrom(sorted, policyOf(state).review.blocks)
  return { type: 'FindingsTriaged', step: step.id, story: step.story, sorted, verdict }
}

/** What the triager is told. */
export const triagePrompt = async (world: StepWorld, performance: Triaging): Promise<Prompt> =>
  promptFor(world, performance, await subjectOf(world, performance, null))

async function promptFor(world: StepWorld, performance: Triaging, subject: Subject): Promise<Prompt> {
  const { step } = performance
  const findings = named(step.findings).map((one) => ({ ...one, notes: notesOn(one.finding, step) }))
  const brief = { ...subject.told, findings, problems: step.problems, result: resultFileOf(world, performance) }
  return triagerPrompt(brief, await settingOf(world, performance, { name: 'triager', subject }))
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
): Sorted {
  const meant = findings.find((one) => one.name === name || one.finding.fingerprint === name)
  return { fingerprint: meant?.finding.fingerprint ?? name, fate, severity, because: because.slice(0, 2_000) }
}

const verdictFrom = (sorted: Sorted[], blocks: string[]): Opinion =>
  sorted.some(({ fate, severity }) => fate === 'accepted' && blocks.includes(severity)) ? 'needs-work' : 'approve'

const faulted = ({ id, story }: TriageFindings, problems: string[]): Ending => ({
  type: 'TriageFaulted',
  step: id,
  story,
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})
