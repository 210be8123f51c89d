import { shortId } from '../../views/step-text.ts'
import type { Prepared } from '../prepare/preflight.ts'
import type { Line } from '../show/line.ts'
import { bold, dim, yellow } from '../show/line.ts'
import { planLines } from '../show/lines/plan-lines.ts'
import type { Screen } from '../show/screen.ts'

/** What would be done. Nothing was. */
export function showDryRun(screen: Screen, requirement: string, prepared: Prepared): void {
  if (screen.json) {
    screen.emit({ requirement, ...prepared })
    return
  }
  const { policy, plan, base, warnings, notes, repository } = prepared
  const planner = policy.roles.planner[0]
  screen.print(
    ...warnings.map((warning): Line => [yellow('warning: '), warning]),
    [bold('Would deliver '), `to ${policy.target} of ${repository.path}, from ${shortId(base)}`],
    `  agents   ${policy.roles.coder.join(', then ')} (${policy.limits.agents} at once)`,
    ...notes.map((text) => `           ${text}`),
    `  judges   ${policy.judges.join(', ')}`,
    ...policy.checks.map((check) => `           ${check.name}: ${check.run}`),
    `  gates    ${policy.gates}${policy.unattended ? ', unattended: what gets stuck fails instead of asking' : ''}`,
    `  land     ${policy.land === 'end' ? 'once, when everything is proven' : 'story by story'}`,
    `  ceiling  ${policy.ceilings.usdPerDelivery === null ? 'none' : `${policy.ceilings.usdPerDelivery} USD`}`,
    ...(plan === null ? [`  plan     to be drafted by ${planner}`] : ['', ...planLines(plan)]),
    dim('Nothing was created. Run it without --dry-run.'),
  )
}
