import type { Policy } from '../../delivery/policy.ts'
import { agentsAtWork, sandboxProblem } from '../agents/sandbox.ts'
import { type Examined, note, ok, problem } from './examined.ts'

const asYou =
  'they run as you and can read, change and send whatever you can; accidents are caught, adversaries are not'

export interface Surroundings {
  /** Null: agents can be confined. */
  unconfinable: string | null
  /** Instructions that an agent finds where it is not. */
  stray: string[]
}

/** How far agents can go on this machine, and who has agreed to that. */
export function examineSandbox(policy: Policy, { unconfinable, stray }: Surroundings): Examined[] {
  const free = policy.sandbox === 'none' || unconfinable !== null
  const found = `unconfined, agents also read ${stray.join(', ')}, whatever their home is`
  return [
    ...confinement(policy, agentsAtWork(policy), unconfinable),
    ...(free && stray.length > 0 ? [note('sandbox', found)] : []),
  ]
}

function confinement(policy: Policy, names: string[], unconfinable: string | null): Examined[] {
  if (policy.sandbox === 'none')
    return [
      note(
        'sandbox',
        `none, because the settings say so (sandbox: none). You have agreed that agents work as freely as you: ${asYou}`,
      ),
    ]
  const refused = sandboxProblem(policy, unconfinable)
  if (refused !== null) return [problem('sandbox', refused.problem, refused.remedy)]
  if (unconfinable !== null) {
    const who = ['checks, set-up', ...names].join(', ')
    return [note('sandbox', `${unconfinable}; ${who}: ${asYou}. Install bubblewrap to confine them`)]
  }
  const network = policy.egress === 'open' ? 'they reach the network' : 'they do not reach the network'
  return [
    ok(
      'sandbox',
      `bubblewrap: agents, checks and set-up write to their own place only, see of your home only what tool chains and their sign-in need, and ${network}`,
    ),
  ]
}
