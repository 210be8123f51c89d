import type { Finding } from '../../../src/delivery/judging/finding.ts'
import { isDismissed } from '../../../src/delivery/review/review.ts'
import type { StoryControl, StoryState } from '../../../src/delivery/story/story.ts'
import { recurring } from './review-outcomes.ts'

/** What reviewers have said, as far as something follows from it. */
export function reviewKey(story: StoryState): unknown {
  const { round, before, since, words, rebuttals, open, split, approved, calls } = story.review
  const { control } = story
  const isNow = control.status === 'reviewing'
  const said = Object.entries(words).map(([vantage, { word }]) =>
    word.status === 'absent'
      ? [vantage]
      : [vantage, word.verdict, word.findings.map(nameOf), word.outside.length, isNow || word.rebuttals.length],
  )
  return [
    [calls, round - before, since !== null, 'base' in control && since?.base === control.base],
    ...[isInReview(control) ? said.sort() : 0, Object.keys(rebuttals).sort(), split.map(nameOfPrint)],
    ...[open.map(nameOf), approved === null, isDismissed(story, recurring)],
    Object.values(rebuttals).flatMap((all) => all.map(({ stance }) => stance)),
  ]
}

/** The control of a review without what its findings are called in this round. */
export function withoutRounds(control: StoryControl): object {
  switch (control.status) {
    case 'triaging':
      return { ...control, findings: control.findings.map(nameOf) }
    case 'disputed': {
      const sorted = control.sorted.map(({ fate, severity }) => [fate, severity])
      return { ...control, findings: control.findings.map(nameOf), sorted, over: control.over.map(nameOfPrint) }
    }
    case 'reproducing':
      return { ...control, mend: control.mend.map(nameOf), also: control.also.map(nameOf) }
    default:
      return control
  }
}

const isInReview = ({ status }: StoryControl): boolean =>
  ['reviewing', 'triaging', 'disputed', 'reproducing'].includes(status)

const nameOf = ({ fingerprint, severity }: Finding): unknown => [nameOfPrint(fingerprint), severity]
const nameOfPrint = (fingerprint: string): string => fingerprint.replace(/ \d+$/, '')
