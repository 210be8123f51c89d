import { resolve } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { policyOf, storiesOf } from '../../delivery/state.ts'
import { submit } from '../../engine/submit.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Repository } from '../../ports/repository.ts'
import { policyHash } from '../../settings/policy.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { type CommandView, commandsOf, plannedCommands } from '../../views/commands.ts'
import { chosen } from '../choose-delivery.ts'
import { exitCodes } from '../exit-code.ts'
import { preflight } from '../prepare/preflight.ts'
import { agreed } from '../show/ask.ts'
import { bold, dim, type Line, yellow } from '../show/line.ts'
import { table } from '../show/table.ts'
import type { Cli } from '../world.ts'

export interface AdoptOptions {
  yes?: boolean
  bundle?: string
}

/** A human goes on with a delivery that came from a file: with the settings of this repository, once they have seen what runs. */
export async function adopt(cli: Cli, name: string, options: AdoptOptions): Promise<number> {
  const { world, screen, cwd } = cli
  const { state } = await chosen(cli, { delivery: name })
  if (state.imported === null)
    throw new TerminalError(`${state.id} was not imported, or is adopted already`, 'go on with it by `ropewalk resume`')
  const { target: branch } = state.request!
  const { gates } = policyOf(state)
  // Where the settings name no gates, a file may ask for more of them than is usual, and never for fewer.
  const usual = gates === 'auto' ? {} : { usualGates: gates }
  const { policy, repository, warnings } = await preflight(cli, { target: branch, ...usual }, world.home)
  const clone = await (await world.repositories(world.home)).open(repository)
  if (options.bundle !== undefined) await clone.readBundle({ delivery: state.id, file: resolve(cwd, options.bundle) })
  const target = await clone.fetchTarget(branch)
  await requireCommits(clone, state, target)
  for (const warning of warnings) screen.warn([yellow('warning: '), warning])
  if (!screen.json) screen.print(...shown(state, policy))
  if (options.yes !== true && !(await asked(cli, state))) return exitCodes.human
  const pinned = { policy, policyHash: policyHash(policy) }
  const intent = { type: 'AdoptDelivery', repository, target, ...pinned, by: world.user } as const
  const submitted = await submit(await world.intake(), { delivery: state.id, intent, actor: world.user })
  if ('refused' in submitted) throw new TerminalError(submitted.refused, submitted.remedy)
  if (screen.json) screen.emit({ delivery: state.id, adopted: true, runs: commandsOf(policy) })
  else screen.print(`Adopted, with the settings of ${repository.path}. \`ropewalk resume ${state.id}\` goes on.`)
  return exitCodes.done
}

async function asked({ screen }: Cli, state: DeliveryState): Promise<boolean> {
  if (screen.interactive) return await agreed('Go on with it here?')
  throw new TerminalError(
    `${state.id} was not adopted: nobody can be asked here`,
    `read what would run, then say so: ropewalk adopt ${state.id} --yes`,
  )
}

/** The work has to be here; and what it is said to have merged, on the target here. */
async function requireCommits(clone: Repository, state: DeliveryState, target: CommitId): Promise<void> {
  const { base } = state.request!
  const controls = storiesOf(state).map(({ control }) => control)
  const merged = controls.flatMap((control) => (control.status === 'merged' ? [control.commit] : []))
  const work = controls.flatMap((control) => [
    ...('base' in control ? [control.base] : []),
    ...('from' in control ? [control.from] : []),
    ...('commit' in control ? [control.commit] : []),
  ])
  for (const commit of [base, ...merged, ...work])
    await clone.readCommit(commit).catch((error: unknown) => {
      if (!(error instanceof TerminalError)) throw error
      const remedy = `export it again with --bundle <file>, then: ropewalk adopt ${state.id} --bundle <file>`
      throw new TerminalError(`commit ${commit} of ${state.id} is not in this repository`, remedy)
    })
  for (const commit of [base, ...merged])
    if (!(await clone.isAncestor(commit, target)))
      throw new TerminalError(
        `${state.request!.target} of this repository does not contain ${commit}, which the delivery builds on`,
        'fetch and merge what was landed elsewhere into it, or adopt it in the repository that has it',
      )
}

function shown(state: DeliveryState, policy: Policy): Line[] {
  const planned = plannedCommands(state)
  return [
    [bold(state.id), `  ${oneLine(state.request!.requirement.text, 200)}`],
    'As it was imported, it had run, and none of this will:',
    ...rows(commandsOf(policyOf(state))),
    "With this repository's settings, it will run:",
    ...rows(commandsOf(policy)),
    ...(planned.length === 0 ? [] : ['And, by the plan as it was imported:', ...rows(planned)]),
    dim('What was said of its work is not taken over: all that has not landed is judged again here.'),
  ]
}

const rows = (commands: CommandView[]): Line[] =>
  commands.length === 0
    ? ['  nothing']
    : table(
        commands.map(({ what, run }) => [what, oneLine(run, 500)]),
        '  ',
      )
