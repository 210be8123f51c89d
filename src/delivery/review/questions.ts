import { asQuestion, type Option, type Question } from '../questions/question.ts'
import type { StoryState } from '../story/story.ts'
import type { Disputed } from './control.ts'

/** What a human is asked about what reviewers said; about findings it waits for as long as it takes. */
export function disputeQuestion(story: StoryState, control: Disputed): Question {
  const { about, over, findings } = control
  if (about === 'unverified') return unverifiedQuestion(story)
  const { spec, review } = story
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

/** Nothing was found: who does not answer goes on, and it is told. */
function unverifiedQuestion({ spec, review }: StoryState): Question {
  const heard = Object.entries(review.words).flatMap(([vantage, { agent, model, word }]) =>
    word.status === 'returned' ? [{ vantage, name: model ?? agent, checked: word.checked }] : [],
  )
  const text = `All ${heard.length} reviewers of ${spec.id} approve, and all are one model (${heard[0]?.name}). Will that do?`
  const lines = heard.map(({ vantage, checked }) => `- ${vantage} looked at: ${checked.join('; ')}`.slice(0, 500))
  const about = { kind: 'unverified', story: spec.id, text, options: unverifiedOptions, default: 'trust' } as const
  return asQuestion({ id: `unverified-${spec.id}-${review.round}`, ...about, evidence: lines.join('\n') })
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
const unverifiedOptions: Option[] = [
  { id: 'trust', label: 'it will do' },
  { id: 'trust-all', label: 'it will do, for all stories of this delivery' },
  { id: 'review-again', label: 'have it reviewed once more' },
  { id: 'blocking', label: 'it will not: say what is to be mended' },
]
