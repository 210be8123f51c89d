import { policyOf, storiesOf, storyOf } from '../../delivery/state.ts'
import type { CodeStory } from '../../delivery/step.ts'
import { isVerified } from '../../delivery/story/course/strategy.ts'
import { isSettled, type Session, type StoryState } from '../../delivery/story/story.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import { subjectOf } from '../../proof/witness/subject.ts'
import { type CoderBrief, coderPrompt } from '../../roles/coder/prompt.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import type { WorkBrief } from '../../roles/prompt/work-prompt.ts'
import type { PromptName } from '../../roles/sees.ts'
import { testWriterPrompt } from '../../roles/test-writer/prompt.ts'
import { dependenciesOf } from '../brief/dependencies.ts'
import { settingFor } from '../brief/setting.ts'
import { beforeRed } from '../commit/before-red.ts'
import { requestOf } from '../place/request.ts'
import type { StepWorld } from '../world.ts'
import { resultFileOf } from './transcript.ts'

type Coding = Performance<CodeStory>

/** Who takes the turn, and what it is told: whoever writes tests is told nothing else. */
export async function storyPrompt(
  world: StepWorld,
  performance: Coding,
  { repository, session }: { repository: Repository; session: Session | null },
): Promise<{ role: string; prompt: Prompt }> {
  const { state, step } = performance
  const story = storyOf(state, step.story)
  const dependencies = await dependenciesOf(state, story, repository)
  const brief = { ...briefFor(world, performance, session), dependencies }
  const { files, contextFiles } = story.spec
  const done = step.from === step.base ? [] : await repository.diff(step.base, step.from)
  const about = { story: step.story, paths: [...files, ...contextFiles, ...done.map(({ path }) => path)] }
  const setting = (name: PromptName) => settingFor({ world, state, repository }, name, about)
  if (step.phase === 'tests') {
    const others = storiesOf(state).filter((other) => other !== story)
    const plan = story.kind === 'acceptance' ? others.map(({ spec }) => spec) : null
    const name = plan === null ? 'test-writer' : 'test-writer-acceptance'
    return { role: 'test-writer', prompt: testWriterPrompt({ ...brief, plan }, await setting(name)) }
  }
  const red = await redOf(performance, repository, story)
  return { role: 'coder', prompt: coderPrompt({ ...brief, red, unnoticed: story.unnoticed }, await setting('coder')) }
}

/** The one that goes on, if it is the same agent's. */
export function sessionOf({ state, step }: Coding): Session | null {
  const { session } = storyOf(state, step.story)
  return session !== null && session.agent === step.agent ? session : null
}

/** What whoever works on the story may see of the delivery. */
function briefFor(world: StepWorld, performance: Coding, session: Session | null): Omit<WorkBrief, 'dependencies'> {
  const { state, step } = performance
  const story = storyOf(state, step.story)
  const inFlight = storiesOf(state).filter(
    (other) => other !== story && !isSettled(other) && !['waiting', 'held'].includes(other.control.status),
  )
  return {
    story: story.spec,
    requirement: requestOf(state).requirement,
    findings: step.findings,
    past: story.past,
    siblings: inFlight.map((other) => other.spec),
    checks: policyOf(state).checks,
    resumed: session === null ? 'no' : session.open ? 'where-it-was' : 'at-the-commit',
    result: resultFileOf(world, performance),
  }
}

/** The tests that were shown to fail before the code. */
async function redOf({ state, step }: Coding, repository: Repository, story: StoryState): Promise<CoderBrief['red']> {
  if (story.red === null) return null
  const before = await beforeRed(repository, story.red, step.base)
  const { tests } = subjectOf(await repository.diff(before, story.red))
  return { files: tests.map(({ path }) => path), theirs: isVerified(policyOf(state), story) }
}
