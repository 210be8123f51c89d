import type { Policy } from '../../delivery/policy.ts'
import { runsSingleTests } from '../../delivery/story/course/ladder.ts'
import type { Prepared } from '../../desk/prepare/preflight.ts'
import { shortId } from '../../views/step-text.ts'
import { givenRequirement, readPlan } from '../given.ts'
import { bold, dim, type ShownLine, yellow } from '../show/line.ts'
import { planLines } from '../show/lines/plan-lines.ts'
import { leavingLines } from '../show/lines/status-lines.ts'
import { verb } from '../verb.ts'
import { detach } from './detach.ts'
import { driveHere } from './go.ts'

const words = {
  says: 'deliver a requirement: plan it, have it coded, prove it, merge it',
  takes: { '[requirement]': 'what you want, in quotes; - reads it from standard input' },
  misused: 'Put the requirement in quotes: ropewalk run "…". `ropewalk help run` lists the options.',
  options: {
    '-f, --file <path>': 'read the requirement from a file',
    '--plan <path>': 'use this plan instead of having one drafted',
    '--gates <gates>': 'when to ask for your approval: auto, plan or manual',
    '--target <branch>': 'the branch that the work is merged to',
    '--max-usd <amount>': 'the most that the whole delivery may cost',
    '--unattended': 'nobody is there to answer: a question makes the story fail instead',
    '--again': 'start it even if the same requirement is being delivered already',
    '--detach': 'continue in the background',
    '--dry-run': 'show what would be done, and create nothing',
  },
}

/** A requirement becomes a delivery, and the delivery is driven. */
export const runVerb = verb(words, async (cli, [text], options) => {
  const { desk, screen, cwd } = cli
  const { target, gates, maxUsd, unattended, again, plan: file } = options
  const wanted = await givenRequirement(cwd, { text, file: options.file })
  const plan = file === undefined ? undefined : await readPlan(cwd, file)
  const asked = { gates, maxUsd, target, wanted, plan, unattended, again }
  if (options.dryRun) {
    const prepared = await desk.rehearseRequest(asked)
    screen.show({ requirement: wanted.text, ...prepared }, () => dryRunLines(prepared))
    return 0
  }
  const { delivery, target: branch, folder, leaving } = await desk.request(asked)
  if (!screen.json) screen.print(...leavingLines(leaving))
  if (options.detach) return await detach(cli, delivery, folder)
  if (!screen.json) screen.print(`Delivery ${delivery}`, dim(`  will be merged to ${branch} once it is proven`))
  return await driveHere(cli, { delivery, stay: false })
})

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
