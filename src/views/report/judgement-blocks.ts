import { oneLine } from '../../std/text/plain-text.ts'
import type { Disposal } from '../review/story-review.ts'
import { counted } from '../step-text.ts'
import type { Block } from './document.ts'
import type { ReportView } from './report.ts'

/** The reading that the work went by, and what was said against it. */
export function meaningBlocks({ intent }: ReportView): Block[] {
  if (intent?.meaning == null) return []
  const { meaning, dissents, unknown, refuted, weaker } = intent
  const items = [
    ...meaning.behaviours.map((text) => oneLine(text, 400)),
    ...dissents.map((text) => `Otherwise read: ${oneLine(text, 400)}`),
    ...unknown.map((text) => `Nobody could tell whether this holds: ${oneLine(text, 400)}`),
    ...refuted.map((text) => `The code says otherwise: ${oneLine(text, 400)}`),
    ...(weaker ? ['Those who were asked besides are models of the same family.'] : []),
  ]
  const text = `${oneLine(meaning.summary, 1000)} (${oneLine(meaning.because || meaning.by, 400)})`
  return [{ kind: 'text', text }, ...(items.length === 0 ? [] : [{ kind: 'list' as const, items }])]
}

type Review = ReportView['reviews'][number]

/** Criteria and checklist item by item, and what is not mended, with its reason. */
export function reviewBlocks({ reviews, unsaid }: ReportView): Block[] {
  const criteria = reviews.flatMap(({ story, criteria: all }) =>
    all.map(({ criterion, state, why }) => [story, criterion, state, why]),
  )
  const checklist = reviews.flatMap(({ story, checklist: all }) =>
    all.map(({ item, state, why }) => [story, item, state, why]),
  )
  const items = reviews.flatMap(reviewItems)
  return [
    ...(items.length === 0 ? [] : [{ kind: 'list' as const, items }]),
    ...table(['Story', 'Criterion', 'State', 'Why'], criteria),
    ...table(['Story', 'Checklist', 'State', 'Why'], [...checklist, ...unsaid.map(unsaidRow)]),
  ]
}

const unsaidRow = (item: string): string[] => ['', item, 'unverifiable', 'no reviewer has said whether it holds']

const table = (columns: string[], rows: string[][]): Block[] =>
  rows.length === 0 ? [] : [{ kind: 'table', columns, figures: 0, rows }]

function reviewItems(review: Review): string[] {
  const { story, reviewers, open, deferred, rejected, split, unverified, trustedBy, round } = review
  const trusted = trustedBy === null ? '' : `, which ${trustedBy} trusts`
  return [
    ...(reviewers.length === 0 ? [] : [`${story}, round ${round}: ${reviewers.map(reviewerText).join('; ')}`]),
    ...open.map((finding) => `${story}: open: ${findingText(finding)}`),
    ...(split.length === 0 ? [] : [`${story}: reviewers do not agree on ${counted(split.length, 'finding')}`]),
    ...(unverified ? [`${story}: unverified, since nobody but one model has looked at it${trusted}`] : []),
    ...deferred.map((one) => disposal(story, 'deferred', one)),
    ...rejected.map((one) => disposal(story, 'rejected', one)),
  ]
}

function reviewerText({ vantage, called, agent, model, verdict, findings }: Review['reviewers'][number]): string {
  const calls = called ? ', the diff calls for it' : ''
  const who = `${vantage} (${model === null ? agent : `${agent}, ${model}`}${calls})`
  if (verdict === null) return `${who} did not come back`
  return `${who} ${verdict === 'approve' ? 'approves' : `says that it needs work (${counted(findings, 'finding')})`}`
}

const disposal = (story: string, fate: string, { finding, because }: Disposal): string =>
  `${story}: ${fate}: ${findingText(finding)}: ${oneLine(because, 300)}`

const findingText = ({ file, line, message }: Disposal['finding']): string =>
  `${oneLine(message, 300)}${file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`}`
