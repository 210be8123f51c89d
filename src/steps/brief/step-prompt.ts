import { type DeliveryState, storyOf } from '../../delivery/state.ts'
import type { AgentStep } from '../../delivery/step.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import type { PromptName } from '../../roles/sees.ts'
import { never } from '../../std/never.ts'
import { storyPrompt } from '../agent/story-prompt.ts'
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
import type { StepWork } from '../work.ts'

type AgentVerb = AgentStep['verb']
type StepOf<V extends AgentVerb> = Extract<AgentStep, { verb: V }>

const makers: { [V in AgentVerb]: (work: StepWork<StepOf<V>, Repository>) => Promise<Prompt> } = {
  ReadRequirement: readingPrompt,
  CheckAssumptions: claimsPrompt,
  TryExamples: examplesPrompt,
  DraftPlan: planPrompt,
  AuditPlan: auditorPrompt,
  RespecifyStory: specPrompt,
  CodeStory: async (work) => (await storyPrompt(work)).prompt,
  Review: verdictPrompt,
  ReviewStory: reviewPrompt,
  TriageFindings: triagePrompt,
  ReproduceFindings: tryingPrompt,
}

/** What the agent of a step is told, made by the same functions as when it is sent. */
export const stepPrompt = (work: StepWork<AgentStep, Repository>): Promise<Prompt> =>
  (makers[work.step.verb] as (work: StepWork<AgentStep, Repository>) => Promise<Prompt>)(work)

/** Which prompt that is. */
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
