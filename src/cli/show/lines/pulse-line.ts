import type { Pulse } from '../../../ports/pulses.ts'
import { durationText } from '../../../std/duration.ts'
import { never } from '../../../std/never.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import { fitted, textWidth } from '../../../std/text/text-width.ts'
import { usdText } from '../../../views/step-text.ts'
import type { Line } from '../line.ts'
import { dim, yellow } from '../line.ts'
import { momentText } from '../time.ts'

const indent = '    '

/** What an agent does now, how long ago it gave a sign of life, and what its turn has used so far. */
export function pulseLine(pulse: Pulse, at: number, columns: number): Line {
  const facts = factsOf(pulse, at, columns < 60)
  const what = fitted(doingText(pulse, at), Math.max(12, columns - 1 - textWidth(indent) - textWidth(facts)))
  const isWell = pulse.state === 'working'
  return [indent, isWell ? what : yellow(what), dim(facts)]
}

function doingText({ state, doing, seenAt, until }: Pulse, at: number): string {
  const last = oneLine(doing, 200)
  const silence = durationText(at - seenAt)
  switch (state) {
    case 'working':
      return last
    case 'permission':
      return `waits for permission: ${last}`
    case 'limit':
      return until === null ? 'waits for a limit' : `waits for a limit until ${momentText(until, at)}`
    case 'silent':
      return `silent for ${silence}, last: ${last}`
    case 'hung':
      return `hung: silent for ${silence}, last: ${last}`
    case 'exited':
      return 'has ended'
    default:
      return never(state)
  }
}

function factsOf({ state, seenAt, usage, usd }: Pulse, at: number, narrow: boolean): string {
  const tokens = usage.inputTokens + usage.outputTokens
  const facts = [
    state === 'working' ? `${seconds(at - seenAt)} ago` : '',
    tokens === 0 || narrow ? '' : `${countText(tokens)} tokens`,
    usd === null ? '' : usdText(usd),
  ]
  return facts.flatMap((fact) => (fact === '' ? [] : [`  ${fact}`])).join('')
}

/** In whole seconds: smaller ones only flicker. */
const seconds = (ms: number): string => (ms < 1000 ? '0s' : durationText(ms))

const countText = (count: number): string =>
  count < 1000 ? `${count}` : count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}M`
