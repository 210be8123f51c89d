import type { Finding, Severity } from '../../delivery/judging/finding.ts'
import type { ChecklistWord, CriterionWord, Rebuttal, ReviewWord } from '../../delivery/review/review.ts'
import type { ReviewStory } from '../../delivery/step.ts'
import type { Ending } from '../../ports/performer.ts'
import { vantagesFor } from '../../proof/review/risk.ts'
import type { Contract } from '../../roles/answer/contract.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import {
  lacking,
  type Rebuttals,
  type ReviewAnswer,
  type ReviewerBrief,
  rebuttalContract,
  rebuttalPrompt,
  reviewContract,
  reviewerPrompt,
} from '../../roles/reviewer/prompt.ts'
import { askFor } from '../agent/ask.ts'
import type { StepWork } from '../work.ts'
import {
  isQuotedAnywhere,
  type Looked,
  lookUpClaim,
  namedFindings,
  type ReviewGround,
  reviewedSubject,
  settingOf,
  unfoundedIn,
} from './change.ts'

type Reviewing = StepWork<ReviewStory>

/** A reviewer who has written nothing of it says what is wrong with a commit; or what it thinks of what others said. */
export async function reviewStory(work: Reviewing): Promise<Ending> {
  const { commit, rebuts } = work.step
  const ground = await groundOf(work)
  if (rebuts.length === 0) {
    const contract = reviewContract(commit, await unfoundedIn(ground))
    return await opinionBy(ground, contract, (review) => wordOf(ground, review))
  }
  const names = namedFindings(rebuts).map(({ name }) => name)
  return await opinionBy(ground, rebuttalContract(commit, names), async (value) => {
    const silent = { findings: [], checked: [], criteria: [], checklist: [], outside: [] }
    return { status: 'returned', verdict: 'approve', ...silent, rebuttals: await rebuttalsIn(ground, value) }
  })
}

async function opinionBy<Value>(
  ground: ReviewGround,
  contract: Contract<Value>,
  wordIn: (value: Value) => Promise<ReviewWord>,
): Promise<Ending> {
  const { id: step, story, vantage, commit } = ground.step
  const { timeoutMs } = ground.input.policy.review
  const reviewed = (word: ReviewWord): Ending => ({ type: 'StoryReviewed', step, story, vantage, commit, word })
  return await askFor(
    ground,
    { contract, prompt: await promptFor(ground), timeoutMs },
    {
      told: async (value) => reviewed(await wordIn(value)),
      none: (_, why) => reviewed(absent(why)),
    },
  )
}

const absent = (reason: string): ReviewWord => ({ status: 'absent', reason: reason.slice(0, 1_000) })

async function groundOf(work: Reviewing): Promise<ReviewGround> {
  const { since, open } = work.step
  const subject = await reviewedSubject(work, since)
  return { ...work, ...subject, told: { ...subject.told, open: since === null ? null : open } }
}

/** What a reviewer is told, whether it reviews or is asked about what others found. */
export const reviewPrompt = async (work: Reviewing): Promise<Prompt> => promptFor(await groundOf(work))

async function promptFor(ground: ReviewGround): Promise<Prompt> {
  const { rebuts } = ground.step
  if (rebuts.length === 0) return reviewerPrompt(briefFor(ground), await settingOf(ground, 'reviewer', ground))
  const brief = { ...ground.told, rebuts: namedFindings(rebuts) }
  return rebuttalPrompt(brief, await settingOf(ground, 'reviewer-rebuttal', ground))
}

/** The first of the reviewers also looks from where the diff calls for it and nobody has a seat. */
function briefFor({ told, shown, input, step: { vantage } }: ReviewGround): ReviewerBrief {
  const isFirst = input.seats.indexOf(vantage) <= 0
  const taken = [vantage, ...input.seats]
  const further = vantagesFor(shown).filter((one) => !taken.includes(one.vantage))
  return { ...told, ...input.asked, vantage, further: input.policy.review.followDiff && isFirst ? further : [] }
}

/** What a reviewer who approved makes of what others would hold the work up for. */
async function rebuttalsIn(ground: ReviewGround, { rebuttals }: Rebuttals): Promise<Rebuttal[]> {
  const rebuts = namedFindings(ground.step.rebuts)
  const told: Rebuttal[] = []
  for (const { finding: name, stance: said, evidence, because } of rebuttals) {
    const { fingerprint, file } = rebuts.find((one) => one.name === name)!.finding
    // A dispute that shows nothing is a doubt.
    const stance = said === 'disputed' && !(await isQuotedAnywhere(evidence, file, ground)) ? 'unsure' : said
    told.push({ fingerprint, stance, because: because.slice(0, 2_000) })
  }
  return told
}

