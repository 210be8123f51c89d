import type { Step, Verb } from '../delivery/step.ts'
import type { Ending, Perform, Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository/repository.ts'
import { listening } from '../std/running.ts'
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
import { reproduceFindings, triageFindings } from './review/findings.ts'
import { reviewStory } from './review/review-story.ts'
import { review } from './review/verifier.ts'
import type { StepWork } from './work.ts'
import type { StepWorld } from './world.ts'

type StepOf<V extends Verb> = Extract<Step, { verb: V }>
/** What needs no repository goes on where there is none any more. */
type Plain<V extends Verb> = Omit<StepWork<StepOf<V>>, 'repository'>
type Performers = {
  [V in Verb]: V extends (typeof plain)[number]
    ? (work: Plain<V>) => Promise<Ending>
    : (work: StepWork<StepOf<V>, Repository>) => Promise<Ending>
}

const plain = ['AskQuestion', 'CloseQuestion', 'AddFixStory', 'CompleteDelivery'] as const

export function performers(world: StepWorld): Perform {
  const table = tableOf()
  return async (performance) => {
    const perform = table[performance.step.verb] as Performers['HarvestContext']
    const isPlain = plain.some((verb) => verb === performance.step.verb)
    return await withHiccups(performance, async () => {
      const open = isPlain ? null : await world.repository(performance.input.request.repository)
      return await perform({ ...performance, world, repository: open } as Parameters<typeof perform>[0])
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
    HarvestContext: harvestContext,
    TryBase: (work) => tryBase(work, bases),
    ReadRequirement: readRequirement,
    CheckAssumptions: checkAssumptions,
    TryExamples: tryExamples,
    DraftPlan: draftPlan,
    AuditPlan: auditPlan,
    RespecifyStory: respecifyStory,
    AskQuestion: async ({ step: { id, question } }) => ({ type: 'QuestionAsked', step: id, question }),
    CloseQuestion: async ({ step: { id, question, option } }) => ({
      type: 'QuestionExpired',
      step: id,
      question,
      option,
    }),
    CodeStory: codeStory,
    TidyStory: tidyStory,
    Judge: (work) => judge(work, bases),
    Review: review,
    ReviewStory: reviewStory,
    TriageFindings: triageFindings,
    ReproduceFindings: reproduceFindings,
    ComposeLine: composeLine,
    AdvanceLine: advanceLine,
    Land: landLine,
    AddFixStory: async ({ step: { id, spec, findings } }) => ({
      ...{ type: 'FixStoryAdded', step: id, story: spec.id, spec, findings },
    }),
    CompleteDelivery: completeDelivery,
    LendWorkspace: lendWorkspace,
    HarvestStory: harvestStory,
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
