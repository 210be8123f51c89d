import type { Finding } from '../../delivery/judging/finding.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import { findingText } from '../../views/inbox.ts'
import type { WhyView } from '../../views/status.ts'
import { bold, dim, type ShownLine, yellow } from '../show/line.ts'
import { questionLines } from '../show/lines/question-lines.ts'
import { storyReviewLines } from '../show/lines/review-lines.ts'
import { clockText } from '../show/time.ts'
import { deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'show the state of a story, and how it got there',
  takes: { '<story>': '' },
  options: deliveryOption,
}

/** Where a story is and how it came there. */
export const whyVerb = verb(words, async ({ desk, screen }, [story], { delivery }) => {
  const view = await desk.why(delivery, story!)
  screen.show(view, () => whyLines(view))
  return 0
})

function whyLines(view: WhyView): ShownLine[] {
  const { story } = view
  const place = story.turns === 0 ? '' : `  attempt ${story.attempt}, round ${story.round}`
  return [
    [bold(story.story), `  ${story.title}`],
    [yellow(story.word), `  ${oneLine(story.detail, 1000)}`, dim(place)],
    ...view.history.flatMap(({ at, text, findings }) => [
      [dim(`  ${clockText(at)}  `), oneLine(text)],
      ...(findings.length > 1 ? findings.slice(0, 10).map((finding) => `            ${findingText(finding)}`) : []),
    ]),
    ...(story.findings.length === 0
      ? []
      : [bold('Open findings'), ...story.findings.flatMap((one) => findingLines(story.story, one))]),
    ...story.unnoticed.map((text): ShownLine => [yellow('Note: '), oneLine(text)]),
    ...(story.review === null ? [] : storyReviewLines({ ...story.review, open: [] })),
    ...questionLines(view.questions),
  ]
}

function findingLines(story: string, finding: Finding): ShownLine[] {
  const evidence = plainText(finding.evidence).trimEnd().split('\n').slice(-20)
  return [
    `  ${findingText(finding)}`,
    dim(`    ${waiverText(story, finding)}`),
    ...(finding.evidence.trim() === '' ? [] : evidence.map((line): ShownLine => dim(`    | ${line.slice(0, 300)}`))),
  ]
}

/** Only what the inspection found can be waived. */
const waiverText = (story: string, { source, fingerprint }: Finding): string =>
  source === 'inspection'
    ? `to accept it as it is: ropewalk waive ${story} ${fingerprint} --because "…"`
    : `fingerprint ${fingerprint}`
