import type { AgentStep } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { never } from '../../std/never.ts'
import { sessionOf, storyPrompt } from '../agent/story-prompt.ts'
import { planPrompt } from '../draft-plan.ts'
import { auditorPrompt } from '../intent/audit-plan.ts'
import { claimsPrompt } from '../intent/check-assumptions.ts'
import { readingPrompt } from '../intent/read-requirement.ts'
import { specPrompt } from '../intent/respecify-story.ts'
import { examplesPrompt } from '../intent/try-examples.ts'
import { tryingPrompt } from '../review/reproduce-findings.ts'
import { reviewPrompt } from '../review/review-story.ts'
import { triagePrompt } from '../review/triage-findings.ts'
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
      return await readingPrompt(world, { ...performance, step }, repository)
    case 'CheckAssumptions':
      return await claimsPrompt(world, { ...performance, step }, repository)
    case 'TryExamples':
      return await examplesPrompt(world, { ...performance, step }, repository)
    case 'AuditPlan':
      return await auditorPrompt(world, { ...performance, step }, repository)
    case 'RespecifyStory':
      return await specPrompt(world, { ...performance, step }, repository)
    case 'ReviewStory':
      return await reviewPrompt(world, { ...performance, step })
    case 'TriageFindings':
      return await triagePrompt(world, { ...performance, step })
    case 'ReproduceFindings':
      return await tryingPrompt(world, { ...performance, step })
    default:
      return never(step)
  }
}
