import { policyOf, storiesOf, storyOf } from '../../delivery/state.ts'
import type { CodeStory } from '../../delivery/step.ts'
import { isSettled, type Session } from '../../delivery/story/story.ts'
import type { Performance } from '../../ports/performer.ts'
import type { CoderBrief } from '../../roles/coder/prompt.ts'
import { requestOf } from '../place/request.ts'
import type { StepWorld } from '../world.ts'

/** What a coder may see of the delivery. */
export function coderBrief(
  world: StepWorld,
  { state, step, try: number }: Performance<CodeStory>,
  { resultFile, session }: { resultFile: string; session: Session | null },
): CoderBrief {
  const story = storyOf(state, step.story)
  const beside = (what: string): string => world.places.result(state.id, `${step.id}-${number}.${what}.md`)
  const inFlight = storiesOf(state).filter(
    (other) => other !== story && !isSettled(other) && other.control.status !== 'waiting',
  )
  return {
    story: story.spec,
    requirement: requestOf(state).requirement,
    findings: step.findings,
    past: story.past,
    dependencies: story.spec.dependsOn.map((id) => storyOf(state, id).spec),
    siblings: inFlight.map((other) => other.spec),
    checks: policyOf(state).checks,
    resumed: session === null ? 'no' : session.open ? 'where-it-was' : 'at-the-commit',
    files: {
      story: beside('story'),
      findings: beside('findings'),
      requirement: beside('requirement'),
      result: resultFile,
    },
  }
}