/** What it found decides, and not what it calls its verdict: contradictions are corrected both ways. */
async function wordOf(ground: ReviewGround, review: ReviewAnswer): Promise<ReviewWord> {
  const { input } = ground
  const { claims, beyond } = await lookedUp(ground, review)
  const looked = [...claims, ...beyond]
  const holdsUp = ({ severity }: { severity: Severity }): boolean => input.policy.review.blocks.includes(severity)
  const found = looked.map(({ finding }) => finding)
  const scope = review.scope ?? []
  if (review.verdict === 'needs-work' && !found.some(holdsUp) && [...review.findings, ...scope].some(holdsUp))
    return absent('nothing that it would hold the work up for is where it says: what it quotes is not there')
  const { lacks, ...items } = itemsIn(ground, review)
  if (review.verdict === 'needs-work' && found.length === 0 && !lacks) return absent('it wants work, and names none')
  // That there is nothing beyond what was asked for counts only from who was asked.
  const isOfScope = review.scope !== null && input.isWanted && (scope.length > 0 || input.asked.scope)
  return {
    status: 'returned',
    verdict: lacks || found.some(holdsUp) ? 'needs-work' : 'approve',
    findings: unique(found),
    checked: review.checked,
    ...items,
    ...(isOfScope ? { scope: printsOf(beyond.filter(({ founded }) => founded)) } : {}),
    rebuttals: [],
    outside: printsOf(looked.filter(({ inside, founded }) => founded && !inside)),
  }
}

const printsOf = (looked: Looked[]): string[] => looked.map(({ finding }) => finding.fingerprint)

/** What nobody asked for is looked up like all else; where nobody said what was asked for, it is worth a note. */
async function lookedUp(ground: ReviewGround, review: ReviewAnswer): Promise<{ claims: Looked[]; beyond: Looked[] }> {
  const claims: Looked[] = []
  for (const claim of review.findings) claims.push(await lookUpClaim(claim, ground))
  const beyond: Looked[] = []
  for (const claim of review.scope ?? []) {
    const severity = ground.input.isWanted ? claim.severity : 'note'
    const looked = await lookUpClaim({ ...claim, severity }, ground)
    beyond.push(looked.founded ? { ...looked, finding: { ...looked.finding, rule: 'scope' } } : looked)
  }
  return { claims, beyond }
}

/** Said twice by one reviewer, it is one finding. */
const unique = (findings: Finding[]): Finding[] => {
  const prints = findings.map(({ fingerprint }) => fingerprint)
  return findings.filter(({ fingerprint }, index) => prints.indexOf(fingerprint) === index)
}

interface Items {
  criteria: CriterionWord[]
  checklist: ChecklistWord[]
  /** Something is not fulfilled: what that means is for the law to say. */
  lacks: boolean
}

/** Item by item; of what nothing was said, that is said, unless others have told it or will be asked. */
export function itemsIn({ input }: Pick<Reviewing, 'input'>, review: ReviewAnswer): Items {
  const { asked, passed } = input
  const criteria = asked.criteria.map((criterion, index): CriterionWord => {
    const word = review.criteria.find(({ number }) => number === index + 1)
    return { criterion, state: word?.state ?? 'unclear', why: whyOf(word) }
  })
  const words = asked.checklist.map((item, index): ChecklistWord => {
    const word = review.checklist.find(({ number }) => number === index + 1)
    return { item, state: word?.state ?? 'unverifiable', why: whyOf(word) }
  })
  const isLeft = ({ item }: ChecklistWord): boolean => asked.isPart || passed.includes(item)
  const checklist = words.filter((word) => word.state !== 'unverifiable' || !isLeft(word))
  return { criteria, checklist, lacks: [...criteria, ...checklist].some(({ state }) => lacking.includes(state)) }
}

/** What is to be mended counts without a reason, too; that there is none is said. */
function whyOf(word: { state: string; why: string } | undefined): string {
  if (word === undefined) return 'the reviewer says nothing about it'
  return word.why === '' && lacking.includes(word.state) ? 'the reviewer gives no reason' : word.why
}
