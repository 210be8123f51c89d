import type { Outcome } from '../delivery/events.ts'
import type { AddFixStory } from '../delivery/step.ts'

export const addFixStory = ({ id, spec, findings }: AddFixStory): Outcome => ({
  type: 'FixStoryAdded',
  step: id,
  story: spec.id,
  spec,
  findings,
})
