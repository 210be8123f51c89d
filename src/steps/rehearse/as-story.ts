import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import { type DeliveryState, initialState } from '../../delivery/state.ts'
import type { Judge } from '../../delivery/step.ts'
import { freshStory } from '../../delivery/story/story.ts'
import type { RunRehearsal } from '../../ports/proofs/rehearsal.ts'
import { judgeOf } from '../check/run-check.ts'

const id = 'rehearsed'

export interface Ends {
  base: CommitId
  commit: CommitId
  tree: TreeId
}

/** A delivery of which nothing is known but that this commit is to be a story of it. */
export function asStory({ commit: { subject }, policy, known }: RunRehearsal, { base }: Ends): DeliveryState {
  const requirement = { text: subject, source: '', submitter: '' }
  const request = { requirement, repository: known, target: policy.target, base, review: null, at: 0 }
  const stories = { [id]: freshStory(specOf(subject), 'story') }
  return { ...initialState('rehearse'), request, policy, order: [id], stories }
}

const specOf = (title: string): Story => ({
  ...{ id, title, description: '', criteria: [], dependsOn: [], complexity: 1 },
  ...{ files: [], contextFiles: [], risks: [], mayChange: [], mayBeEmpty: true },
  ...{ strategy: null, noTestsBecause: '', tests: 'witnessed', proofs: [] },
})

/** Old tests are asked as on the line: all of them. */
export const judgeOfStory = (judge: string, ends: Ends): Judge =>
  judgeOf(judge, {
    id: `${ends.commit.slice(0, 12)}-${judge.replace(/\W+/g, '-')}`,
    story: id,
    scope: judge.startsWith('guard:') ? 'line' : 'story',
    ...ends,
  })
