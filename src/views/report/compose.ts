import type { Instant } from '../../delivery/ids.ts'
import { durationText } from '../../std/duration.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { counted, joined, knownText, passedText, placeText, shortId } from '../step-text.ts'
import { sourceText } from '../story/intent-view.ts'
import type { Deliverable } from './deliverables.ts'
import {
  type Block,
  type Card,
  capital,
  type Document,
  listBlocks,
  reportSection,
  type Tone,
  tableBlocks,
} from './document.ts'
import { internalSections, readingSections } from './internal.ts'
import type { ReportResult, ReportView } from './report.ts'
import { type Disposal, reviewerLabel } from './review.ts'

const tones: Record<ReportResult, Tone> = {
  done: 'good',
  'done with concerns': 'warn',
  blocked: 'bad',
  'needs context': 'warn',
  'in progress': 'plain',
}

/** What is said, and in which order; the caller says how a time is written. */
export function composed(view: ReportView, timeText: (at: Instant) => string): Document {
  return {
    title: titleOf(view.requirement) || view.delivery,
    result: view.result,
    tone: tones[view.result],
    lead: leadOf(view),
    facts: factsOf(view),
    sections: [
      ...reportSection('What is needed from you', questionBlocks(view)),
      ...reportSection('What was asked for', requirementBlocks(view)),
      ...reportSection('What it was taken to mean', meaningBlocks(view)),
      ...reportSection('What was delivered', deliverableBlocks(view)),
      ...reportSection('What reviewers said', reviewBlocks(view)),
      ...reportSection('Concerns', listBlocks(view.concerns.map(({ text }) => text))),
      ...reportSection('What happened', [
        { kind: 'moments', items: view.timeline.map(({ at, text }) => ({ at: timeText(at), text })) },
      ]),
      ...(view.internal === null ? [] : readingSections(view.readings)),
      ...(view.internal === null ? [] : internalSections(view.internal, timeText)),
    ],
    foot: `Delivery ${view.delivery}, requested ${timeText(view.requestedAt)}. Everything here is derived from its log.`,
  }
}

/** The first line, unless it is a long story itself. */
const titleOf = (text: string): string => oneLine(text.trim().split('\n', 1)[0] ?? '', 140)

function leadOf(view: ReportView): string {
  const { deliverables, target, reason, result } = view
  if (view.isReview) return reviewLead(view)
  const merged = deliverables.filter(({ status }) => status === 'merged').length
  const all = deliverables.length
  if (all === 0) return reason === '' ? 'There is no plan yet.' : `${unstopped(reason)}.`
  const what =
    merged === all
      ? `${all === 1 ? 'The story is' : `All ${all} stories are`} proven and merged to ${target}.`
      : merged === 0
        ? `Nothing is merged to ${target}.`
        : `${merged} of ${all} stories ${merged === 1 ? 'is' : 'are'} merged to ${target}.`
  return reason === '' || result === 'done' ? what : `${what} ${unstopped(reason)}.`
}

function reviewLead({ deliverables, reviews, reason }: ReportView): string {
  const [reviewed] = deliverables
  if (reviewed?.status === 'approved') return 'Reviewers approve of it. Nothing was changed.'
  const open = reviews.reduce((sum, { open }) => sum + open.length, 0)
  if (reviewed?.status === 'needs-work') return `It needs work: ${counted(open, 'finding')}. Nothing was changed.`
  return `There is no verdict${reason === '' ? ' yet' : `: ${reason}`}.`
}

const unstopped = (text: string): string => capital(text).replace(/\.$/, '')

function factsOf({ deliverables, isReview, tookMs, effort, cost }: ReportView): [string, string][] {
  const { turns, agentMs, checkRuns, checkMs } = effort
  const merged = deliverables.filter(({ status }) => status === 'merged').length
  const isSure = cost.usd === null || (cost.exact && cost.unpriced === 0)
  const spent = `${knownText(cost)}${isSure ? '' : ' (estimated)'}`
  return [
    ...(isReview ? [] : [['Stories merged', `${merged} of ${deliverables.length}`] satisfies [string, string]]),
    ['Took', durationText(tookMs)],
    ['Agents at work', turns === 0 ? 'none' : `${durationText(agentMs)} in ${counted(turns, 'turn')}`],
    ['Checks run', checkRuns === 0 ? 'none' : `${checkRuns} in ${durationText(checkMs)}`],
    ['Cost', spent],
  ]
}

