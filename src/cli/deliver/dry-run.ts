import type { Policy } from '../../delivery/policy.ts'
import { runsSingleTests } from '../../delivery/story/strategy.ts'
import type { Prepared } from '../../desk/prepare/preflight.ts'
import { shortId } from '../../views/step-text.ts'
import type { Line } from '../show/line.ts'
import { bold, dim, yellow } from '../show/line.ts'
import { planLines } from '../show/lines/plan-lines.ts'

/** What would be done. Nothing was. */
export function dryRunLines({ policy, plan, base, warnings, notes, repository }: Prepared): Line[] {
  const planner = policy.roles.planner[0]
  return [
    ...warnings.map((warning): Line => [yellow('warning: '), warning]),
    [bold('Would deliver '), `to ${policy.target} of ${repository.path}, from ${shortId(base)}`],
    `  agents   ${policy.roles.coder.join(', then ')} (${policy.limits.agents} at once)`,
    ...notes.map((text) => `           ${text}`),
    `  judges   ${policy.judges.join(', ')}`,
    ...policy.checks.map((check) => `           ${check.name}: ${check.run}`),
    `  tests    ${testsText(policy)}`,
    `  gates    ${policy.gates}${policy.unattended ? ', unattended: what gets stuck fails instead of asking' : ''}`,
    `  land     ${policy.land === 'end' ? 'once, when everything is proven' : 'story by story'}`,
    `  ceiling  ${policy.ceilings.usdPerDelivery === null ? 'none' : `${policy.ceilings.usdPerDelivery} USD`}`,
    ...(plan === null ? [`  plan     to be drafted by ${planner}`] : ['', ...planLines(plan)]),
    dim('Nothing was created. Run it without --dry-run.'),
  ]
}

/** When tests are written, unless a story says otherwise. */
function testsText(policy: Policy): string {
  const { strategy, acceptance } = policy
  const wanted = [strategyTexts[strategy], ...(acceptance ? ['acceptance tests before all, run on the result'] : [])]
  if (runsSingleTests(policy) || (strategy === 'after' && !acceptance)) return wanted.join('; ')
  return `${strategyTexts.after} (no check can run single tests, so none come first: see checks.<name>.related)`
}

const strategyTexts: Record<Policy['strategy'], string> = {
  after: 'with the change',
  tdd: 'first, shown to fail, then the change',
  'three-session': 'first, shown to fail, then the change by another session, judged by a third',
}
