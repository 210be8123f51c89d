import { asQuestion } from '../../question.ts'
import { nobodyAnswers } from '../../story/course/coding.ts'
import { told } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import type { StoryRules } from './rules.ts'

/** A coder wants to know something. */
export const coder: StoryRules<'asking'> = {
  about: 'story',
  status: 'asking',
  takesWords: true,
  // An agent that asks something has said itself what it is about.
  shows: 'nothing',
  ask(_, { spec, turn }, control) {
    if (control.permission !== null) return null
    const options = control.options.map((label, index) => ({ id: `${index + 1}`, label }))
    return asQuestion({ id: `coder-${spec.id}-${turn}`, kind: 'coder', story: spec.id, text: control.text, options })
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
