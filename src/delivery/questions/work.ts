// Questions that come up while a story is worked on, judged and looked at.
import type { IntentRefusal } from '../intents.ts'
import type { Answer, Question } from '../question.ts'
import { enterReview } from '../review/course/evolve.ts'
import { approve, dispose, guardSplit, isForAll, sendBack, sortingOf } from '../review/course/sorting.ts'
import { acceptedAfterAll } from '../review/triage.ts'
import { type DeliveryState, storiesOf } from '../state.ts'
import { enterQueue, settleWithout } from '../story/course/attempts.ts'
import { nobodyAnswers, permitted } from '../story/course/coding.ts'
import { goOnWithChangedTests, maintainedText } from '../story/course/judging.ts'
import { permissionKind, type StoryState, told } from '../story/story.ts'
import { moveStory } from '../story/transitions.ts'
import { byApproving, type Given, type In, optionsOf, reject, type StoryRules, type Wording } from './rules.ts'

/** A coder wants to know something. */
export const coder: StoryRules<'asking'> = {
  about: 'story',
  status: 'asking',
  takesWords: true,
  // An agent that asks something has said itself what it is about.
  shows: 'nothing',
  ask(_, { spec, turn }, { permission: wanted, options: labels, text }) {
    if (wanted !== null) return null
    const options = labels.map((label, index) => ({ id: `${index + 1}`, label }))
    return { id: `coder-${spec.id}-${turn}`, text, options }
  },
  answer(_, story, { control: { base, from, text }, question, answer }) {
    const option = question.options.find((one) => one.id === answer.option)?.label ?? answer.option
    const words = [option, answer.text].filter((part) => part !== '').join(': ')
    story.findings = [...story.findings, told(`You asked: ${text}\nThe answer: ${words}`)]
    story.round += 1
    story.tally.turnsBefore = story.turn
    moveStory(story, 'sentBack', { base, from })
  },
  leave: nobodyAnswers,
}

/** A coder wants to do what it may not do by itself. */
export const permission: StoryRules<'asking'> = {
  about: 'story',
  status: 'asking',
  ask(_, { spec: { id }, turn }, { permission: wanted }) {
    if (wanted === null) return null
    const kind = permissionKind(wanted)
    const also = kind === wanted ? '' : ` (the answer holds in this story for all that is \`${kind}\`)`
    return {
      id: `permission-${id}-${turn}`,
      text: `May the coder of ${id} do this: ${wanted}${also}`,
      options: optionsOf({ allow: 'allow it from now on', deny: 'do not allow it' }),
      default: 'deny',
    }
  },
  /** A human who answers refuels the story; a deadline that passes does not. */
  answer(state, story, { control, answer }) {
    if (control.permission === null) return
    if (answer.by !== 'deadline') story.tally.turnsBefore = story.turn
    permitted(state, story, { ...control, permission: control.permission, allow: answer.option === 'allow' })
  },
}

/** Whether proven work may be merged. */
export const storyGate: StoryRules<'gated'> = {
  about: 'story',
  status: 'gated',
  words: { reject },
  command: byApproving,
  ask: (_, { spec, turn }) => ({
    id: `gate-${spec.id}-${turn}`,
    text: `Merge "${spec.title}"?`,
    options: optionsOf({ approve: 'merge it', reject: 'send it back, and say why', skip: 'leave it out' }),
  }),
  answer(state, story, { control, answer: { option, text } }) {
    if (option === 'approve') return enterQueue(state, story, control)
    if (option === 'skip')
      return settleWithout(state, story, { status: 'skipped', reason: text || 'a human said so', because: null })
    story.findings = [told(text)]
    // Other tests are to be shown to fail as well, as long as the code that they are for is not there.
    if (story.kind === 'acceptance' && control.base === state.request?.base) story.red = null
    refuse(story, control)
  },
}

/** Old tests fail, and their coder maintains that they have to change. It waits for as long as it takes. */
export const changedTestsRules: StoryRules<'contested'> = {
  about: 'story',
  status: 'contested',
  words: { reject },
  /** One question for all of them, with what each expected and what it expects now. */
  ask(_, { spec: { id }, turn, handoff }, { findings }) {
    const shown = findings.map(({ message, evidence }, index) => `${index + 1}. ${message}\n${evidence}`)
    return {
      id: `changed-tests-${id}-${turn}`,
      text: `${findings.length} old tests fail on ${id}, and its coder says that they must change. May they be changed?`,
      options: optionsOf({
        accept: 'yes: the requirement demands it',
        reject: 'no: send the story back, and say why',
      }),
      evidence: [maintainedText(handoff), ...shown].join('\n\n').slice(0, 20_000),
    }
  },
  answer(state, story, { control, answer }) {
    if (answer.option === 'accept') return goOnWithChangedTests(state, story, control)
    story.findings = [told(answer.text || 'these tests hold: mend the code'), ...control.findings]
    refuse(story, control)
  },
}

/** A human's no costs no attempt and no round. */
function refuse(story: StoryState, { base, commit }: { base: string; commit: string }): void {
  story.thisAttempt.failures = null
  story.tally.rounds = 1
  story.tally.turnsBefore = story.turn
  story.round += 1
  moveStory(story, 'sentBack', { base, from: commit })
}

