import type { Outcome } from '../../../src/delivery/events.ts'
import type { Story } from '../../../src/delivery/plan/plan.ts'
import type { DeliveryState } from '../../../src/delivery/state.ts'
import { storyOf } from '../../../src/delivery/state.ts'
import type { AuditPlan, DraftPlan, HarvestStory, RespecifyStory } from '../../../src/delivery/step.ts'
import { noHandoff } from '../../../src/delivery/story/handoff.ts'
import { story } from '../sample.ts'
import type { Fresh } from './outcomes.ts'

/** A plan, one that does not do, and prose. */
export function drafted({ id, revision }: DraftPlan, stories: Story[]): Outcome[] {
  const wrong = story('a', { dependsOn: ['a'] })
  const draft = (given: Story[]): Outcome => ({
    ...{ type: 'PlanDrafted', step: id, revision, cause: 'drafted' },
    plan: { stories: given, outline: null },
  })
  return [draft(stories), draft([wrong]), { type: 'PlanFaulted', step: id, problems: ['prose'] }]
}

export const audited = ({ id, revision }: AuditPlan): Outcome[] =>
  [[], ['it misses something']].map((problems) => ({
    ...{ type: 'PlanAudited', step: id, revision },
    ...{ problems, concerns: [] },
  }))

/** What fits, what does not, and nothing. */
export function respecified(state: DeliveryState, { id, story: name, as, turn, departed }: RespecifyStory): Outcome[] {
  const about = { step: id, story: name, cause: 'it was wrong' }
  const amended: Outcome[] = [{ description: `better ${turn}` }, {}].map((changes) => ({
    type: 'StoryRespecified',
    ...about,
    changes,
  }))
  const pieces = piecesOf(storyOf(state, name).spec, turn)
  const split: Outcome[] = [pieces, pieces.slice(1)].map((into) => ({ type: 'StorySplit', ...about, into }))
  return [
    ...(as === 'split' ? split : amended),
    ...(departed === undefined ? [] : [{ type: 'StoryUpheld' as const, step: id, story: name, why: 'it is right' }]),
    { type: 'RespecifyFaulted', step: id, story: name, problems: ['prose'] },
  ]
}

/** The second one needs the first. */
export const piecesOf = ({ id, criteria, mayChange, proofs }: Story, turn: number): Story[] => [
  story(`${id}-${turn}x`, { criteria, mayChange, proofs }),
  story(`${id}-${turn}y`, { dependsOn: [`${id}-${turn}x`] }),
]

export const harvested = ({ id, story: name }: HarvestStory, fresh: Fresh): Outcome[] => {
  const about = { step: id, story: name, session: null }
  return [
    { type: 'StoryCoded', ...about, commit: fresh('c'), tree: fresh('t'), summary: '', handoff: noHandoff },
    { type: 'CodingFailed', ...about, kind: 'empty', message: 'nothing is there', evidence: '' },
  ]
}
