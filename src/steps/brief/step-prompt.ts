import type { AgentStep } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { never } from '../../std/never.ts'
import { sessionOf, storyPrompt } from '../agent/story-prompt.ts'
import { planPrompt } from '../draft-plan.ts'
import { verdictPrompt } from '../review.ts'
import type { StepWorld } from '../world.ts'

/** What the agent of a step is told, made by the same functions as when it is sent. */
export async function stepPrompt(
  world: StepWorld,
  performance: Performance<AgentStep>,
  repository: Repository,
): Promise<Prompt> {
  const { step } = performance
  switch (step.verb) {
    case 'CodeStory': {
      const coding = { ...performance, step }
      return (await storyPrompt(world, coding, { repository, session: sessionOf(coding) })).prompt
    }
    case 'DraftPlan':
      return await planPrompt(world, { ...performance, step }, repository)
    case 'Review':
      return await verdictPrompt(world, { ...performance, step }, repository)
    case 'ReadRequirement':
    case 'CheckAssumptions':
    case 'AuditPlan':
    case 'ReviewStory':
    case 'TriageFindings':
    case 'ReproduceFindings':
    case 'RespecifyStory':
      throw new Error(`nobody performs ${step.verb} yet`)
    default:
      return never(step)
  }
}
