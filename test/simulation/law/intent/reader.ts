import type { Harvest } from '../../../../src/delivery/intent/context.ts'
import type { IntentPolicy, Policy } from '../../../../src/delivery/policy.ts'
import type { Ending } from '../../endings.ts'
import { harvest } from '../../judgement-sample.ts'
import { Player } from '../../player.ts'
import { agent, policy } from '../../sample.ts'

type Given = Omit<Parameters<typeof policy>[0] & object, 'intent'> & { intent?: Partial<IntentPolicy> }

/** One reads, two of other families doubt. */
export function readers(given: Given = {}): Policy {
  const { roles, intent, ...rest } = given
  return policy({
    agents: {
      mine: agent({ driver: 'claude' }),
      other: agent({ driver: 'codex' }),
      third: agent({ driver: 'gemini' }),
    },
    intent: { skip: false, confirm: 'uncertain', identity: [], fetch: 'none', ...intent },
    ...rest,
    roles: { planner: ['mine'], interpreter: ['mine'], challenger: ['other', 'third'], ...roles },
  })
}

/** What is known is collected, and the first reading is due. */
export function begun(given: Given = {}, context: Partial<Harvest> = {}): Player {
  const player = new Player(readers(given), null)
  player.perform('HarvestContext', harvested(context))
  return player
}

const harvested =
  (context: Partial<Harvest>): Ending =>
  ({ id }) => ({ type: 'ContextHarvested', step: id, context: harvest(context) })
