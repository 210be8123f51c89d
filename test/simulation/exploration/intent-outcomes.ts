import type { Outcome } from '../../../src/delivery/events.ts'
import type { Harvest } from '../../../src/delivery/intent/context.ts'
import type { Interpretation } from '../../../src/delivery/intent/interpretation.ts'
import type { CheckAssumptions, HarvestContext, ReadRequirement, TryExamples } from '../../../src/delivery/step.ts'
import { triedBy } from '../endings.ts'
import { assumption, claiming, harvest, interpretation, reading, vague } from '../judgement-sample.ts'

/** All that can be found out about what is meant, one per kind that the law tells apart. */
export function found(step: HarvestContext | ReadRequirement | CheckAssumptions | TryExamples): Outcome[] {
  switch (step.verb) {
    case 'HarvestContext':
      return contexts.map((context) => ({ type: 'ContextHarvested', step: step.id, context: harvest(context) }))
    case 'ReadRequirement':
      return read(step)
    case 'TryExamples':
      return (['yes', 'no', 'unknown'] as const).map((verdict) => triedBy(step, verdict))
    case 'CheckAssumptions':
      return (['holds', 'refuted', 'unknown'] as const).map((verdict) => ({
        ...{ type: 'AssumptionsChecked', step: step.id },
        checked: step.assumptions.map(({ id, claim }) => ({
          ...{ id, claim, verdict },
          ...{ evidence: '', file: null, line: null },
        })),
      }))
  }
}

const contexts: Partial<Harvest>[] = [{}, { hasIdentity: false }, { workKind: 'architectural' }, vague]

/** Clear; doubtful on shaky ground; otherwise; nothing usable. What others than the first say is only compared. */
function read({ id, seat }: ReadRequirement): Outcome[] {
  const words = seat === 'first' || seat === 'again' ? own : others
  const about = { step: id, seat }
  return [
    ...words.map(
      (given): Outcome => ({
        ...{ type: 'RequirementRead', ...about, quality: 'full' },
        interpretation: interpretation(given),
      }),
    ),
    { type: 'ReadingFaulted', ...about, problems: ['prose'] },
  ]
}

const shaky = { assumptions: [assumption('a')] }
const own: Partial<Interpretation>[] = [
  {},
  { ambiguity: 'uncertain', ...shaky, reading: claiming('it is so', { one: 'two' }) },
  { ambiguity: 'ambiguous', ...shaky, defensible: false },
  { missing: ['the price'] },
]
const others: Partial<Interpretation>[] = [
  {},
  { reading: reading('it counts'), ...shaky },
  { reading: claiming('it is so', { 'two of them': 'one of them' }) },
]
