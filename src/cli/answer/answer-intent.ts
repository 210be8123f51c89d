import type { Intent } from '../../delivery/intents.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { policyHash } from '../../settings/policy.ts'
import { freshPolicy } from '../prepare/fresh-policy.ts'
import type { Cli } from '../world.ts'

/** What an answer asks for. Settings are read here, by whoever says that they are to count. */
export async function answerIntent(
  cli: Cli,
  state: DeliveryState,
  answer: { question: string; option: string; text: string },
): Promise<Intent> {
  const by = cli.world.user
  const kind = state.questions[answer.question]?.question.kind
  if (answer.option !== 'repin' || kind !== 'trouble') return { type: 'AnswerQuestion', ...answer, by }
  const policy = await freshPolicy(cli, state)
  return { type: 'RepinPolicy', policy, policyHash: policyHash(policy), by }
}
