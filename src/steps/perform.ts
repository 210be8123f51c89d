import type { Ending, Perform, Performance } from '../ports/performer.ts'
import { never } from '../std/never.ts'
import { listening } from '../std/running/telling.ts'
import { addFixStory } from './add-fix-story.ts'
import { advanceLine } from './advance-line.ts'
import { askQuestion } from './ask-question.ts'
import { type BaseRuns, baseRuns, tryBase } from './check/base-runs.ts'
import { closeQuestion } from './close-question.ts'
import { codeStory } from './code-story.ts'
import { completeDelivery } from './complete-delivery.ts'
import { composeLine } from './compose-line.ts'
import { draftPlan } from './draft-plan.ts'
import { harvestStory } from './human/harvest-story.ts'
import { lendWorkspace } from './human/lend-workspace.ts'
import { auditPlan } from './intent/audit-plan.ts'
import { checkAssumptions } from './intent/check-assumptions.ts'
import { harvestContext } from './intent/harvest-context.ts'
import { readRequirement } from './intent/read-requirement.ts'
import { respecifyStory } from './intent/respecify-story.ts'
import { tryExamples } from './intent/try-examples.ts'
import { judge } from './judge.ts'
import { land } from './land.ts'
import { reproduceFindings } from './review/reproduce-findings.ts'
import { reviewStory } from './review/review-story.ts'
import { triageFindings } from './review/triage-findings.ts'
import { review } from './review.ts'
import { tidyStory } from './tidy-story.ts'
import type { StepWorld } from './world.ts'

/** Carries out each step by the file that is named like it. */
export function performers(world: StepWorld): Perform {
  const bases = baseRuns()
  return async (performance) => await withHiccups(performance, () => perform(world, performance, bases))
}

/** What is told of the world while a step runs is on record before its outcome. */
async function withHiccups({ step, record }: Performance, act: () => Promise<Ending>): Promise<Ending> {
  const told: Promise<void>[] = []
  const { id, story } = step
  const hear = (text: string) => void told.push(record({ type: 'HiccupNoted', step: id, story, text }))
  return await listening(hear, act).finally(() => Promise.all(told))
}

async function perform(world: StepWorld, performance: Performance, bases: BaseRuns): Promise<Ending> {
  const { step } = performance
  switch (step.verb) {
    case 'HarvestContext':
      return await harvestContext(world, { ...performance, step })
    case 'TryBase':
      return await tryBase(world, { ...performance, step }, bases)
    case 'ReadRequirement':
      return await readRequirement(world, { ...performance, step })
    case 'CheckAssumptions':
      return await checkAssumptions(world, { ...performance, step })
    case 'TryExamples':
      return await tryExamples(world, { ...performance, step })
    case 'AuditPlan':
      return await auditPlan(world, { ...performance, step })
    case 'RespecifyStory':
      return await respecifyStory(world, { ...performance, step })
    case 'DraftPlan':
      return await draftPlan(world, { ...performance, step })
    case 'AskQuestion':
      return askQuestion(step)
    case 'CloseQuestion':
      return closeQuestion(step)
    case 'CodeStory':
      return await codeStory(world, { ...performance, step })
    case 'TidyStory':
      return await tidyStory(world, { ...performance, step })
    case 'Judge':
      return await judge(world, { ...performance, step }, bases)
    case 'Review':
      return await review(world, { ...performance, step })
    case 'ReviewStory':
      return await reviewStory(world, { ...performance, step })
    case 'TriageFindings':
      return await triageFindings(world, { ...performance, step })
    case 'ReproduceFindings':
      return await reproduceFindings(world, { ...performance, step })
    case 'ComposeLine':
      return await composeLine(world, { ...performance, step })
    case 'AdvanceLine':
      return await advanceLine(world, { ...performance, step })
    case 'Land':
      return await land(world, { ...performance, step })
    case 'AddFixStory':
      return addFixStory(step)
    case 'CompleteDelivery':
      return await completeDelivery(world, { ...performance, step })
    case 'LendWorkspace':
      return await lendWorkspace(world, { ...performance, step })
    case 'HarvestStory':
      return await harvestStory(world, { ...performance, step })
    default:
      return never(step)
  }
}
