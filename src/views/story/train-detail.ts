import type { StoryId } from '../../delivery/ids.ts'
import { carsOf, prefixesOf } from '../../delivery/merging/cars.ts'
import { spanOf } from '../../delivery/merging/train.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import type { Judge } from '../../delivery/step.ts'

/** What the train does with one of its stories, in words that follow the story's name. */
export function trainDetail(state: DeliveryState, id: StoryId): string {
  const names = carsOf(state).map(({ story }) => story.spec.id)
  const place = names.indexOf(id)
  const { proven, red } = spanOf(prefixesOf(state))
  if (state.stories[id]?.kind === 'acceptance') return 'joins the line, to be run on the result'
  if (place <= proven)
    return place === 0 ? 'proven, joins the line' : `proven, joins the line after ${names[place - 1]}`
  const suspects = names.slice(proven + 1, red + 1)
  if (place > red) return `waits until it is known which of ${listed(suspects, 'or')} is at fault`
  const judging = runningJudge(state, id)
  const together = names.slice(proven + 1, place + 1)
  if (judging !== null)
    return together.length === 1
      ? `by ${judging.judge}`
      : `proves ${listed(together, 'and')} together, by ${judging.judge}`
  if (red < names.length) return `one of ${listed(suspects, 'and')} is at fault: it is being found out`
  const further = names.slice(place + 1).find((name) => runningJudge(state, name) !== null)
  if (further !== undefined) return `is being proven together with ${further}`
  return together.length === 1
    ? 'to be proven on the line'
    : `to be proven together with ${listed(together.slice(0, -1), 'and')}`
}

function runningJudge(state: DeliveryState, id: StoryId): Judge | null {
  for (const { step } of Object.values(state.running))
    if (step.verb === 'Judge' && step.scope === 'line' && step.story === id) return step
  return null
}

/** `a`, `a and b`, `a, b and c`. */
const listed = (names: string[], word: string): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