/** A triager would drop too much of what reviewers found. */
export const triage: StoryRules<'disputed'> = {
  about: 'story',
  status: 'disputed',
  words: {
    decide: {
      prompt: 'Which of them count? Give their numbers, such as 1, 3',
      unsaid: {
        refused: 'you have not said which of them count',
        remedy: 'give their numbers: `ropewalk answer <question> decide "1, 3"`',
      },
    },
  },
  lacks: namesNone,
  ask(_, story, control) {
    if (control.about !== 'triage') return null
    const { findings, over } = control
    return {
      ...aboutFindings(story, control),
      text: `Reviewers found ${findings.length} things in ${story.spec.id}, and the triager would drop ${over.length} of them. Do they count?`,
      options: optionsOf({
        'accept-all': 'all of them count',
        'trust-triage': 'none of them counts',
        decide: 'some of them count: give their numbers',
      }),
    }
  },
  answer(state, story, { control, answer }) {
    if (control.about !== 'triage') return
    const { findings, over } = control
    const prints = answer.option === 'accept-all' ? over : answer.option === 'decide' ? chosen(over, answer.text) : []
    const because = `${answer.by} says that it counts`
    const sorted = acceptedAfterAll(findings, control.sorted, { prints, because })
    guardSplit(state, story, { ...sortingOf(control), sorted })
  },
}

function namesNone({ stories }: DeliveryState, { story }: Question, { option, text }: Given): IntentRefusal | null {
  const control = stories[story ?? '']?.control
  const isNamed = control?.status === 'disputed' && chosen(control.over, text).length > 0
  return option !== 'decide' || isNamed ? null : triage.words!.decide!.unsaid
}

/** By their numbers in the question, from 1. */
const chosen = (over: string[], text: string): string[] =>
  (text.match(/\d+/g) ?? []).flatMap((number) => over[Number(number) - 1] ?? [])

/** Reviewers do not agree on what blocks. */
export const split: StoryRules<'disputed'> = {
  about: 'story',
  status: 'disputed',
  ask: (_, story, control) =>
    control.about !== 'split'
      ? null
      : {
          ...aboutFindings(story, control),
          text: `Reviewers of ${story.spec.id} do not agree on ${control.over.length} of their findings. Who is right?`,
          options: optionsOf({
            blocking: 'those who object are right: send it back',
            trust: 'those who approved are right',
            'review-again': 'have it reviewed again',
          }),
        },
  answer(state, story, { control, answer }) {
    if (control.about !== 'split') return
    if (answer.option === 'review-again') return reviewAgain(state, story, control)
    const because = `${answer.by} trusts those who approved`
    const trusted = control.sorted.map((one) =>
      control.over.includes(one.fingerprint) ? { ...one, fate: 'rejected' as const, because } : one,
    )
    dispose(state, story, { ...sortingOf(control), sorted: answer.option === 'trust' ? trusted : control.sorted })
  },
}

function reviewAgain(state: DeliveryState, story: StoryState, control: In<'disputed'>): void {
  story.review.before = story.review.round
  enterReview(state, story, control)
}

/** What a question about what reviewers found is about. */
const aboutFindings = ({ spec, review }: StoryState, control: In<'disputed'>): Pick<Wording, 'id' | 'evidence'> => ({
  id: `${control.about}-${spec.id}-${review.round}`,
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

/** All who approve are one model. Who does not answer goes on, and it is told. */
export const unverified: StoryRules<'disputed'> = {
  about: 'story',
  status: 'disputed',
  words: {
    blocking: {
      prompt: 'What has to be fixed? The coder is told this.',
      unsaid: {
        refused: 'you have not said what has to be fixed',
        remedy: 'say it: `ropewalk answer <question> blocking "…"`',
      },
    },
  },
  ask(_, { spec, review }, { about }) {
    if (about !== 'unverified') return null
    const heard = Object.entries(review.words).flatMap(([vantage, { agent, model, word }]) =>
      word.status === 'returned' ? [{ vantage, name: model ?? agent, checked: word.checked }] : [],
    )
    const lines = heard.map(({ vantage, checked }) => `- ${vantage} looked at: ${checked.join('; ')}`.slice(0, 500))
    return {
      id: `unverified-${spec.id}-${review.round}`,
      text: `All ${heard.length} reviewers of ${spec.id} approve, but all of them are the same model (${heard[0]?.name}). Is that enough?`,
      options: optionsOf({
        trust: 'yes, that is enough',
        'trust-all': 'yes, for all stories of this delivery',
        'review-again': 'have it reviewed again',
        blocking: 'no: say what has to be fixed',
      }),
      default: 'trust',
      evidence: lines.join('\n'),
    }
  },
  answer(state, story, { control, answer }) {
    if (control.about !== 'unverified') return
    if (answer.option === 'review-again') return reviewAgain(state, story, control)
    if (answer.option === 'blocking') {
      // A human who finds something refuels the story.
      story.review.before = story.review.round
      story.tally.turnsBefore = story.turn
      return sendBack(state, story, { ...sortingOf(control), mend: [told(answer.text)], also: [], red: null })
    }
    trust(state, story, { control, answer })
    if (!isForAll(answer)) return
    for (const other of storiesOf(state))
      if (other.control.status === 'disputed' && other.control.about === 'unverified')
        trust(state, other, { control: other.control, answer })
  },
}

function trust(
  state: DeliveryState,
  story: StoryState,
  { control, answer }: { control: In<'disputed'>; answer: Answer },
): void {
  if (answer.by !== 'deadline') story.review.trustedBy = answer.by
  approve(state, story, control)
}
