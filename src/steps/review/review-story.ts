import type { Finding, Severity } from '../../delivery/judging/finding.ts'
import { seatsFor } from '../../delivery/review/course/seats.ts'
import type { ReviewWord } from '../../delivery/review/review.ts'
import type { ReviewStory } from '../../delivery/review/steps.ts'
import { policyOf, storyOf } from '../../delivery/state.ts'
import type { Ending, Performance } from '../../ports/performer.ts'
import { vantagesFor } from '../../proof/review/vantages.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { type ReviewAnswer, reviewContract } from '../../roles/reviewer/contract.ts'
import { type ReviewerBrief, reviewerPrompt } from '../../roles/reviewer/prompt.ts'
import { ask } from '../agent/ask.ts'
import { resultFileOf } from '../agent/transcript.ts'
import type { StepWorld } from '../world.ts'
import { reviewTimeoutMs, type Subject, settingOf, subjectOf } from './change.ts'
import { type Ground, type Looked, lookUp } from './founded.ts'
import { isWanted, itemsAsked, saidOf } from './items.ts'
import { rebut, rebutPrompt } from './rebut.ts'
import { unfoundedIn } from './unfounded.ts'
import { absent, groundOf, reviewed } from './word.ts'

type Reviewing = Performance<ReviewStory>

/** A reviewer who has written nothing of it says what is wrong with a commit; or what it thinks of what others said. */
export async function reviewStory(world: StepWorld, performance: Reviewing): Promise<Ending> {
  const { step } = performance
  const seen = await seenBy(world, performance)
  if (step.rebuts.length > 0) return await rebut(world, performance, seen)
  const { repository } = seen
  const asked = await ask(world, performance, {
    repository,
    ...{ commit: step.commit, role: 'reviewer', attempt: step.attempt, round: step.reviewRound },
    prompt: await promptFor(world, performance, seen),
    contract: reviewContract(step.commit, await unfoundedIn(groundOf(world, performance, seen))),
    timeoutMs: reviewTimeoutMs(performance),
  })
  if (asked.type === 'failed') return reviewed(step, absent(`its turn failed: ${asked.message}`))
  if (asked.type !== 'answered') return asked
  const { value, problems } = asked.answer
  if (value === null) return reviewed(step, absent(`its answer is no review: ${problems.join('; ')}`))
  return reviewed(step, await wordOf(world, performance, { seen, review: value }))
}

async function seenBy(world: StepWorld, performance: Reviewing): Promise<Subject> {
  const { since, open } = performance.step
  const subject = await subjectOf(world, performance, since)
  return { ...subject, told: { ...subject.told, open: since === null ? null : open } }
}

/** What a reviewer is told, whether it reviews or is asked about what others found. */
export async function reviewPrompt(world: StepWorld, performance: Reviewing): Promise<Prompt> {
  const seen = await seenBy(world, performance)
  return performance.step.rebuts.length > 0
    ? await rebutPrompt(world, performance, seen)
    : await promptFor(world, performance, seen)
}

async function promptFor(world: StepWorld, performance: Reviewing, seen: Subject): Promise<Prompt> {
  const setting = await settingOf(world, performance, { name: 'reviewer', subject: seen })
  return reviewerPrompt(briefFor(world, performance, seen), setting)
}

/** The first of the reviewers also looks from where the diff calls for it and nobody has a seat. */
function briefFor(world: StepWorld, performance: Reviewing, { told, shown }: Subject): ReviewerBrief {
  const { state, step } = performance
  const policy = policyOf(state)
  const seats = seatsFor(policy, storyOf(state, step.story)).map(({ vantage }) => vantage)
  const isFirst = seats.indexOf(step.vantage) <= 0
  const taken = [step.vantage, ...seats]
  const further = vantagesFor(shown).filter(({ vantage }) => !taken.includes(vantage))
  return {
    ...told,
    ...itemsAsked(performance),
    vantage: step.vantage,
    further: policy.review.followDiff && isFirst ? further : [],
    result: resultFileOf(world, performance),
  }
}

/** What it found decides, and not what it calls its verdict: contradictions are corrected both ways. */
async function wordOf(
  world: StepWorld,
  performance: Reviewing,
  { seen, review }: { seen: Subject; review: ReviewAnswer },
): Promise<ReviewWord> {
  const ground = groundOf(world, performance, seen)
  const { claims, beyond } = await lookedUp(performance, { ground, review })
  const looked = [...claims, ...beyond]
  const { blocks } = policyOf(performance.state).review
  const holdsUp = ({ severity }: { severity: Severity }): boolean => blocks.includes(severity)
  const found = looked.map(({ finding }) => finding)
  const said = [...review.findings, ...(review.scope ?? [])]
  if (review.verdict === 'needs-work' && !found.some(holdsUp) && said.some(holdsUp))
    return absent('nothing that it would hold the work up for is where it says: what it quotes is not there')
  const { lacking, ...items } = saidOf(performance, review)
  if (review.verdict === 'needs-work' && found.length === 0 && !lacking) return absent('it wants work, and names none')
  return {
    status: 'returned',
    verdict: lacking || found.some(holdsUp) ? 'needs-work' : 'approve',
    findings: unique(found),
    checked: review.checked,
    ...items,
    ...(isOfScope(performance, review) ? { scope: printsOf(beyond.filter(({ founded }) => founded)) } : {}),
    rebuttals: [],
    outside: printsOf(looked.filter(({ inside, founded }) => founded && !inside)),
  }
}

const printsOf = (looked: Looked[]): string[] => looked.map(({ finding }) => finding.fingerprint)

/** What nobody asked for is looked up like all else; where nobody said what was asked for, it is worth a note. */
async function lookedUp(
  { state, step }: Reviewing,
  { ground, review }: { ground: Ground; review: ReviewAnswer },
): Promise<{ claims: Looked[]; beyond: Looked[] }> {
  const claims: Looked[] = []
  for (const claim of review.findings) claims.push(await lookUp(claim, ground))
  const beyond: Looked[] = []
  for (const claim of review.scope ?? []) {
    const severity = isWanted(state, step.story) ? claim.severity : 'note'
    const looked = await lookUp({ ...claim, severity }, ground)
    beyond.push(looked.founded ? { ...looked, finding: { ...looked.finding, rule: 'scope' } } : looked)
  }
  return { claims, beyond }
}

/** It has said something about it; that there is nothing counts only from who was asked. */
const isOfScope = (performance: Reviewing, { scope }: ReviewAnswer): boolean =>
  scope !== null &&
  isWanted(performance.state, performance.step.story) &&
  (scope.length > 0 || itemsAsked(performance).scope)

/** Said twice by one reviewer, it is one finding. */
const unique = (findings: Finding[]): Finding[] =>
  findings.filter(
    ({ fingerprint }, index) => findings.findIndex((other) => other.fingerprint === fingerprint) === index,
  )
