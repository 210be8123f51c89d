import { canonical } from '../../../std/hash.ts'
import type { Limits } from '../../policy.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, storiesOf } from '../../state.ts'
import { acceptanceOf } from '../../story/course/acceptance.ts'
import { piecesPerSplit } from '../../story/course/attempts.ts'
import type { Proposal, StoryState } from '../../story/story.ts'
import type { Plan, Story } from '../plan.ts'
import { plainWords, planProblems, settingsProblems } from '../validate.ts'

/** What is wrong with a planner's proposal: the plan as it would be then must be as sound as any, and as strict. */
export function proposalProblems(state: DeliveryState, story: StoryState, proposal: Proposal): string[] {
  if (proposal.as === 'split') return splitProblems(state, story, proposal.into)
  const spec = { ...story.spec, ...proposal.changes, id: story.spec.id }
  if (canonical(spec) === canonical(story.spec)) return ['nothing is different from what it was']
  return [
    ...amendedProblems(state, story, proposal.changes),
    ...settingsProblems({ stories: [spec], outline: null }),
    ...loosened(story.spec, [spec]),
  ]
}

/** What is wrong with a story as somebody would have it. */
export function amendedProblems(state: DeliveryState, story: StoryState, changes: Partial<Story>): string[] {
  const spec = { ...story.spec, ...changes, id: story.spec.id }
  const stories = living(state).map((one) => (one === story ? spec : one.spec))
  const lost = lostDependency(state, spec.dependsOn)
  const last = acceptanceOf(state)
  const problems = [...soundness(state, stories), ...sizeProblems({ stories: [spec] }, policyOf(state).limits)]
  if (spec.dependsOn.length > 0 && (story === last || spec.dependsOn.includes(last?.spec.id ?? '')))
    problems.push('acceptance tests are the last on the line: nothing depends on them, nor do they')
  return lost === null ? problems : [...problems, `it depends on ${lost}, which is not there`]
}

export const lostDependency = (state: DeliveryState, dependsOn: string[]): string | null =>
  dependsOn.find((id) => ['failed', 'skipped'].includes(state.stories[id]?.control.status ?? '')) ?? null

const living = (state: DeliveryState): StoryState[] =>
  storiesOf(state).filter(({ control }) => control.status !== 'split')

/** Stories that were added to the plan are not counted. */
function soundness(state: DeliveryState, stories: Story[]): string[] {
  const added = state.line.mends + (acceptanceOf(state) === null ? 0 : 1)
  return planProblems({ outline: null, stories }, policyOf(state).limits.storiesPerPlan + added)
}

function splitProblems(state: DeliveryState, story: StoryState, into: Story[]): string[] {
  const { id, complexity } = story.spec
  if (into.length < 2 || into.length > piecesPerSplit)
    return [`${id} is to become 2 to ${piecesPerSplit} stories, and not ${into.length}`]
  const taken = new Set(state.order.map((one) => one.toLowerCase()))
  const pieces = inherited(story.spec, into)
  const others = living(state).filter((one) => one !== story)
  const lost = lostDependency(
    state,
    pieces.flatMap(({ dependsOn }) => dependsOn),
  )
  const last = acceptanceOf(state)?.spec.id ?? ''
  return [
    ...into.filter((one) => taken.has(one.id.toLowerCase())).map((one) => `there is a story ${one.id} already`),
    ...into.filter((one) => one.complexity >= complexity).map((one) => `${one.id} is not smaller than ${id} is`),
    ...soundness(state, [...others.map(({ spec }) => dependingOn(spec, id, into)), ...pieces]),
    ...sizeProblems({ stories: pieces }, policyOf(state).limits),
    ...settingsProblems({ stories: pieces, outline: null }),
    ...loosened(story.spec, pieces),
    ...droppedCriteria(story.spec, pieces),
    ...(lost === null ? [] : [`one of them depends on ${lost}, which is not there`]),
    ...(pieces.some(({ dependsOn }) => dependsOn.includes(last)) ? [`nothing can depend on ${last}`] : []),
  ]
}

/** What the whole needed, each of its parts needs. */
export const inherited = ({ dependsOn }: Story, into: Story[]): Story[] =>
  into.map((piece) => ({ ...piece, dependsOn: [...new Set([...dependsOn, ...piece.dependsOn])] }))

/** Who needed the whole needs all of its parts. */
export function dependingOn(spec: Story, id: string, into: Story[]): Story {
  if (!spec.dependsOn.includes(id)) return spec
  const parts = into.map((piece) => piece.id)
  return { ...spec, dependsOn: [...new Set(spec.dependsOn.flatMap((one) => (one === id ? parts : [one])))] }
}

/** What holds agents to a story is not given up by one of them. */
function loosened(before: Story, after: Story[]): string[] {
  const proofs = new Set(after.flatMap((one) => one.proofs.map(canonical)))
  return [
    ...after.flatMap((one) => [
      ...one.mayChange
        .filter((path) => !before.mayChange.includes(path))
        .map((path) => `${one.id} may not change ${path}: ${before.id} was not to change it`),
      ...(one.mayBeEmpty && !before.mayBeEmpty ? [`${one.id} may not be empty: ${before.id} was not to be`] : []),
      ...(one.strategy === 'none' && before.strategy !== 'none' ? [`${one.id} may not do without tests`] : []),
      ...(one.tests !== 'witnessed' && before.tests === 'witnessed' ? [`the tests of ${one.id} must fail first`] : []),
    ]),
    ...before.proofs
      .filter((proof) => !proofs.has(canonical(proof)))
      .map((proof) => `a proof is missing: ${canonical(proof)}`),
  ]
}

function droppedCriteria(before: Story, after: Story[]): string[] {
  const kept = new Set(after.flatMap(({ criteria }) => criteria.map(plainWords)))
  return before.criteria
    .filter((one) => !kept.has(plainWords(one)))
    .map((one) => `none of them has this criterion: ${one}`)
}

type Sizes = Pick<Limits, 'complexityPerStory' | 'filesPerStory' | 'criteriaPerStory'>

/** What is wrong with a plan that a human brings. */
export const givenProblems = (plan: Plan, limits: Sizes & Pick<Limits, 'storiesPerPlan'>): string[] => [
  ...planProblems(plan, limits.storiesPerPlan),
  ...sizeProblems(plan, limits),
]

/** Stories that are larger than one should be: they are split, or asked about, before anybody codes them. */
export const sizeProblems = ({ stories }: Pick<Plan, 'stories'>, limits: Sizes): string[] =>
  stories.flatMap((story) => oversize(story, limits))

function oversize({ id, complexity, files, criteria }: Story, limits: Sizes): string[] {
  const { complexityPerStory, filesPerStory, criteriaPerStory } = limits
  return [
    ...over(complexity, complexityPerStory, `${id} is of complexity`, 'limits.complexityPerStory'),
    ...over(files.length, filesPerStory, `${id} declares this many files:`, 'limits.filesPerStory'),
    ...over(criteria.length, criteriaPerStory, `${id} has this many criteria:`, 'limits.criteriaPerStory'),
  ]
}

const over = (size: number, limit: number, ...[what, setting]: [string, string]): string[] =>
  size > limit ? [`${what} ${size}; at most ${limit} are allowed (${setting}): split it`] : []
