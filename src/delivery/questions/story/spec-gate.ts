import { proposalApproved } from '../../plan/course/respecifying.ts'
import type { Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import { beginRespec, letStand } from '../../story/course/attempts.ts'
import type { Proposal, StoryState } from '../../story/story.ts'
import { byApproving, reject, type StoryRules } from './rules.ts'
import { isLeftOut } from './stuck.ts'

/** Whether a story may become what the planner proposes. */
export const specGate: StoryRules<'respecified'> = {
  about: 'story',
  status: 'respecified',
  words: { reject },
  command: byApproving,
  ask: (_, story, { proposal, cause, departed }) =>
    asQuestion({
      id: `spec-${story.spec.id}-${story.respecs}`,
      kind: 'spec-gate',
      story: story.spec.id,
      text: `${proposal.as === 'split' ? 'Split' : 'Change'} ${story.spec.id}? ${cause}`,
      options: departed.length === 0 ? options : [...options, keep],
      evidence: proposalText(story, proposal),
    }),
  answer(state, story, { control: { proposal, cause, departed }, answer }) {
    if (isLeftOut(state, story, { answer, reason: cause })) return
    if (answer.option === 'approve') return proposalApproved(state, story)
    if (answer.option === 'keep') return letStand(state, story, `${answer.by} said so`)
    beginRespec(story, { as: proposal.as, reason: cause, departed, problems: [answer.text] })
  },
}

function proposalText({ spec }: StoryState, proposal: Proposal): string {
  if (proposal.as === 'split')
    return proposal.into.map(({ id, title, complexity }) => `- ${id} (${complexity}): ${title}`).join('\n')
  return Object.entries(proposal.changes)
    .map(([key, value]) => `- ${key}: ${JSON.stringify(spec[key as keyof typeof spec])} → ${JSON.stringify(value)}`)
    .join('\n')
}

const options: Option[] = [
  { id: 'approve', label: 'continue with this specification' },
  { id: 'reject', label: 'no, and say why' },
  { id: 'skip', label: 'leave the story out' },
]
const keep: Option = { id: 'keep', label: 'leave it as it was planned' }