const questionBlocks = ({ questions }: ReportView): Block[] =>
  listBlocks(questions.map(({ text, options }) => `${text}${options.length === 0 ? '' : ` (${options.join(' / ')})`}`))

/** All of it is in the log: nobody reads a report that is a hundred pages long. */
const longestQuote = 8_000

const requirementBlocks = (view: ReportView): Block[] => [
  ...askedBlocks(view),
  ...listBlocks(view.sources.map((one) => oneLine(sourceText(one)))),
]

/** What fits into the title is there already. */
function askedBlocks({ requirement }: ReportView): Block[] {
  const text = requirement.trim()
  if (text === titleOf(requirement)) return []
  if (text.length <= longestQuote) return [{ kind: 'quote', text }]
  const left = `It continues for ${text.length - longestQuote} more characters: ropewalk export has all of it.`
  return [
    { kind: 'quote', text: `${text.slice(0, longestQuote)} …` },
    { kind: 'text', text: left },
  ]
}

function deliverableBlocks({ deliverables, isReview, planApprovedBy: by }: ReportView): Block[] {
  if (deliverables.length === 0 || isReview) return []
  const isMerged = deliverables.some(({ status }) => status === 'merged')
  const texts = [
    ...(isMerged ? ['Each merged commit carries its proof as a git note: ropewalk verify checks it.'] : []),
    ...(by.length === 0 ? [] : [`The plan was approved by ${by.join(', ')}.`]),
    ...readText(deliverables),
  ]
  // Work that is left out is not claimed as done.
  const limitations = deliverables.flatMap((one) =>
    one.limitations.map((text) => `${one.story}: its coder names a limitation: ${oneLine(text, 400)}`),
  )
  return [
    { kind: 'cards', cards: deliverables.map(cardOf) },
    ...listBlocks(limitations),
    ...(texts.length === 0 ? [] : [{ kind: 'text', text: texts.join(' ') } satisfies Block]),
  ]
}

/** Who has seen the changes besides the checks. */
function readText(deliverables: Deliverable[]): string[] {
  const all = deliverables.filter(({ status }) => status === 'merged' || status === 'proven')
  const seen = all.filter(({ approvedBy, reviewedBy }) => approvedBy.length + reviewedBy.length > 0)
  if (all.length === 0) return []
  if (seen.length === 0) return ['Nobody reviewed the changes: they are proven by checks alone.']
  const [approvers, reviewers] = [seen.flatMap((one) => one.approvedBy), seen.flatMap((one) => one.reviewedBy)]
  const rest = all.length - seen.length
  return [
    ...byWords('Approved by', approvers),
    ...judgedWords(reviewers),
    ...(rest === 0 ? [] : [`${counted(rest, 'change')} not reviewed, and proven by checks alone.`]),
  ]
}

const byWords = (word: string, names: string[]): string[] =>
  names.length === 0 ? [] : [`${word} ${joined([...new Set(names)], 'and')}.`]

const judgedWords = (names: string[]): string[] =>
  byWords(new Set(names).size === 1 ? 'Judged by the agent' : 'Judged by the agents', names)

const words: Record<Deliverable['status'], [string, Tone]> = {
  merged: ['merged', 'good'],
  proven: ['proven, not merged', 'warn'],
  unproven: ['not proven, not merged', 'warn'],
  skipped: ['left out', 'warn'],
  failed: ['failed', 'bad'],
  approved: ['approved', 'good'],
  'needs-work': ['needs work', 'warn'],
  open: ['open', 'plain'],
}

