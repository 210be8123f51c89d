import { resolve } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import { type DeliveryState, policyOf, storiesOf } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import { policyHash } from '../../settings/policy.ts'
import { type CommandView, plannedCommands, policyCommands } from '../../views/commands.ts'
import { chosen, putIntent } from '../choose-delivery.ts'
import { preflight } from '../prepare/preflight.ts'
import { tellAll, type Visit } from '../world.ts'

/** What a person has to see before they adopt a delivery. */
export interface Adoption {
  delivery: string
  requirement: string
  /** What it ran where it came from. */
  ran: CommandView[]
  /** What it will run here, by the settings and by its plan. */
  runs: CommandView[]
  planned: CommandView[]
}

interface AdoptAsked {
  /** A file with its commits, where they were not imported. */
  bundle: string | undefined
  /** Whether the visitor wants it, now that they have seen what would run. */
  agreed(adoption: Adoption): Promise<boolean>
}

/** A human continues a delivery that came from a file, with the settings of this repository: those count from now on. */
export async function adoptDelivery(visit: Visit, name: string, { bundle, agreed }: AdoptAsked) {
  const { world, folder, user: by } = visit
  const { state } = await chosen(visit, name)
  if (state.imported === null)
    throw new TerminalError(
      `${state.id} was not imported, or has been adopted already`,
      'continue it with `ropewalk resume`',
    )
  const { target: branch } = state.request!
  const { gates } = policyOf(state)
  // Where the settings name no gates, a file may ask for more of them than is usual, and never for fewer.
  const usual = gates === 'auto' ? {} : { usualGates: gates }
  const { policy, repository, warnings } = await preflight(visit, { target: branch, ...usual }, world.home)
  const clone = await (await world.repositories(world.home)).open(repository)
  if (bundle !== undefined) await clone.readBundle({ delivery: state.id, file: resolve(folder, bundle) })
  const target = await clone.fetchTarget(branch)
  await requireCommits(clone, state, target)
  tellAll(visit, { warnings, notes: [] })
  const adoption = {
    ...{ delivery: state.id, requirement: state.request!.requirement.text, ran: policyCommands(policyOf(state)) },
    ...{ runs: policyCommands(policy), planned: plannedCommands(state), repository: repository.path },
  }
  if (!(await agreed(adoption))) return { ...adoption, adopted: false }
  const pinned = { policy, policyHash: policyHash(policy) }
  await putIntent(visit, state.id, { type: 'AdoptDelivery', repository, target, ...pinned, by })
  return { ...adoption, adopted: true }
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
