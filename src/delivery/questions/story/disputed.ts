// What questions about what reviewers found have in common.

import type { Question } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import type { StoryState } from '../../story/story.ts'
import type { In } from './rules.ts'

/** It waits for as long as it takes. */
export const aboutFindings = (
  { spec, review }: StoryState,
  control: In<'disputed'>,
  said: Pick<Question, 'text' | 'options'>,
): Question =>
  asQuestion({
    id: `${control.about}-${spec.id}-${review.round}`,
    kind: control.about,
    story: spec.id,
    ...said,
    evidence: control.over.map((print, place) => `${place + 1}. ${evidenceOf(review, control, print)}`).join('\n'),
  })

function evidenceOf(review: StoryState['review'], { about, findings, sorted }: In<'disputed'>, print: string): string {
  const finding = findings.find(({ fingerprint }) => fingerprint === print)
  const word = sorted.find(({ fingerprint }) => fingerprint === print)
  const place = finding?.file == null ? '' : `${finding.file}${finding.line === null ? '' : `:${finding.line}`}: `
  const against = Object.entries(review.rebuttals).flatMap(([vantage, rebuttals]) =>
    rebuttals
      .filter(({ fingerprint, stance }) => fingerprint === print && stance === 'disputed')
      .map(({ because }) => `${vantage} says: ${because}`),
  )
  const said = about === 'triage' ? [`${word?.fate} as ${word?.severity}: ${word?.because}`] : against
  const quote = finding?.evidence ?? ''
  return [`${place}${finding?.message} (${finding?.severity})`, ...(quote === '' ? [] : [quote]), ...said].join('\n   ')
}
