import type { AgentStep } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import { hashOf } from '../../std/hash.ts'

/** Where an answer is about no commit: neither the repository nor the requirement can have named it before. */
export const nonceOf = ({ state, step }: Pick<Performance<AgentStep>, 'state' | 'step'>): string =>
  hashOf([state.id, step.id, 'nonce'])
