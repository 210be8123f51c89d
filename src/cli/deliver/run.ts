import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submit } from '../../engine/submit.ts'
import { TerminalError } from '../../ports/errors.ts'
import { policyHash } from '../../settings/policy.ts'
import { leavingLines, leavingOf } from '../manage/gc/soon.ts'
import { freshDeliveryId } from '../prepare/delivery-id.ts'
import { requestOnce } from '../prepare/duplicate.ts'
import { requireHome } from '../prepare/home.ts'
import { endAbandonedLedgers } from '../prepare/ledger.ts'
import type { PreflightOptions, Prepared } from '../prepare/preflight.ts'
import { preflight } from '../prepare/preflight.ts'
import { readRequirement, refuseWhatIsNone, requirementFrom } from '../prepare/requirement.ts'
import { dim, yellow } from '../show/line.ts'
import type { Cli } from '../world.ts'
import { detach } from './detach.ts'
import { showDryRun } from './dry-run.ts'
import { go } from './go.ts'

export interface RunOptions extends PreflightOptions {
  file?: string
  detach?: boolean
  dryRun?: boolean
  /** Although the same is being delivered. */
  again?: boolean
}

/** A requirement becomes a delivery, and the delivery is driven. */
export async function run(cli: Cli, text: string | undefined, options: RunOptions): Promise<number> {
  const requirement = await readRequirement(cli.cwd, { text, file: options.file })
  // With a plan, that is what is wanted; its title may be anything.
  if (options.plan === undefined) refuseWhatIsNone(requirement.text)
  if (options.dryRun === true) return await dryRun(cli, requirement.text, options)
  requireHome(cli.world.home)
  await endAbandonedLedgers(cli)
  const prepared = await preflight(cli, options, cli.world.home)
  for (const warning of prepared.warnings) cli.screen.warn([yellow('warning: '), warning])
  if (!cli.screen.json) cli.screen.print(...prepared.notes.map(dim), ...leavingLines(await leavingOf(cli)))
  await refreshMemory(cli, prepared.base)
  const wanted = { repository: prepared.repository.id, text: requirement.text }
  const again = options.plan !== undefined || options.again === true
  const delivery = await requestOnce(cli, { ...wanted, again }, () => request(cli, requirement, prepared))
  if (options.detach === true) return await detach(cli, delivery, prepared.repository.path)
  if (!cli.screen.json) cli.screen.print(`Delivery ${delivery} on ${prepared.policy.target}`)
  return await go(cli, { delivery, stay: false })
}

async function request(
  cli: Cli,
  { text, source }: { text: string; source: string },
  { repository, base, policy, plan }: Prepared,
): Promise<string> {
  const { user } = cli.world
  const delivery = freshDeliveryId(text)
  const submitted = await submit(await cli.world.intake(), {
    delivery,
    intent: {
      type: 'RequestDelivery',
      requirement: requirementFrom({ text, source }, user),
      repository,
      target: policy.target,
      base,
      policy,
      policyHash: policyHash(policy),
      plan,
      review: null,
    },
    actor: user,
  })
  if ('refused' in submitted) throw new TerminalError(submitted.refused, submitted.remedy)
  return delivery
}

/** What was learned once is kept up to date, as far as that needs no model. */
async function refreshMemory({ world, cwd }: Cli, commit: string): Promise<void> {
  const learning = await world.learning(cwd)
  const remembered = await learning.recall()
  const passes = (['static', 'history'] as const).filter((pass) => remembered?.passes[pass] !== undefined)
  if (passes.length > 0) await learning.learn({ commit, passes, force: false, by: null })
}

/** Looks at everything through a clone that is thrown away. */
async function dryRun(cli: Cli, requirement: string, options: RunOptions): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), 'ropewalk-dry-run-'))
  try {
    showDryRun(cli.screen, requirement, await preflight(cli, options, home))
    return 0
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
