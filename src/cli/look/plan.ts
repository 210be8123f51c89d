import { resolve } from 'node:path'
import type { Intent } from '../../delivery/intents.ts'
import type { Plan, Story } from '../../delivery/plan/plan.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { storiesOf } from '../../delivery/state.ts'
import { acceptanceOf } from '../../delivery/story/acceptance.ts'
import { hasBegun } from '../../delivery/story/story.ts'
import { submit } from '../../engine/submit.ts'
import { TerminalError } from '../../ports/errors.ts'
import { canonical } from '../../std/hash.ts'
import { counted } from '../../views/step-text.ts'
import { chosen } from '../choose-delivery.ts'
import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import { dim } from '../show/line.ts'
import { acceptanceLines, planLines } from '../show/lines/plan-lines.ts'
import type { Cli } from '../world.ts'

export interface PlanOptions extends DecidingOptions {
  export?: boolean
  set?: string
}

/** Shows the plan as it stands, writes it out as YAML, or takes a changed one. */
export async function plan(cli: Cli, options: PlanOptions): Promise<number> {
  if (options.set !== undefined) return await setPlan(cli, options.set, options)
  const { state } = await chosen(cli, options)
  if (state.plan.plan === null) throw noPlan(state)
  const current = currentPlan(state)
  const { control, revision } = state.plan
  if (cli.screen.json)
    cli.screen.emit({
      delivery: state.id,
      revision,
      status: control.status,
      acceptance: acceptanceOf(state)?.spec.id ?? null,
      sameFiles: sameFiles(state),
      ...current,
    })
  else if (options.export === true) {
    const { formatPlan } = await import('../../settings/plan/plan-file.ts')
    cli.screen.document(formatPlan(current))
  } else
    cli.screen.print(...acceptanceLines(state), ...planLines(current), dim(`revision ${revision}, ${control.status}`))
  return 0
}

/** Which stories wait for others that declare the same files. */
const sameFiles = (state: DeliveryState): { story: string; after: string[] }[] =>
  storiesOf(state).flatMap(({ spec, after }) => (after.length === 0 ? [] : [{ story: spec.id, after }]))

function noPlan({ plan: { control } }: DeliveryState): TerminalError {
  if (control.status === 'faulted')
    return new TerminalError(
      `the planner gave no valid plan: ${control.problems.join('; ')}`,
      'bring one yourself: ropewalk plan --set plan.yaml --resume',
    )
  return new TerminalError('there is no plan yet', '`ropewalk status` shows where it is')
}

/** With what was amended since, its keys in the order in which people write them. */
const currentPlan = (state: DeliveryState): Plan => ({
  outline: state.plan.plan?.outline ?? null,
  stories: storiesOf(state)
    .filter(({ kind, control }) => kind === 'story' && control.status !== 'split')
    .map(({ spec }) => {
      const { id, title, description, criteria, dependsOn, complexity, files, mayChange, mayBeEmpty, ...rest } = spec
      const { contextFiles, risks, strategy, noTestsBecause, tests, proofs } = rest
      const what = { id, title, description, criteria, dependsOn, complexity, files, mayChange, mayBeEmpty }
      return { ...what, contextFiles, risks, strategy, noTestsBecause, tests, proofs }
    }),
})

/** Before work has begun a plan is replaced as a whole; afterwards the stories that differ are amended. */
async function setPlan(cli: Cli, path: string, options: PlanOptions): Promise<number> {
  const { readPlan } = await import('../prepare/preflight.ts')
  const given = await readPlan(resolve(cli.cwd, path))
  const { state } = await chosen(cli, options)
  const by = cli.world.user
  if (!storiesOf(state).some(hasBegun)) {
    const intent: Intent = { type: 'GivePlan', plan: given, cause: `given by ${by}` }
    return await decideWith(cli, options, () => ({ intent, said: 'The plan was replaced' }))
  }
  const [last, ...others] = amendments(state, given).reverse()
  if (last === undefined) throw new TerminalError('the plan is the same as before', 'change it first')
  for (const { story, changes } of others.reverse()) {
    const intent: Intent = { type: 'AmendStory', story, changes, by }
    const submitted = await submit(await cli.world.intake(), { delivery: state.id, intent, actor: by })
    if ('refused' in submitted) throw new TerminalError(submitted.refused, submitted.remedy)
  }
  const said = `${counted(others.length + 1, 'story was', 'stories were')} amended`
  return await decideWith(cli, options, () => ({ intent: { type: 'AmendStory', ...last, by }, said }))
}

/** What is different, story by story; stories can neither come nor go. */
export function amendments(
  state: DeliveryState,
  given: Plan,
): { story: string; changes: Partial<Omit<Story, 'id'>> }[] {
  const ids = given.stories.map((story) => story.id)
  // What was added to mend the result was never in the user's file.
  const planned = state.plan.plan?.stories.map(({ id }) => id) ?? []
  const moved = [...ids.filter((id) => !state.order.includes(id)), ...planned.filter((id) => !ids.includes(id))]
  if (moved.length > 0)
    throw new TerminalError(
      `work on this plan has begun, so stories can neither come nor go: ${moved.join(', ')}`,
      'skip a story with `ropewalk skip`, and bring other work in by another delivery',
    )
  if (given.outline !== null && canonical(given.outline) !== canonical(state.plan.plan?.outline ?? null))
    throw new TerminalError(
      'work on this plan has begun, so its outline stays as it was approved',
      'leave the outline as it was; `ropewalk plan --export` shows it',
    )
  return given.stories.flatMap((story) => {
    const changes = changesOf(state.stories[story.id]!.spec, story)
    return Object.keys(changes).length === 0 ? [] : [{ story: story.id, changes }]
  })
}

function changesOf(before: Story, after: Story): Partial<Omit<Story, 'id'>> {
  const entries = Object.entries(after).filter(
    ([key, value]) => key !== 'id' && canonical(value) !== canonical(before[key as keyof Story]),
  )
  const changes = Object.fromEntries(entries) as Partial<Omit<Story, 'id'>>
  if (changes.dependsOn !== undefined)
    throw new TerminalError(
      `${after.id}: what a story depends on cannot be changed once work has begun`,
      'leave dependsOn as it was; `ropewalk plan --export` shows it',
    )
  return changes
}
