import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Policy } from '../../delivery/policy.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import { runsSingleTests } from '../../delivery/story/course/ladder.ts'
import type { ResumeAsked } from '../../desk/deliver.ts'
import type { Prepared } from '../../desk/prepare/preflight.ts'
import { TerminalError } from '../../ports/errors.ts'
import { listening } from '../../std/running.ts'
import { shortId } from '../../views/step-text.ts'
import { deliveryWord, summaryView } from '../../views/summary.ts'
import { answering } from '../answer/ask.ts'
import { exitCodeOf, exitCodes, onInterrupt } from '../ending.ts'
import { givenRequirement, readPlan, refuseBoth } from '../given.ts'
import { leavingLines, questionLines, summaryLines } from '../show/delivery-lines.ts'
import { bold, dim, type ShownLine, yellow } from '../show/line.ts'
import { planLines } from '../show/plan-lines.ts'
import { openProgress } from '../show/progress.ts'
import { type Cli, deliveryArgument, deliveryOption, verb } from '../verb.ts'

const running = {
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
export const runVerb = verb(running, async (cli, [text], options) => {
  const { desk, screen, cwd } = cli
  const { file, plan: planFile, dryRun, detach: leaves, ...asked } = options
  const wanted = await givenRequirement(cwd, { text, file })
  const plan = planFile === undefined ? undefined : await readPlan(cwd, planFile)
  if (dryRun) {
    const prepared = await desk.rehearseRequest({ ...asked, wanted, plan })
    screen.show({ requirement: wanted.text, ...prepared }, () => dryRunLines(prepared))
    return 0
  }
  const { delivery, target, folder, leaving } = await desk.request({ ...asked, wanted, plan })
  if (!screen.json) screen.print(...leavingLines(leaving))
  if (leaves) return await detach(cli, delivery, folder)
  if (!screen.json) screen.print(`Delivery ${delivery}`, dim(`  will be merged to ${target} once it is proven`))
  return await driveHere(cli, { delivery, stay: false })
})

const resuming = {
  says: 'continue a delivery that was interrupted, paused or stopped, or that waits',
  takes: deliveryArgument,
  options: {
    ...deliveryOption,
    '--max-usd <amount>': 'the most that the whole delivery may cost from now on',
    '--repin': 'use the settings as they are now',
    '--attended': 'you are there now: ask instead of failing',
    '--unattended': 'nobody is there any more: a question makes the story fail instead',
    '--stay': 'keep waiting while only a human can help',
    '--detach': 'continue in the background',
  },
}

export const resumeVerb = verb(resuming, async (cli, _, options) => {
  const { delivery, attended, unattended, ...how } = options
  refuseBoth({ '--attended': attended, '--unattended': unattended })
  return await resumeHere(cli, delivery, { ...how, attended: attended ? true : unattended ? false : null })
})

const asItIs = { repin: false, maxUsd: undefined, attended: null, stay: false, detach: false }

/** Continues a delivery, whatever it was that ended the last drive. */
export async function resumeHere(
  cli: Cli,
  name: string | undefined,
  { detach: leaves, stay, ...asked }: ResumeAsked & { stay: boolean; detach: boolean } = asItIs,
): Promise<number> {
  const resumed = await cli.desk.resume(name, asked)
  const { delivery, driver } = resumed
  if (driver !== null) {
    cli.screen.show({ delivery, pid: driver.pid }, () => [
      `Resumed in process ${driver.pid}. Follow it with \`ropewalk watch\`.`,
    ])
    return 0
  }
  if (leaves) return await detach(cli, delivery, resumed.folder)
  return await driveHere(cli, { delivery, stay })
}

type Drove = Awaited<ReturnType<Cli['desk']['drive']>>

/** Drives a delivery while it is shown, until it ends, has to wait, or is interrupted. */
export async function driveHere(cli: Cli, { delivery, stay }: { delivery: string; stay: boolean }): Promise<number> {
  const { screen, desk } = cli
  const answeredElsewhere = stay && !screen.interactive
  const progress = openProgress(screen, { pulses: await desk.pulses(), answeredElsewhere })
  const questions = screen.interactive ? answering(cli, delivery, { progress, giveUp: () => interrupt.trip() }) : null
  const interrupt = onInterrupt({
    first: () => progress.note('Interrupted: ending what is running. Press Ctrl-C once more to kill it.'),
    again: () => void killSwitch(cli, delivery),
  })
  try {
    const driving = {
      signal: interrupt.signal,
      stay: stay || screen.interactive,
      changed: (...[state, recorded]: Parameters<typeof progress.changed>) => {
        progress.changed(state, recorded)
        questions?.look(state)
      },
    }
    const drove = await listening(
      (text) => progress.note(text),
      () => desk.drive(delivery, driving),
    )
    await questions?.close()
    progress.close(drove.status === 'ended' ? 'goes' : 'stays')
    return await tell(cli, drove)
  } finally {
    await questions?.close()
    progress.close('stays')
    interrupt.close()
  }
}

/** Everything of this delivery on this machine ends now; the log knows how to continue. */
async function killSwitch({ screen, desk }: Cli, delivery: string): Promise<void> {
  await desk.sweep(delivery)
  screen.warn('Killed. Nothing is lost: continue with `ropewalk resume`.')
  process.exit(exitCodes.operator)
}

async function tell(cli: Cli, { status, state }: Drove): Promise<number> {
  const { screen } = cli
  const at = Date.now()
  const summary = summaryView(state, at)
  const interrupted = status === 'interrupted' && state.mode.status !== 'ended'
  if (state.request?.review != null) {
    const { tellReview } = await import('./review.ts')
    return await tellReview(cli, state, { sarif: false, interrupted, write: screen.document })
  }
  screen.show({ summary: { ...summary, interrupted } }, () => {
    if (interrupted) return ['Interrupted. Nothing is lost: continue with `ropewalk resume`.']
    if (status !== 'waiting') return summaryLines(summary)
    return [
      ...summaryLines({ ...summary, next: [] }),
      ...questionLines(openQuestions(state)),
      'Answer, then run `ropewalk resume` (or answer with --resume).',
    ]
  })
  return interrupted ? exitCodes.operator : exitCodeOf(deliveryWord(state, at))
}

/** A driver of its own session, which outlives the shell it was started from. */
async function detach({ home, screen }: Cli, delivery: string, folder: string): Promise<number> {
  const output = join(home, 'spools', delivery, 'driver.log')
  mkdirSync(dirname(output), { recursive: true, mode: 0o700 })
  const file = openSync(output, 'a', 0o600)
  const args = [process.argv[1] ?? '', 'resume', delivery, '--stay']
  const child = spawn(process.execPath, args, { detached: true, cwd: folder, stdio: ['ignore', file, file] })
  const problem = await new Promise<Error | null>((resolve) => {
    child.once('spawn', () => resolve(null))
    child.once('error', resolve)
  })
  closeSync(file)
  child.unref()
  if (problem !== null)
    throw new TerminalError(
      `cannot start a driver: ${problem.message}`,
      `continue it here: ropewalk resume ${delivery}`,
    )
  if (screen.json) screen.emit({ delivery, pid: child.pid, output })
  else
    screen.print(
      `${delivery} continues in the background (process ${child.pid}).`,
      `  ropewalk watch --delivery ${delivery}`,
      `  output: ${output}`,
    )
  return 0
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
