import type { Step, Verb } from '../delivery/step.ts'
import type { Ending, Perform, Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository/repository.ts'
import { listening } from '../std/running/telling.ts'
import { recordAbandonedTurns } from './agent/turn-record.ts'
import { baseRuns, tryBase } from './check/base-runs.ts'
import { codeStory } from './code-story.ts'
import { harvestStory, lendWorkspace, tidyStory } from './human.ts'
import { harvestContext } from './intent/harvest-context.ts'
import { checkAssumptions, readRequirement, tryExamples } from './intent/meaning.ts'
import { auditPlan, draftPlan, respecifyStory } from './intent/planning.ts'
import { judge } from './judge.ts'
import { landLine } from './land.ts'
import { advanceLine, composeLine } from './merge/line.ts'
import { reproduceFindings } from './review/reproduce-findings.ts'
import { reviewStory } from './review/review-story.ts'
import { triageFindings } from './review/triage-findings.ts'
import { review } from './review/verifier.ts'
import type { StepWork } from './work.ts'
import type { StepWorld } from './world.ts'

type StepOf<V extends Verb> = Extract<Step, { verb: V }>
/** What needs no repository goes on where there is none any more. */
type Plain<V extends Verb> = Omit<StepWork<StepOf<V>>, 'repository'>
type Performers = {
  [V in Verb]:
    | { in: (work: StepWork<StepOf<V>, Repository>) => Promise<Ending> }
    | { plain: (work: Plain<V>) => Promise<Ending> }
}

/** Carries out each step. */
export function performers(world: StepWorld): Perform {
  const table = tableOf()
  return async (performance) => {
    const performer = table[performance.step.verb] as Performers['Judge']
    const work = { ...performance, world } as Plain<'Judge'>
    return await withHiccups(performance, async () => {
      if ('plain' in performer) return await performer.plain(work)
      return await performer.in({ ...work, repository: await world.repository(work.input.request.repository) })
    })
  }
}

/** What is told of the world while a step runs is on record before its outcome. */
async function withHiccups({ step, record }: Performance, act: () => Promise<Ending>): Promise<Ending> {
  const told: Promise<void>[] = []
  const { id, story } = step
  const hear = (text: string) => void told.push(record({ type: 'HiccupNoted', step: id, story, text }))
  return await listening(hear, act).finally(() => Promise.all(told))
}

function tableOf(): Performers {
  const bases = baseRuns()
  return {
    HarvestContext: { in: harvestContext },
    TryBase: { in: (work) => tryBase(work, bases) },
    ReadRequirement: { in: readRequirement },
    CheckAssumptions: { in: checkAssumptions },
    TryExamples: { in: tryExamples },
    DraftPlan: { in: draftPlan },
    AuditPlan: { in: auditPlan },
    RespecifyStory: { in: respecifyStory },
    AskQuestion: { plain: async ({ step: { id, question } }) => ({ type: 'QuestionAsked', step: id, question }) },
    CloseQuestion: {
      plain: async ({ step: { id, question, option } }) => ({ type: 'QuestionExpired', step: id, question, option }),
    },
    CodeStory: { in: codeStory },
    TidyStory: { in: tidyStory },
    Judge: { in: (work) => judge(work, bases) },
    Review: { in: review },
    ReviewStory: { in: reviewStory },
    TriageFindings: { in: triageFindings },
    ReproduceFindings: { in: reproduceFindings },
    ComposeLine: { in: composeLine },
    AdvanceLine: { in: advanceLine },
    Land: { in: landLine },
    AddFixStory: {
      plain: async ({ step: { id, spec, findings } }) => ({
        ...{ type: 'FixStoryAdded', step: id, story: spec.id, spec, findings },
      }),
    },
    CompleteDelivery: { plain: completeDelivery },
    LendWorkspace: { in: lendWorkspace },
    HarvestStory: { in: harvestStory },
  }
}

async function completeDelivery(work: Plain<'CompleteDelivery'>): Promise<Ending> {
  const { world, input, step } = work
  const { id, result, reason, concerns } = step
  await recordAbandonedTurns(work)
  // Nothing is proven any more. What cannot be removed, or only later, gc finds.
  const repository = world.repository(input.request.repository)
  await Promise.allSettled([repository.then((open) => open.removePlaces(world.places.cleanFolder(input.delivery)))])
  return { type: 'DeliveryCompleted', step: id, result, reason, concerns }
}
