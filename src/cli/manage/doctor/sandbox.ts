import type { Policy } from '../../../delivery/policy.ts'
import { confinedAgents, sandboxProblem } from '../../prepare/agents/sandbox.ts'
import { type Examined, note, ok, problem } from './examined.ts'

const asYou =
  'they run as you and can read, change and send whatever you can; accidents are caught, adversaries are not'

/** How far agents can go on this machine, and who has agreed to that. */
export function examineSandbox(policy: Policy, unconfinable: string | null): Examined[] {
  const confined = confinedAgents(policy)
  return [...confinement(policy, confined, unconfinable), ...trusted(policy, confined)]
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
    const who = names.length === 0 ? 'no agent of yours needs it' : `${names.join(', ')} will ask before acting`
    return [note('sandbox', `${unconfinable}; ${who}`)]
  }
  const network = policy.egress === 'open' ? 'they reach the network' : 'they do not reach the network'
  return [ok('sandbox', `bubblewrap: agents write to their workspace only, do not see your keys, and ${network}`)]
}

function trusted({ roles, sandbox }: Policy, confined: string[]): Examined[] {
  const free = [...new Set(Object.values(roles).flat())].filter((name) => !confined.includes(name))
  if (sandbox === 'none' || free.length === 0) return []
  return [note('sandbox', `not for ${free.join(', ')}: commands and scripts of your own are trusted; ${asYou}`)]
}
