import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryRow } from '../../ports/event-log.ts'
import { durationText } from '../../std/duration.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import type { CostRow, CostView } from '../../views/cost.ts'
import { counted, knownText, tokensText, usdText } from '../../views/step-text.ts'
import { deliveryWord, summaryView } from '../../views/summary.ts'
import { decideWith, decidingOptions } from '../answer/decision.ts'
import { exitCodeOf, exitCodes, whileRead } from '../ending.ts'
import { readPlan } from '../given.ts'
import { leavingLines, questionLines, statusLines, summaryLines } from '../show/delivery-lines.ts'
import { bold, dateText, dim, red, type ShownLine, type TextSpan, table, tableUnder, yellow } from '../show/line.ts'
import { acceptanceLines, planLines } from '../show/plan-lines.ts'
import { openProgress } from '../show/progress.ts'
import { deliveryArgument, deliveryOption, ofDelivery, verb } from '../verb.ts'

const status = {
  says: 'show what is happening in a delivery',
  takes: deliveryArgument,
  options: { ...deliveryOption, '--all': 'every delivery of this machine, one line each' },
}

/** Where a delivery is; or all of them, one line each. */
export const statusVerb = verb(status, async ({ desk, screen }, _, options) => {
  if (options.all) {
    const all = await desk.deliveries()
    screen.show(all, () => (all.length === 0 ? [noDeliveries] : table(all.map(rowOf))))
    return 0
  }
  const { view, driver, pulses, leaving } = await desk.status(options.delivery)
  screen.show({ ...view, driver, pulses, leaving }, () => [
    ...statusLines(view, { at: Date.now(), driver, pulses, columns: screen.size().columns }),
    ...leavingLines(leaving),
  ])
})

const noDeliveries = 'There are no deliveries yet. Start one: ropewalk run "<requirement>"'

const rowOf = ({ word, delivery, repository, requestedAt, title }: DeliveryRow & { word: string }): TextSpan[] => [
  ...[word, bold(delivery), dim(repository), dim(dateText(requestedAt)), oneLine(title, 80)],
]

const watch = { says: 'follow a delivery that another process drives', ...ofDelivery }

/** Shows a delivery as it goes on, until it ends or nobody drives it any more. Changes nothing. */
export const watchVerb = verb(watch, async ({ desk, screen }, _, { delivery }) => {
  const progress = openProgress(screen, { pulses: await desk.pulses(), answeredElsewhere: true })
  const { changed } = progress
  const { state, interrupted } = await whileRead(async (signal) => {
    const watched = await desk.watch(delivery, { signal, changed })
    return { state: watched, interrupted: signal.aborted }
  })
  const isOver = state.mode.status === 'ended'
  progress.close(isOver ? 'goes' : 'stays')
  if (interrupted) return exitCodes.operator
  const at = Date.now()
  const summary = summaryView(state, at)
  screen.show({ summary }, () =>
    isOver
      ? summaryLines(summary)
      : [...questionLines(openQuestions(state)), 'No process is driving it: continue with `ropewalk resume`.'],
  )
  return exitCodeOf(deliveryWord(state, at))
})

const plan = {
  says: 'show the plan, or replace it',
  options: {
    ...decidingOptions,
    '--export': 'print it as YAML',
    '--set <path>': 'use this plan: as a whole before work has begun, story by story afterwards',
  },
}

/** Shows the plan as it stands, writes it out as YAML, or takes a changed one. */
export const planVerb = verb(plan, async (cli, _, options) => {
  const { desk, screen, cwd } = cli
  if (options.set !== undefined)
    return await decideWith(cli, options, { kind: 'plan', plan: await readPlan(cwd, options.set) })
  const { plan: current, acceptance, ...about } = await desk.plan(options.delivery)
  if (options.export && !screen.json) {
    const { formatPlan } = await import('../../settings/plan-file.ts')
    screen.document(formatPlan(current))
  } else
    screen.show({ ...about, acceptance: acceptance?.id ?? null, ...current }, () => [
      ...acceptanceLines(acceptance),
      ...planLines(current),
      dim(`revision ${about.revision}, ${about.status}`),
    ])
})

const cost = { says: 'show what was spent, by story, role, agent and model', ...ofDelivery }

/** What was spent, on what, by whom. */
export const costVerb = verb(cost, async ({ desk, screen }, _, { delivery }) => {
  const view = await desk.cost(delivery)
  screen.show(view, () => costLines(view))
})

export function costLines(view: CostView): ShownLine[] {
  if (view.turns === 0) return [`${view.delivery}: no agent has worked yet, nothing was spent`]
  const { byStory, unpriced, top } = view
  const isEstimated = byStory.some((row) => markOf(row) === '~')
  const unpricedCounts = view.usdKnown
    ? 'what was set aside for them is counted instead (reserveUsd)'
    : 'nothing was set aside for them, so what they cost is not in these figures (set reserveUsd)'
  const ceiling = view.ceilingUsd === null ? '' : ` of ${usdText(view.ceilingUsd)}`
  const reserved = view.reservedUsd === 0 ? '' : `, ${usdText(view.reservedUsd)} set aside`
  return [
    [
      bold(`${knownText(view)}${ceiling}`),
      `  ${tokensText(view.tokens, view)} in ${counted(view.turns, 'turn')}${reserved}`,
    ],
    ...(isEstimated ? [yellow('~ estimated: an agent did not say, or could not, what a turn has used')] : []),
    ...(unpriced === 0 ? [] : [red(`? ${counted(unpriced, 'turn')} without a known price: ${unpricedCounts}`)]),
    ...(top === null ? [] : [topLine(top)]),
    ...block('by story', byStory),
    ...block('by role', view.byRole),
    ...block('by agent', view.byAgent),
    ...block('by model', view.byModel),
  ]
}

const topLine = ({ name, usd, share, agent, model }: NonNullable<CostView['top']>): ShownLine => [
  ...['most of it: ', bold(name), ` by ${agent}, ${model} (${usdText(usd)}, ${Math.round(share * 100)}%)`],
]

const block = (title: string, rows: CostRow[]): ShownLine[] => ['', dim(title), ...tableUnder(rows, cells)]

const cells = (row: CostRow): TextSpan[] => [
  ...[bold(row.name), `${knownText(row)}${markOf(row)}`, counted(row.turns, 'turn')],
  ...[`${row.inputTokens} in`, `${row.outputTokens} out`, `${row.cachedTokens} cached`, durationText(row.durationMs)],
]

const markOf = ({ unpriced, exact }: CostRow): string => (unpriced > 0 ? '?' : exact ? '' : '~')
