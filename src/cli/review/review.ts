import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { drive } from '../../engine/drive.ts'
import { submit } from '../../engine/submit.ts'
import { TerminalError } from '../../ports/errors.ts'
import { policyHash } from '../../settings/policy.ts'
import { settingsGaps } from '../../settings/references.ts'
import { shortId } from '../../views/step-text.ts'
import { onInterrupt } from '../deliver/interrupt.ts'
import { staff } from '../prepare/agents/staff.ts'
import { freshDeliveryId } from '../prepare/delivery-id.ts'
import { factsHere } from '../prepare/facts.ts'
import { requireHome } from '../prepare/home.ts'
import { readEverything } from '../prepare/preflight.ts'
import { withWholePath } from '../prepare/prompts.ts'
import { readText } from '../prepare/requirement.ts'
import { dim, yellow } from '../show/line.ts'
import { meanwhile } from '../show/meanwhile.ts'
import { openProgress } from '../show/progress.ts'
import type { Cli } from '../world.ts'
import { type Range, rangeOf, trunkFor } from './subject.ts'
import { tellReview } from './tell-review.ts'

export interface ReviewOptions {
  base?: string
  requirement?: string
  file?: string
  criterion?: string[]
  sarif?: boolean
  output?: string
}

/** Reviews work that is there already, as a delivery of its own that changes nothing. */
export async function review(cli: Cli, what: string, options: ReviewOptions): Promise<number> {
  const { screen, world } = cli
  if (screen.json && options.sarif === true)
    throw new TerminalError('--json and --sarif are two formats', 'name one of them')
  if (options.output !== undefined && !screen.json && options.sarif !== true)
    throw new TerminalError('--output needs a format', 'add --json or --sarif')
  requireHome(world.home)
  const description = await wantedBy(cli.cwd, options)
  const { repository, checkout, layered } = await readEverything(
    cli,
    { otherwise: (found) => trunkFor(found, what) },
    world.home,
  )
  const repositories = await world.repositories(world.home)
  const places = {
    checkout,
    target: layered.target,
    clone: await repositories.open(repository),
    user: await repositories.look(cli.cwd),
  }
  const range = await meanwhile(
    screen,
    'Looking at what is to be reviewed …',
    rangeOf(places, { what, base: options.base }),
  )
  const policy = withWholePath(await policyFor(cli, layered, repository.path))
  for (const warning of [...layered.warnings, ...range.notes]) screen.warn([yellow('note: '), warning])
  const delivery = freshDeliveryId(`review ${range.title}`)
  const submitted = await submit(await world.intake(), {
    delivery,
    intent: {
      type: 'RequestDelivery',
      requirement: { text: `Review ${range.title}`, source: 'command line', submitter: world.user },
      ...{ repository, target: policy.target, base: range.base, policy, policyHash: policyHash(policy), plan: null },
      review: {
        ...subjectOf(range, description, options.criterion ?? []),
        calls: await world.calls(await places.clone.diff(range.base, range.commit)),
      },
    },
    actor: world.user,
  })
  if ('refused' in submitted) throw new TerminalError(submitted.refused, submitted.remedy)
  if (!screen.json && options.sarif !== true)
    screen.print(dim(`Reviewing ${shortId(range.base)}..${shortId(range.commit)} (${delivery})`))
  return await driven(cli, delivery, options)
}

const subjectOf = ({ base, commit, tree, title }: Range, description: string, criteria: string[]) => ({
  ...{ base, commit, tree, title, description, criteria },
})

/** What the work was to do, where somebody says it: reviewers see no author's words. */
async function wantedBy(cwd: string, { requirement, file }: ReviewOptions): Promise<string> {
  if (requirement !== undefined && file !== undefined)
    throw new TerminalError('the requirement was given twice', 'give it with --requirement or with --file, not both')
  return file === undefined ? (requirement ?? '') : await readText(resolve(cwd, file))
}

/** Nothing is made and nothing is proven: only reviewers are needed. */
async function policyFor(cli: Cli, layered: Awaited<ReturnType<typeof readEverything>>['layered'], root: string) {
  const gaps = settingsGaps(layered.settings).filter(({ key }) => key !== 'checks')
  if (gaps.length > 0)
    throw new TerminalError(
      gaps.map((gap) => `${gap.key}: ${gap.message}`).join('\n'),
      'run `ropewalk init`, or add it to ropewalk.yaml',
    )
  const settings = { ...layered.settings, target: layered.target }
  const facts = factsHere(layered.target, !cli.screen.interactive)
  const { policy } = await meanwhile(
    cli.screen,
    'Trying the agents …',
    staff(cli.world, settings, { facts, planned: true, root }),
  )
  if (policy.review.reviewers.some(({ agents }) => agents.length > 0)) return policy
  throw new TerminalError('nobody is there who could review', 'name reviewers under review.reviewers in ropewalk.yaml')
}

/** What goes to a file or another program is not mixed with what happens on the way. */
async function driven(cli: Cli, delivery: string, options: ReviewOptions): Promise<number> {
  const { screen, world } = cli
  const pulses = await world.pulses()
  const isDocument = screen.json || options.sarif === true
  const progress = isDocument
    ? null
    : openProgress(screen, { pulses: () => pulses.of(delivery), answeredElsewhere: false })
  const interrupt = onInterrupt({
    first: () => progress?.note('Interrupted: ending what is running.'),
    again: () => {},
  })
  const engine = await world.engine((state, recorded) => progress?.changed(state, recorded))
  const drove = await drive(engine, { delivery, signal: interrupt.signal, stay: false }).finally(() => {
    interrupt.close()
    progress?.close('goes')
  })
  if (!('state' in drove))
    throw new TerminalError(
      'another process has taken this review over',
      `follow it with ropewalk watch -d ${delivery}`,
    )
  const interrupted = drove.status === 'interrupted' && drove.state.mode.status !== 'ended'
  return await tellReview(cli, drove.state, { ...options, interrupted, write: (text) => written(cli, text, options) })
}

function written({ screen, cwd }: Cli, text: string, { output }: ReviewOptions): void {
  if (output === undefined) screen.document(text)
  else writeFileSync(resolve(cwd, output), text)
}
