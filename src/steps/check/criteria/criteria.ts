import type { Finding, Verdict } from '../../../delivery/judging/finding.ts'
import type { Criterion } from '../../../delivery/plan/plan.ts'
import { storyOf } from '../../../delivery/state.ts'
import { hashOf } from '../../../std/hash.ts'
import { invariant } from '../../../std/never.ts'
import { inCleanPlace } from '../../place/clean.ts'
import { setUp } from '../../place/setup.ts'
import type { Court } from '../run-check.ts'
import { told } from '../verdict.ts'
import { meets } from './meets.ts'

/** Whether what the story declares to hold does hold, in a clean copy of its commit. */
export async function criteriaVerdict(court: Court): Promise<Verdict> {
  const { world, performance, repository } = court
  const { state, step } = performance
  invariant(step.story !== null, 'only a story has criteria')
  const { proofs } = storyOf(state, step.story).spec
  if (proofs.length === 0) return told([])
  const at = { name: '-criteria', commit: step.commit, dressed: true }
  return told(await inCleanPlace({ world, repository, performance }, at, (place) => judge(court, place, proofs)))
}

async function judge(court: Court, place: string, proofs: Criterion[]): Promise<Finding[]> {
  const ready = await setUp(court.world, court.performance, place)
  if (!ready.ok) return [finding({ rule: 'set-up-failed', message: ready.problem, evidence: ready.output, key: null })]
  const findings: Finding[] = []
  for (const [index, criterion] of proofs.entries()) {
    const unmet = await meets(court, { place, criterion, name: `${court.performance.step.id}-criterion-${index}` })
    if (unmet !== null) findings.push(finding({ rule: 'criterion-not-met', ...unmet, key: criterion }))
  }
  return findings
}

interface Told {
  rule: string
  message: string
  evidence: string
  key: unknown
}

const finding = ({ rule, message, evidence, key }: Told): Finding => ({
  source: 'criteria',
  rule,
  severity: 'blocking',
  file: null,
  line: null,
  message,
  evidence: evidence.slice(-4_000),
  fingerprint: hashOf(['criteria', rule, key]),
  fixTarget: 'code',
})
