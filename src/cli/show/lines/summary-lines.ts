import { durationText } from '../../../std/duration.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import { costText, counted, shortId, tokensText } from '../../../views/step-text.ts'
import type { DeliveryWord, SummaryView } from '../../../views/summary.ts'
import { bold, dim, green, type ShownLine, type Style, table, yellow } from '../line.ts'

const wordStyle = (word: DeliveryWord): Style =>
  word === 'done' ? 'green' : ['blocked', 'crashed', 'budget'].includes(word) ? 'red' : 'yellow'

/** What was merged, what was not and why, what it cost, what to do now. */
export function summaryLines(view: SummaryView): ShownLine[] {
  const { word, reason, merged, joined, left, concerns } = view
  return [
    '',
    [{ text: word, style: wordStyle(word) }, dim(`  ${view.delivery}`)],
    ...(reason === '' ? [] : [`  ${oneLine(reason, 1000)}`]),
    ...section(
      merged.length === 0 ? [] : [green(`Merged to ${view.target}: ${counted(merged.length, 'story', 'stories')}`)],
      table(
        merged.map((one) => [shortId(one.commit), bold(one.story), one.title]),
        '  ',
      ),
    ),
    ...section(
      joined.length === 0 ? [] : [yellow('Proven, but not merged yet')],
      table(
        joined.map((one) => [shortId(one.commit), bold(one.story), one.title]),
        '  ',
      ),
    ),
    ...section(
      left.length === 0 ? [] : [yellow('Not merged')],
      table(
        left.map((one) => [one.word, bold(one.story), oneLine(one.reason)]),
        '  ',
      ),
    ),
    ...section(
      concerns.length === 0 ? [] : [yellow('Concerns')],
      concerns.slice(0, 20).map((text) => `  ${oneLine(text)}`),
    ),
    dim(effortText(view)),
    ...section(
      view.next.length === 0 ? [] : ['Next'],
      view.next.map((command) => `  ${command}`),
    ),
  ]
}

const section = (head: ShownLine[], body: ShownLine[]): ShownLine[] =>
  head.length === 0 ? [] : [...head.map((one) => one), ...body]

function effortText({ tookMs, turns, tokens, ...cost }: SummaryView): string {
  const money = turns === 0 ? '' : `, ${counted(turns, 'agent turn')}, ${tokensText(tokens, cost)}, ${costText(cost)}`
  return `${durationText(tookMs)}${money}`
}
