import { durationText } from '../../std/duration.ts'
import type { CostRow, CostView } from '../../views/cost.ts'
import { counted, knownText, tokensText, usdText } from '../../views/step-text.ts'
import { bold, dim, red, type ShownLine, type TextSpan, table, yellow } from '../show/line.ts'
import { deliveryArgument, deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'show what was spent, by story, role, agent and model',
  takes: deliveryArgument,
  options: deliveryOption,
}

/** What was spent, on what, by whom. */
export const costVerb = verb(words, async ({ desk, screen }, _, { delivery }) => {
  const view = await desk.cost(delivery)
  screen.show(view, () => costLines(view))
  return 0
})

export function costLines(view: CostView): ShownLine[] {
  if (view.turns === 0) return [`${view.delivery}: no agent has worked yet, nothing was spent`]
  const ceiling = view.ceilingUsd === null ? '' : ` of ${usdText(view.ceilingUsd)}`
  const reserved = view.reservedUsd === 0 ? '' : `, ${usdText(view.reservedUsd)} set aside`
  return [
    [
      bold(`${knownText(view)}${ceiling}`),
      `  ${tokensText(view.tokens, view)} in ${counted(view.turns, 'turn')}${reserved}`,
    ],
    ...(view.byStory.every((row) => markOf(row) !== '~')
      ? []
      : [yellow('~ estimated: an agent did not say, or could not, what a turn has used')]),
    ...(view.unpriced === 0 ? [] : [red(unpricedText(view))]),
    ...topLine(view),
    ...block('by story', view.byStory),
    ...block('by role', view.byRole),
    ...block('by agent', view.byAgent),
    ...block('by model', view.byModel),
  ]
}

const unpricedText = ({ unpriced, usdKnown }: CostView): string => {
  const counts = usdKnown
    ? 'what was set aside for them is counted instead (reserveUsd)'
    : 'nothing was set aside for them, so what they cost is not in these figures (set reserveUsd)'
  return `? ${counted(unpriced, 'turn')} without a known price: ${counts}`
}

function topLine({ top }: CostView): ShownLine[] {
  if (top === null) return []
  const { name, usd, share, agent, model } = top
  return [['most of it: ', bold(name), ` by ${agent}, ${model} (${usdText(usd)}, ${Math.round(share * 100)}%)`]]
}

const block = (title: string, rows: CostRow[]): ShownLine[] => ['', dim(title), ...table(rows.map(cells), '  ')]

const cells = (row: CostRow): TextSpan[] => [
  bold(row.name),
  `${knownText(row)}${markOf(row)}`,
  counted(row.turns, 'turn'),
  `${row.inputTokens} in`,
  `${row.outputTokens} out`,
  `${row.cachedTokens} cached`,
  durationText(row.durationMs),
]

const markOf = ({ unpriced, exact }: CostRow): string => (unpriced > 0 ? '?' : exact ? '' : '~')