function cardOf(deliverable: Deliverable): Card {
  const { title, status, reason, commit, provenBy, checks, criteria, approvedBy, reviewedBy } = deliverable
  const [word, tone] = words[status]
  const together = provenBy === null ? '' : `, proven together with ${shortId(provenBy)}`
  return {
    title,
    word,
    tone,
    lines: [
      ...(commit === null ? [] : [`Commit ${shortId(commit)}${together}`]),
      ...(reason === '' ? [] : [unstopped(reason)]),
      ...checks.map(
        (check) => `Check ${check.name}: ${passedText(check, check.byExitCode)} in ${durationText(check.durationMs)}`,
      ),
      ...byWords('Approved by', approvedBy),
      ...judgedWords(reviewedBy),
    ],
    items: criteria,
  }
}

/** The reading that the work went by, and what was said against it. */
function meaningBlocks({ intent }: ReportView): Block[] {
  if (intent?.meaning == null) return []
  const { meaning, dissents, unknown, refuted, weaker } = intent
  const items = [
    ...meaning.behaviours.map((text) => oneLine(text, 400)),
    ...dissents.map((text) => `Otherwise read: ${oneLine(text, 400)}`),
    ...unknown.map((text) => `Nobody could tell whether this holds: ${oneLine(text, 400)}`),
    ...refuted.map((text) => `The code says otherwise: ${oneLine(text, 400)}`),
    ...(weaker ? ['The others who were asked are models of the same family.'] : []),
  ]
  const text = `${oneLine(meaning.summary, 1000)} (${oneLine(meaning.because || meaning.by, 400)})`
  return [{ kind: 'text', text }, ...listBlocks(items)]
}

type Review = ReportView['reviews'][number]

/** Criteria and checklist item by item, and what is not mended, with its reason. */
function reviewBlocks({ reviews, unsaid }: ReportView): Block[] {
  const criteria = reviews.flatMap((one) =>
    one.criteria.map(({ criterion, state, why }) => [one.story, criterion, state, why]),
  )
  const checklist = reviews.flatMap((one) => one.checklist.map(({ item, state, why }) => [one.story, item, state, why]))
  return [
    ...listBlocks(reviews.flatMap(reviewItems)),
    ...tableBlocks(['Story', 'Criterion', 'State', 'Why'], 0, criteria),
    ...tableBlocks(['Story', 'Checklist', 'State', 'Why'], 0, [...checklist, ...unsaid.map(unsaidRow)]),
  ]
}

const unsaidRow = (item: string): string[] => ['', item, 'unverifiable', 'no reviewer has said whether it holds']

function reviewItems(review: Review): string[] {
  const { story, reviewers, open, deferred, rejected, split, unverified, trustedBy, round } = review
  const trusted = trustedBy === null ? '' : `, which ${trustedBy} trusts`
  return [
    ...(reviewers.length === 0 ? [] : [`${story}, round ${round}: ${reviewers.map(reviewerText).join('; ')}`]),
    ...open.map((finding) => `${story}: open: ${findingText(finding)}`),
    ...(split.length === 0 ? [] : [`${story}: reviewers do not agree on ${counted(split.length, 'finding')}`]),
    ...(unverified ? [`${story}: unverified, since only one model has reviewed it${trusted}`] : []),
    ...deferred.map((one) => disposal(story, 'deferred', one)),
    ...rejected.map((one) => disposal(story, 'rejected', one)),
  ]
}

function reviewerText(reviewer: Review['reviewers'][number]): string {
  const { verdict, findings } = reviewer
  if (verdict === null) return `${reviewerLabel(reviewer)} gave no review`
  const word = verdict === 'approve' ? 'approves' : `says that it needs work (${counted(findings, 'finding')})`
  return `${reviewerLabel(reviewer)} ${word}`
}

const disposal = (story: string, fate: string, { finding, because }: Disposal): string =>
  `${story}: ${fate}: ${findingText(finding)}: ${oneLine(because, 300)}`

const findingText = (finding: Disposal['finding']): string =>
  `${oneLine(finding.message, 300)}${finding.file === null ? '' : ` (${placeText(finding)})`}`
