import type { Finding } from '../../delivery/judging/finding.ts'
import type { ChecklistWord, CriterionWord, Opinion, ReviewWord } from '../../delivery/review/review.ts'
import type { StoryState } from '../../delivery/story/story.ts'

/** What reviewers, the triager and tests have made of one story, as it stands. */
export interface StoryReview {
  round: number
  reviewers: ReviewerView[]
  criteria: CriterionWord[]
  checklist: ChecklistWord[]
  /** Accepted, and not mended yet. */
  open: Finding[]
  deferred: Disposal[]
  rejected: Disposal[]
  /** Fingerprints of findings on which reviewers do not agree. */
  split: string[]
  /** All agree, and all are the same model. */
  unverified: boolean
  /** Who said that it will do all the same. */
  trustedBy: string | null
  /** What the work does that nobody asked for. */
  scope: ScopeView
}

/** `unjudged`: nobody could tell, or nobody did, and `why` says it. */
export interface ScopeView {
  status: 'none' | 'found' | 'unjudged'
  why: string
  findings: (Disposal & { fate: 'open' | 'deferred' | 'rejected' })[]
}

export interface ReviewerView {
  vantage: string
  agent: string
  model: string | null
  /** The diff calls to be looked at from there. */
  called: boolean
  /** Null: it did not come back. */
  verdict: Opinion | null
  /** What it looked at, or why it did not come back. */
  said: string[]
  findings: number
}

export interface Disposal {
  finding: Finding
  because: string
}

/** Null where nobody has reviewed it. */
export function storyReview({ review }: StoryState): StoryReview | null {
  const { round, words, open, deferred, rejected, split, unverified, trustedBy, calls } = review
  const heard = Object.entries(words)
  if (heard.length === 0 && open.length === 0 && deferred.length === 0 && rejected.length === 0) return null
  const returned = heard.flatMap(([, { word }]) => (word.status === 'returned' ? [word] : []))
  return {
    ...{ round, open, deferred, rejected, split, unverified, trustedBy, scope: scopeOf(review, returned) },
    reviewers: heard.map(([vantage, { agent, model, word }]) => ({
      ...{ vantage, agent, model, called: calls.some((call) => call === vantage) },
      verdict: word.status === 'returned' ? word.verdict : null,
      said: word.status === 'returned' ? word.checked : [word.reason],
      findings: word.status === 'returned' ? word.findings.length : 0,
    })),
    criteria: worst(
      returned.flatMap(({ criteria }) => criteria),
      ({ criterion }) => criterion,
      criterionOrder,
    ),
    checklist: worst(
      returned.flatMap(({ checklist }) => checklist),
      ({ item }) => item,
      checklistOrder,
    ),
  }
}

function scopeOf(
  { deferred, rejected }: StoryState['review'],
  returned: Extract<ReviewWord, { status: 'returned' }>[],
): ScopeView {
  const said = returned.filter(({ scope }) => scope !== undefined)
  if (said.length === 0) return { status: 'unjudged', why: 'no reviewer says anything about it', findings: [] }
  const all = said.flatMap(({ findings, scope }) => findings.filter(({ fingerprint }) => scope!.includes(fingerprint)))
  // Said by two of them, it is one thing.
  const found = [...new Map(all.map((finding) => [finding.fingerprint, finding])).values()]
  const among = (disposed: Disposal[], { fingerprint }: Finding) =>
    disposed.find(({ finding }) => finding.fingerprint === fingerprint)
  const findings = found.map((finding): ScopeView['findings'][number] => {
    const [later, never] = [among(deferred, finding), among(rejected, finding)]
    if (never !== undefined) return { finding, fate: 'rejected', because: never.because }
    return later === undefined
      ? { finding, fate: 'open', because: '' }
      : { finding, fate: 'deferred', because: later.because }
  })
  return { status: findings.length === 0 ? 'none' : 'found', why: '', findings }
}

const criterionOrder: CriterionWord['state'][] = ['missing', 'partial', 'unclear', 'met']
const checklistOrder: ChecklistWord['state'][] = ['failed', 'unverifiable', 'passed']

/** Where two say otherwise about the same, the one that holds it up is shown. */
function worst<Word extends { state: string }>(
  words: Word[],
  nameOf: (word: Word) => string,
  order: Word['state'][],
): Word[] {
  const found = new Map<string, Word>()
  for (const word of words) {
    const known = found.get(nameOf(word))
    if (known === undefined || order.indexOf(word.state) < order.indexOf(known.state)) found.set(nameOf(word), word)
  }
  return [...found.values()]
}
