// Questions about a story with which nobody can go on without a human, or that a human works on.
import { addToContract } from '../intent/course/evolve.ts'
import { proposalApproved } from '../plan/course/respecifying.ts'
import type { Answer, Question } from '../question.ts'
import { type DeliveryState, policyOf, raiseConcern } from '../state.ts'
import {
  beginRespec,
  handBack,
  isSplittable,
  letStand,
  refuel,
  settleWithout,
  takeOver,
  whyNotAmended,
} from '../story/course/attempts.ts'
import { type Proposal, type StoryState, told } from '../story/story.ts'
import { advice, byAnswering, byApproving, optionsOf, reject, type StoryRules } from './rules.ts'

const leaveOut = { skip: 'leave it out, and what depends on it' }
const stopAll = { stop: 'stop the delivery' }
const ends = {
  ...leaveOut,
  fail: 'give it up: what depends on it is left out, and the delivery ends as blocked',
  ...stopAll,
}

/** The attempts of a story are spent. */
export const escalation: StoryRules<'escalated'> = {
  about: 'story',
  status: 'escalated',
  words: { retry: advice, 'other-agent': advice, amend: advice, split: advice },
  command: (question) =>
    `ropewalk retry ${question.story} --advice "…"   or   ${byAnswering({ ...question, options: besides(question) })}`,
  ask(state, story, { reason }) {
    const { spec, escalations, avoid, coder } = story
    // Nobody works on what is only to be looked at.
    const isWork = story.kind !== 'review'
    const other = policyOf(state).roles.coder.find((agent) => agent !== coder && !avoid.includes(agent))
    const isAmendable = whyNotAmended(state, story) === null
    return {
      id: `escalation-${spec.id}-${escalations}`,
      text: `${spec.id} needs a human: ${reason}`,
      options: optionsOf({
        retry: 'try again, with advice',
        ...(other !== undefined && isWork ? { 'other-agent': `try again with another agent: ${other}` } : {}),
        ...(isWork ? { 'take-over': 'do it yourself, in its workspace' } : {}),
        ...(isAmendable ? { amend: 'have the planner rewrite its specification' } : {}),
        ...(isSplittable(state, story) ? { split: 'split it into smaller stories' } : {}),
        ...ends,
      }),
      evidence: packet(story),
      default: policyOf(state).unanswered,
    }
  },
  answer(state, story, { control: { reason }, answer }) {
    if (isLeftOut(state, story, { answer, reason })) return
    if (answer.text !== '') story.findings = [...story.findings, told(answer.text)]
    state.absences = {}
    if (answer.option === 'take-over') return takeOver(state, story)
    if (answer.option === 'split') return beginRespec(story, { as: 'split', reason })
    if (answer.option === 'amend') return beginRespec(story, { as: 'amended', reason })
    story.avoid = answer.option === 'other-agent' ? [...story.avoid, ...[story.coder ?? []].flat()] : []
    refuel(state, story)
  },
  leave: (state, story, { reason }) => settleWithout(state, story, { status: 'failed', reason }),
}

const besides = ({ options }: Question): Question['options'] => options.filter(({ id }) => id !== 'retry')

/** What is wanted cannot be told from what is known. */
export const intentGap: StoryRules<'unclear'> = {
  about: 'story',
  status: 'unclear',
  words: {
    answer: {
      prompt: 'What is wanted? It becomes part of what was asked for.',
      unsaid: {
        refused: 'the answer is empty',
        remedy: 'say what is wanted: `ropewalk answer <question> answer "…"`',
      },
    },
  },
  ask: (state, story, { reason }) => ({
    id: `intent-gap-${story.spec.id}-${story.escalations}`,
    text: `${story.spec.id} cannot go on, nor can any other story, until you say what is wanted: ${reason}`,
    options: optionsOf({
      answer: 'say what is wanted',
      'best-judgement': 'let the coder decide, and say what it assumed',
      ...ends,
    }),
    evidence: packet(story),
    default: policyOf(state).unanswered,
  }),
  /** The answer is part of what was asked for, from now on. */
  answer(state, story, { control: { reason }, answer }) {
    if (isLeftOut(state, story, { answer, reason })) return
    const text = answer.option === 'answer' ? answer.text : 'Use your best judgement, and say what you assumed.'
    if (answer.option === 'answer') addToContract(state, { question: reason, answer: answer.text, by: answer.by })
    else raiseConcern(state, `${story.spec.id}: ${reason}; the coder used its best judgement`)
    const others = story.findings.filter(({ source }) => source !== 'coder')
    story.findings = [...others, told(`${reason}\nThe answer: ${text}`)]
    refuel(state, story)
  },
  leave: (state, story, { reason }) => settleWithout(state, story, { status: 'failed', reason }),
}

/** A human works on a story, and says when they are done. */
export const takeOverRules: StoryRules<'taken-over'> = {
  about: 'story',
  status: 'taken-over',
  words: {
    done: { prompt: 'Anything to say to those who come after? You can leave this empty.', unsaid: null },
    retry: advice,
  },
  ask(_, story, { stage, path }) {
    if (stage !== 'theirs') return null
    const own = { done: 'I am done: take what is there, and judge it', retry: 'give it back to the agents' }
    return {
      id: `take-over-${story.spec.id}-${story.attempt}`,
      text: `${story.spec.id} is yours, in ${path}: work there, then say that you are done`,
      options: optionsOf({ ...own, ...leaveOut, ...stopAll }),
      evidence: packet(story),
    }
  },
  answer(state, story, { answer }) {
    if (isLeftOut(state, story, { answer, reason: 'a human gave it up' })) return
    if (answer.option === 'done') return handBack(story)
    if (answer.text !== '') story.findings = [...story.findings, told(answer.text)]
    refuel(state, story)
  },
}

/** Whether a story may become what the planner proposes. */
export const specGate: StoryRules<'respecified'> = {
  about: 'story',
  status: 'respecified',
  words: { reject },
  command: byApproving,
  ask: (_, story, { proposal, cause, departed }) => ({
    id: `spec-${story.spec.id}-${story.respecs}`,
    text: `${proposal.as === 'split' ? 'Split' : 'Change'} ${story.spec.id}? ${cause}`,
    options: optionsOf({
      approve: 'continue with this specification',
      reject: 'no, and say why',
      skip: 'leave the story out',
      ...(departed.length === 0 ? {} : { keep: 'leave it as it was planned' }),
    }),
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

/** Whether the answer ends the story, or all of it. */
function isLeftOut(
  state: DeliveryState,
  story: StoryState,
  { answer, reason: known }: { answer: Answer; reason: string },
): boolean {
  const late = answer.by === 'deadline'
  const reason = late ? `nobody answered in time: ${known}` : answer.text || known
  const unanswered = late ? { unanswered: true as const } : {}
  switch (answer.option) {
    case 'stop':
      state.mode = { status: 'stopping', reason: answer.text || `${story.spec.id} was abandoned` }
      return true
    case 'skip':
      if (late) raiseConcern(state, `${story.spec.id} was left out: ${reason}`)
      settleWithout(state, story, { status: 'skipped', reason, because: null, ...unanswered })
      return true
    case 'fail':
      settleWithout(state, story, { status: 'failed', reason })
      return true
    default:
      return false
  }
}
