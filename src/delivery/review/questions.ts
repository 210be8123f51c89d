import type { Option, Question } from '../questions/question.ts'
import type { StoryState } from '../story/story.ts'
import type { Disputed } from './control.ts'

/** What a human is asked about findings; it waits for as long as it takes. */
export function disputeQuestion({ spec, review }: StoryState, control: Disputed): Question {
  const { about, over, findings } = control
  const text =
    about === 'triage'
      ? `Reviewers found ${findings.length} things in ${spec.id}, and the triager would drop ${over.length} of them. Do they count?`
      : `Reviewers of ${spec.id} do not agree on ${over.length} of their findings. Whom to believe?`
  return {
    id: `${about}-${spec.id}-${review.round}`,
    kind: about,
    story: spec.id,
    text,
    options: about === 'triage' ? triageOptions : splitOptions,
    default: null,
    deadlineAt: null,
    evidence: over.map((print, place) => `${place + 1}. ${evidenceOf(review, control, print)}`).join('\n'),
  }
}

function evidenceOf(review: StoryState['review'], { about, findings, sorted }: Disputed, print: string): string {
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

const triageOptions: Option[] = [
  { id: 'accept-all', label: 'all of them count' },
  { id: 'trust-triage', label: 'none of them does' },
  { id: 'decide', label: 'some do: say their numbers' },
]
const splitOptions: Option[] = [
  { id: 'blocking', label: 'they are right: send it back' },
  { id: 'trust', label: 'those who approved are right' },
  { id: 'review-again', label: 'have it reviewed once more' },
]
