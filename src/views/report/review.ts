import type { Finding } from '../../delivery/judging/finding.ts'
import type { ChecklistWord, CriterionWord, Opinion, ReviewWord } from '../../delivery/review/review.ts'
import { type DeliveryState, storiesOf } from '../../delivery/state.ts'
import type { StoryState } from '../../delivery/story/story.ts'
import { toldConcerns } from '../summary.ts'

/** What reviewers, the triager and tests have made of one story, as it stands. */
export type StoryReview = NonNullable<ReturnType<typeof storyReview>>

/** Such as `security (claude, opus, the diff calls for it)`. */
export function reviewerLabel({ vantage, called, agent, model }: StoryReview['reviewers'][number]): string {
  return `${vantage} (${model === null ? agent : `${agent}, ${model}`}${called ? ', the diff calls for it' : ''})`
}

export interface Disposal {
  finding: Finding
  because: string
}

/** Null where nobody has reviewed it. */
export function storyReview({ review }: Pick<StoryState, 'review'>) {
  const { round, words, open, deferred, rejected, split, unverified, trustedBy, calls } = review
  const heard = Object.entries(words)
  if (heard.length === 0 && open.length === 0 && deferred.length === 0 && rejected.length === 0) return null
  const returned = heard.flatMap(([, { word }]) => (word.status === 'returned' ? [word] : []))
  return {
    ...{ round, open, deferred, rejected, split, unverified, trustedBy, scope: scopeOf(review, returned) },
    reviewers: heard.map(([vantage, { agent, model, word }]) => ({
      ...{ vantage, agent, model },
      // The diff calls to be looked at from there.
      called: calls.some((call) => call === vantage),
      // Null: it did not come back, and says why.
      ...(word.status === 'returned'
        ? { verdict: word.verdict, said: word.checked, findings: word.findings.length }
        : { verdict: null, said: [word.reason], findings: 0 }),
    })),
    criteria: worst(
      criterionOrder,
      returned.flatMap(({ criteria }) => criteria),
      ({ criterion }) => criterion,
    ),
    checklist: worst(
      checklistOrder,
      returned.flatMap(({ checklist }) => checklist),
      ({ item }) => item,
    ),
  }
}

/** What the work does that nobody asked for. `unjudged`: nobody could tell, or nobody did, and `why` says it. */
export interface ScopeView {
  status: 'none' | 'found' | 'unjudged'
  why: string
  findings: (Disposal & { fate: 'open' | 'deferred' | 'rejected' })[]
}

const unsaid: ScopeView = { status: 'unjudged', why: 'no reviewer says anything about it', findings: [] }

function scopeOf(
  { deferred, rejected }: StoryState['review'],
  returned: Extract<ReviewWord, { status: 'returned' }>[],
): ScopeView {
  const said = returned.filter(({ scope }) => scope !== undefined)
  if (said.length === 0) return unsaid
  const all = said.flatMap(({ findings, scope }) => findings.filter(({ fingerprint }) => scope!.includes(fingerprint)))
  // Said by two of them, it is one thing.
  const found = [...new Map(all.map((finding) => [finding.fingerprint, finding])).values()]
  const findings = found.map((finding): ScopeView['findings'][number] => {
    const isIt = (one: Disposal): boolean => one.finding.fingerprint === finding.fingerprint
    const [later, never] = [deferred.find(isIt), rejected.find(isIt)]
    const fate = never !== undefined ? 'rejected' : later !== undefined ? 'deferred' : 'open'
    return { finding, fate, because: (never ?? later)?.because ?? '' }
  })
  return { status: findings.length === 0 ? 'none' : 'found', why: '', findings }
}

const criterionOrder: CriterionWord['state'][] = ['missing', 'partial', 'unclear', 'met']
const checklistOrder: ChecklistWord['state'][] = ['failed', 'unverifiable', 'passed']

/** Where two say otherwise about the same, the one that holds it up is shown. */
function worst<Word extends { state: string }>(
  order: Word['state'][],
  words: Word[],
  nameOf: (word: Word) => string,
): Word[] {
  const found = new Map<string, Word>()
  for (const word of words) {
    const known = found.get(nameOf(word))
    if (known === undefined || order.indexOf(word.state) < order.indexOf(known.state)) found.set(nameOf(word), word)
  }
  return [...found.values()]
}

/** A review of work that was there already. What `review` shows, and its JSON. */
export type ReviewView = NonNullable<ReturnType<typeof reviewView>>

interface ReadingOrder {
  core: { path: string; reasons: string[] }[]
  noise: { path: string; because: string }[]
}

/** Null when this delivery is not a review. */
export function reviewView(state: DeliveryState, { core, noise }: ReadingOrder) {
  const subject = state.request?.review ?? null
  if (subject === null) return null
  const story = storiesOf(state).find(({ kind }) => kind === 'review')
  const found = (story === undefined ? null : storyReview(story)) ?? nothing
  const { mode } = state
  const ended = mode.status === 'ended' ? mode.reason : ''
  const isAimless = subject.description.trim() === '' && subject.criteria.length === 0
  return {
    ...found,
    open: found.open.length > 0 ? found.open : (story?.findings ?? []),
    scope: isAimless ? { ...unsaid, why: 'nobody said what the work was meant to do' } : found.scope,
    delivery: state.id,
    // What was reviewed, in the words of who asked.
    subject: state.request?.requirement.text ?? '',
    base: subject.base,
    commit: subject.commit,
    /** Null: there is no verdict, and `reason` says why. */
    verdict: story === undefined ? null : verdictOf(story),
    reason: story !== undefined && 'reason' in story.control ? story.control.reason : ended,
    concerns: toldConcerns(state),
    core,
    noise,
  }
}

const verdictOf = ({ control }: StoryState): Opinion | null => (control.status === 'reviewed' ? control.verdict : null)

const nothing: StoryReview = {
  ...{ round: 0, reviewers: [], criteria: [], checklist: [], open: [], deferred: [], rejected: [], split: [] },
  ...{ unverified: false, trustedBy: null, scope: unsaid },
}
