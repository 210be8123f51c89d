import type { Finding } from '../../../delivery/judging/finding.ts'
import { oneLine, plainText } from '../../../std/text/plain-text.ts'
import {
  type Disposal,
  type ReviewView,
  reviewerLabel,
  type ScopeView,
  type StoryReview,
} from '../../../views/report/review.ts'
import { counted, placeText, shortId } from '../../../views/step-text.ts'
import { bold, dim, green, red, type ShownLine, yellow } from '../line.ts'

/** A review of existing work, from what was looked at to what is to be done. */
export function reviewLines(view: ReviewView): ShownLine[] {
  const { core, noise } = view
  return [
    [bold(view.subject), dim(`  ${shortId(view.base)}..${shortId(view.commit)}`)],
    verdictLine(view),
    ...files(
      'Core of the change',
      core.map(({ path, reasons }) => `${path}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`),
    ),
    ...files(
      'Noise',
      noise.map(({ path, because }) => `${path}: ${because}`),
    ),
    ...storyReviewLines(view),
    ...scopeLines(view.scope),
    ...view.concerns.map((text): ShownLine => [yellow('concern: '), oneLine(text)]),
  ]
}

function verdictLine({ verdict, open, reason }: ReviewView): ShownLine {
  if (verdict === 'approve') return green('approve')
  if (verdict === 'needs-work') return [red('needs work'), `  ${counted(open.length, 'finding')}`]
  return [yellow('no verdict'), reason === '' ? '' : `  ${oneLine(reason, 1000)}`]
}

/** What reviewers made of a story, wherever it is shown. */
export function storyReviewLines(review: StoryReview): ShownLine[] {
  return [
    ...review.open.flatMap((finding) => findingLines(finding, review.split)),
    ...listed(
      'Criteria',
      review.criteria.map(({ criterion, state, why }) => `${state}: ${oneLine(criterion, 300)}${reasoned(why)}`),
    ),
    ...listed(
      'Checklist',
      review.checklist.map(({ item, state, why }) => `${state}: ${oneLine(item, 300)}${reasoned(why)}`),
    ),
    ...disposals('Deferred, not mended here', review.deferred),
    ...disposals('Rejected', review.rejected),
    ...listed('Reviewers', review.reviewers.map(reviewerText)),
    ...(review.unverified ? [yellow(`unverified: only one model has reviewed it${trusted(review)}`)] : []),
  ]
}

/** What the change does that nobody asked for. */
function scopeLines({ status, why, findings }: ScopeView): ShownLine[] {
  if (status === 'none') return [[bold('scope: '), 'none']]
  if (status === 'unjudged') return [[bold('scope: '), yellow(`not judged: ${why}`)]]
  return listed(
    'Scope: what nobody asked for',
    findings.map(({ finding, fate, because }) => {
      const why = because === '' ? '' : `: ${oneLine(because, 300)}`
      return `${placed(finding)}${oneLine(finding.message, 300)} (${fate}${why})`
    }),
  )
}

const placed = (finding: Finding): string => (finding.file === null ? '' : `${placeText(finding)}: `)

const reasoned = (why: string): string => (why === '' ? '' : ` (${oneLine(why, 300)})`)

/** At a place that a terminal or an editor can open. */
function findingLines(finding: Finding, split: string[]): ShownLine[] {
  const { severity, message, evidence, fingerprint } = finding
  const shown = plainText(evidence).trimEnd().split('\n').filter(Boolean).slice(0, 6)
  const disputed = split.includes(fingerprint) ? [yellow(' (reviewers do not agree)')] : []
  return [
    [
      bold(placed(finding)),
      severity === 'blocking' ? red(severity) : yellow(severity),
      `: ${oneLine(message, 1000)}`,
      ...disputed,
    ],
    ...shown.map((text): ShownLine => dim(`    | ${text.slice(0, 300)}`)),
  ]
}

const trusted = ({ trustedBy }: StoryReview): string => (trustedBy === null ? '' : `, which ${trustedBy} trusts`)

const disposals = (title: string, disposed: Disposal[]): ShownLine[] =>
  listed(
    title,
    disposed.map(
      ({ finding, because }) => `${placed(finding)}${oneLine(finding.message, 300)} (${oneLine(because, 300)})`,
    ),
  )

function reviewerText(reviewer: StoryReview['reviewers'][number]): string {
  const { verdict, findings, said } = reviewer
  const who = reviewerLabel(reviewer)
  if (verdict === null) return `${who}: gave no review: ${oneLine(said.join('; '), 300)}`
  const looked = said.length === 0 ? '' : `; looked at ${oneLine(said.join('; '), 300)}`
  return `${who}: ${verdict === 'approve' ? 'approves' : `needs work, ${counted(findings, 'finding')}`}${looked}`
}

const mostFiles = 10

const files = (title: string, texts: string[]): ShownLine[] => [
  ...listed(title, texts.slice(0, mostFiles)),
  ...(texts.length > mostFiles ? [dim(`  … and ${counted(texts.length - mostFiles, 'file')} more`)] : []),
]

const listed = (title: string, texts: string[]): ShownLine[] =>
  texts.length === 0 ? [] : [bold(title), ...texts.map((text): ShownLine => `  ${text}`)]
