import type { Finding } from '../../delivery/judging/finding.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import { type Disposal, type ReviewView, reviewerLabel, type StoryReview } from '../../views/report/review.ts'
import { counted, placeText, shortId } from '../../views/step-text.ts'
import { atMost, bold, dim, green, red, type ShownLine, textsUnder, yellow } from './line.ts'

/** A review of existing work, from what was looked at to what is to be done. */
export function reviewLines(view: ReviewView): ShownLine[] {
  const core = view.core.map(({ path, reasons }) => `${path}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`)
  const noise = view.noise.map(({ path, because }) => `${path}: ${because}`)
  return [
    [bold(view.subject), dim(`  ${shortId(view.base)}..${shortId(view.commit)}`)],
    verdictLine(view),
    ...files('Core of the change', core),
    ...files('Noise', noise),
    ...storyReviewLines(view),
    ...scopeLines(view),
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
  const trusted = review.trustedBy === null ? '' : `, which ${review.trustedBy} trusts`
  const judged = ({ state, why }: { state: string; why: string }, what: string): string =>
    `${state}: ${oneLine(what, 300)}${why === '' ? '' : ` (${oneLine(why, 300)})`}`
  const criteria = review.criteria.map((one) => judged(one, one.criterion))
  const checklist = review.checklist.map((one) => judged(one, one.item))
  return [
    ...review.open.flatMap((finding) => findingLines(finding, review.split)),
    ...textsUnder(bold('Criteria'), criteria),
    ...textsUnder(bold('Checklist'), checklist),
    ...textsUnder(bold('Deferred, not mended here'), review.deferred.map(disposalText)),
    ...textsUnder(bold('Rejected'), review.rejected.map(disposalText)),
    ...textsUnder(bold('Reviewers'), review.reviewers.map(reviewerText)),
    ...(review.unverified ? [yellow(`unverified: only one model has reviewed it${trusted}`)] : []),
  ]
}

/** What the change does that nobody asked for. */
function scopeLines({ scope: { status, why, findings } }: ReviewView): ShownLine[] {
  if (status === 'none') return [[bold('scope: '), 'none']]
  if (status === 'unjudged') return [[bold('scope: '), yellow(`not judged: ${why}`)]]
  const texts = findings.map(({ finding, fate, because }) => {
    const reason = because === '' ? '' : `: ${oneLine(because, 300)}`
    return `${placed(finding)}${oneLine(finding.message, 300)} (${fate}${reason})`
  })
  return textsUnder(bold('Scope: what nobody asked for'), texts)
}

const placed = (finding: Finding): string => (finding.file === null ? '' : `${placeText(finding)}: `)

/** At a place that a terminal or an editor can open. */
function findingLines(finding: Finding, split: string[]): ShownLine[] {
  const { severity, message, evidence, fingerprint } = finding
  const weight = severity === 'blocking' ? red(severity) : yellow(severity)
  const disputed = split.includes(fingerprint) ? yellow(' (reviewers do not agree)') : ''
  const shown = plainText(evidence).trimEnd().split('\n').filter(Boolean).slice(0, 6)
  return [
    [bold(placed(finding)), weight, `: ${oneLine(message, 1000)}`, disputed],
    ...shown.map((text) => dim(`    | ${text.slice(0, 300)}`)),
  ]
}

const disposalText = ({ finding, because }: Disposal): string =>
  `${placed(finding)}${oneLine(finding.message, 300)} (${oneLine(because, 300)})`

function reviewerText(reviewer: StoryReview['reviewers'][number]): string {
  const { verdict, findings, said } = reviewer
  const who = reviewerLabel(reviewer)
  if (verdict === null) return `${who}: gave no review: ${oneLine(said.join('; '), 300)}`
  const looked = said.length === 0 ? '' : `; looked at ${oneLine(said.join('; '), 300)}`
  return `${who}: ${verdict === 'approve' ? 'approves' : `needs work, ${counted(findings, 'finding')}`}${looked}`
}

/** With the title. */
const mostFileLines = 11

const files = (title: string, texts: string[]): ShownLine[] =>
  atMost(mostFileLines, textsUnder(bold(title), texts), (left) => dim(`  … and ${counted(left, 'file')} more`))
