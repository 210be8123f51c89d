import type { Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import { permitted } from '../../story/course/coding.ts'
import { permissionKind } from '../../story/story.ts'
import type { StoryRules } from './rules.ts'

/** A coder wants to do what it may not do by itself. */
export const permission: StoryRules<'asking'> = {
  about: 'story',
  status: 'asking',
  ask: (_, { spec: { id }, turn }, control) =>
    control.permission === null
      ? null
      : asQuestion({
          id: `permission-${id}-${turn}`,
          kind: 'permission',
          story: id,
          text: `May the coder of ${id} do this: ${control.permission}${alsoOf(control.permission)}`,
          options,
          default: 'deny',
        }),
  /** A human who answers refuels the story; a deadline that passes does not. */
  answer(state, story, { control, answer }) {
    if (control.permission === null) return
    if (answer.by !== 'deadline') story.tally.turnsBefore = story.turn
    permitted(state, story, { ...control, permission: control.permission, allow: answer.option === 'allow' })
  },
}

const alsoOf = (wanted: string): string =>
  permissionKind(wanted) === wanted
    ? ''
    : ` (the answer holds in this story for all that is \`${permissionKind(wanted)}\`)`

const options: Option[] = [
  { id: 'allow', label: 'allow it from now on' },
  { id: 'deny', label: 'do not allow it' },
]
