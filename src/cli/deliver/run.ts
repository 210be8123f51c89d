import type { Policy } from '../../delivery/policy.ts'
import { runsSingleTests } from '../../delivery/story/strategy.ts'
import type { Prepared } from '../../desk/prepare/preflight.ts'
import type { Flags } from '../../desk/prepare/settings-layers.ts'
import { shortId } from '../../views/step-text.ts'
import type { Cli } from '../cli.ts'
import { givenRequirement, readPlan } from '../given.ts'
import { bold, dim, type ShownLine, yellow } from '../show/line.ts'
import { planLines } from '../show/lines/plan-lines.ts'
import { leavingLines } from '../show/lines/status-lines.ts'
import { detach } from './detach.ts'
import { driveHere } from './go.ts'

interface RunOptions extends Flags {
  file?: string
  plan?: string
  unattended?: boolean
  detach?: boolean
  dryRun?: boolean
  /** Although the same is being delivered. */
  again?: boolean
}

/** A requirement becomes a delivery, and the delivery is driven. */
export async function runVerb(cli: Cli, [text]: string[], options: RunOptions): Promise<number> {
  const { desk, screen, cwd } = cli
  const { target, gates, maxUsd, unattended, plan: file } = options
  const wanted = await givenRequirement(cwd, { text, file: options.file })
  const plan = file === undefined ? undefined : await readPlan(cwd, file)
  const flags = { ...(gates !== undefined && { gates }), ...(maxUsd !== undefined && { maxUsd }), target }
  const asked = { ...flags, wanted, plan, unattended: unattended === true, again: options.again === true }
  if (options.dryRun === true) {
    const prepared = await desk.rehearseRequest(asked)
    screen.show({ requirement: wanted.text, ...prepared }, () => dryRunLines(prepared))
    return 0
  }
  const { delivery, target: branch, folder, leaving } = await desk.request(asked)
  if (!screen.json) screen.print(...leavingLines(leaving))
  if (options.detach === true) return await detach(cli, delivery, folder)
  if (!screen.json) screen.print(`Delivery ${delivery}`, dim(`  will be merged to ${branch} once it is proven`))
  return await driveHere(cli, { delivery, stay: false })
}

/** What would be done. Nothing was. */
function dryRunLines({ policy, plan, base, warnings, notes, repository }: Prepared): ShownLine[] {
  const planner = policy.roles.planner[0]
  return [
    ...warnings.map((warning): ShownLine => [yellow('warning: '), warning]),
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
