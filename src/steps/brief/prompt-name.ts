import { type DeliveryState, storyOf } from '../../delivery/state.ts'
import type { AgentStep } from '../../delivery/step.ts'
import type { PromptName } from '../../roles/sees.ts'
import { never } from '../../std/never.ts'

/** Which prompt the agent of a step is told. */
export function promptNameOf(state: DeliveryState, step: AgentStep): PromptName {
  switch (step.verb) {
    case 'ReadRequirement':
      return step.seat.startsWith('challenger') ? 'challenger' : 'interpreter'
    case 'CheckAssumptions':
      return 'challenger-assumptions'
    case 'TryExamples':
      return 'challenger-examples'
    case 'AuditPlan':
      return 'challenger-plan'
    case 'DraftPlan':
      return 'planner'
    case 'RespecifyStory':
      return 'planner-story'
    case 'CodeStory':
      if (step.phase === 'code') return 'coder'
      return storyOf(state, step.story).kind === 'acceptance' ? 'test-writer-acceptance' : 'test-writer'
    case 'Review':
      return 'verifier'
    case 'ReviewStory':
      return step.rebuts.length > 0 ? 'reviewer-rebuttal' : 'reviewer'
    case 'TriageFindings':
      return 'triager'
    case 'ReproduceFindings':
      return 'test-writer-finding'
    default:
      return never(step)
  }
}
