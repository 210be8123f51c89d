// Questions about a story with which nobody can go on without a human.
import { isSplittable, whyNotAmended } from '../plan/respec.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf } from '../state.ts'
import type { Proposal, StoryState } from '../story/story.ts'
import type { Option, Question } from './question.ts'
import { asQuestion } from './question.ts'

export function stuckQuestion(state: DeliveryState, story: StoryState): Question | null {
  const { control, escalations, respecs } = story
  const { id } = story.spec
  const { unanswered } = policyOf(state)
  switch (control.status) {
    case 'escalated': {
      const text = `${id} needs a human: ${control.reason}`
      const options = escalationOptions(state, story)
      const about = { kind: 'escalation', story: id, text, options, evidence: packet(story) } as const
      return asQuestion({ id: `escalation-${id}-${escalations}`, ...about, default: unanswered })
    }
    case 'unclear': {
      const text = `${id} waits to know what is wanted, and so do all others: ${control.reason}`
      const about = { kind: 'intent-gap', story: id, text, evidence: packet(story) } as const
      return asQuestion({ id: `intent-gap-${id}-${escalations}`, options: gapOptions, ...about, default: unanswered })
    }
    case 'respecified': {
      const { proposal, cause } = control
      const text = `${proposal.as === 'split' ? 'Split' : 'Change'} ${id}? ${cause}`
      const about = { kind: 'spec-gate', story: id, text, evidence: proposalText(story, proposal) } as const
      const options = control.departed.length === 0 ? specOptions : [...specOptions, keepOption]
      return asQuestion({ id: `spec-${id}-${respecs}`, options, ...about })
    }
    case 'taken-over': {
      if (control.stage !== 'theirs') return null
      const text = `${id} is yours, in ${control.path}: work there, then say that you are done`
      const about = { kind: 'take-over', story: id, text, options: takenOptions, evidence: packet(story) } as const
      return asQuestion({ id: `take-over-${id}-${story.attempt}`, ...about })
    }
    default:
      return null
  }
}

/** What there is to choose from now. */
function escalationOptions(state: DeliveryState, story: StoryState): Option[] {
  const others = policyOf(state).roles.coder.filter((agent) => agent !== story.coder && !story.avoid.includes(agent))
  // Nobody works on what is only to be looked at.
  const isWork = story.kind !== 'review'
  const choices: (Option | null)[] = [
    { id: 'retry', label: 'try again, with advice' },
    others.length === 0 || !isWork ? null : { id: 'other-agent', label: `try again with another agent: ${others[0]}` },
    isWork ? { id: 'take-over', label: 'do it yourself, in its workspace' } : null,
    whyNotAmended(state, story) === null ? { id: 'amend', label: 'have the planner specify it anew' } : null,
    isSplittable(state, story) ? { id: 'split', label: 'split it into smaller ones' } : null,
    ...leftOut,
    { id: 'stop', label: 'stop the delivery' },
  ]
  return choices.filter((choice) => choice !== null)
}

/** What was tried, and what stands against it. */
function packet({ past, findings, former, last }: StoryState): string {
  const lines = [
    ...former.map(({ as, cause }) => `- was ${as}: ${cause}`),
    ...past
      .slice(-10)
      .map(({ attempt, round, agent, ended }) => `- attempt ${attempt}.${round} (${agent || 'a human'}): ${ended}`),
    ...findings.slice(0, 10).map(({ source, file, line, message }) => `- ${source}${where(file, line)}: ${message}`),
    ...(last === null ? [] : [`- the last work: ${last.from}`]),
  ]
  return lines.map((line) => line.slice(0, 500)).join('\n')
}

const where = (file: string | null, line: number | null): string =>
  file === null ? '' : ` ${file}${line === null ? '' : `:${line}`}`

function proposalText({ spec }: StoryState, proposal: Proposal): string {
  if (proposal.as === 'split')
    return proposal.into.map(({ id, title, complexity }) => `- ${id} (${complexity}): ${title}`).join('\n')
  return Object.entries(proposal.changes)
    .map(([key, value]) => `- ${key}: ${JSON.stringify(spec[key as keyof typeof spec])} → ${JSON.stringify(value)}`)
    .join('\n')
}

const leftOut: Option[] = [
  { id: 'skip', label: 'leave it out, with what depends on it' },
  { id: 'fail', label: 'give it up: what depends on it is left out, and the delivery ends as blocked' },
]
const gapOptions: Option[] = [
  { id: 'answer', label: 'say what is wanted' },
  { id: 'best-judgement', label: 'let the coder decide, and say what it assumed' },
  ...leftOut,
  { id: 'stop', label: 'stop the delivery' },
]
const specOptions: Option[] = [
  { id: 'approve', label: 'go on with it so' },
  { id: 'reject', label: 'no, and say why' },
  { id: 'skip', label: 'leave the story out' },
]
const keepOption: Option = { id: 'keep', label: 'leave it as it was planned' }
const takenOptions: Option[] = [
  { id: 'done', label: 'take what is there, and judge it' },
  { id: 'retry', label: 'give it back to the agents' },
  { id: 'skip', label: 'leave it out, with what depends on it' },
  { id: 'stop', label: 'stop the delivery' },
]
