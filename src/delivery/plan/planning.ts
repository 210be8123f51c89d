import { isIntentSettled } from '../intent/meaning.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf, storiesOf } from '../state.ts'
import { acceptanceFor } from '../story/acceptance.ts'
import { freshStory } from '../story/story.ts'
import { beginPhase } from '../story/strategy.ts'
import type { Plan, Story } from './plan.ts'
import { planProblems } from './validate.ts'

/** A plan is on the table: given, drafted, or revised. */
export function planProposed(state: DeliveryState, plan: Plan, revision: number): void {
  const problems = planProblems(plan, policyOf(state).limits.storiesPerPlan)
  if (problems.length > 0) return planFaulted(state, problems)
  if (!isIntentSettled(state.intent)) state.intent.control = { status: 'given' }
  state.plan.plan = plan
  state.plan.revision = revision
  state.plan.repairs = 0
  state.plan.control = policyOf(state).gates === 'auto' ? { status: 'approved' } : { status: 'proposed' }
  const stories = [...acceptanceFor(state, plan), ...plan.stories.map((spec) => freshStory(spec, 'story'))]
  state.order = stories.map(({ spec }) => spec.id)
  state.stories = Object.fromEntries(stories.map((story) => [story.spec.id, story]))
  for (const story of stories) beginPhase(state, story)
  serialise(state)
}

/** Stories that declare the same files are worked one after the other. */
export function serialise(state: DeliveryState): void {
  // Acceptance tests are on the line when all others are settled: nobody can wait for that.
  const stories = storiesOf(state).filter(({ kind }) => kind === 'story')
  const after = sharingFiles({ stories: stories.map((story) => story.spec), outline: null })
  for (const story of stories) story.after = after.get(story.spec.id) ?? []
}

/** One repair by the planner, then a clear stop. */
export function planFaulted(state: DeliveryState, problems: string[]): void {
  state.plan.repairs += 1
  const givenUp = state.plan.repairs > policyOf(state).limits.planRepairs
  state.plan.control = givenUp ? { status: 'faulted', problems } : { status: 'drafting', feedback: problems }
}

/** A human said no: the planner drafts again with their words, if there is one and it may. */
export function planRejected(state: DeliveryState, feedback: string): void {
  const { roles, limits } = policyOf(state)
  const again = roles.planner.length > 0 && state.plan.revision < limits.planRevisions
  state.plan.control = again ? { status: 'drafting', feedback: [feedback] } : { status: 'rejected', feedback }
}

/** For each story the earlier ones that declare one of its files: they are done one after the other. */
export function sharingFiles(plan: Plan): Map<string, string[]> {
  const byFile = new Map<string, string[]>()
  const after = new Map<string, string[]>()
  for (const { id, files } of dependenciesFirst(plan)) {
    const earlier = new Set(files.flatMap((file) => byFile.get(file) ?? []))
    after.set(id, [...earlier])
    for (const file of new Set(files)) byFile.set(file, [...(byFile.get(file) ?? []), id])
  }
  return after
}

/** Plan order, but never before what a story depends on: so waiting for files cannot close a circle. */
function dependenciesFirst(plan: Plan): Story[] {
  const stories = new Map(plan.stories.map((story) => [story.id, story]))
  const placed = new Set<Story>()
  for (const story of plan.stories) {
    const stack = [story]
    while (stack.length > 0) {
      const top = stack.at(-1)!
      const missing = top.dependsOn.map((id) => stories.get(id)!).find((dependency) => !placed.has(dependency))
      if (missing !== undefined) stack.push(missing)
      else placed.add(stack.pop()!)
    }
  }
  return [...placed]
}
