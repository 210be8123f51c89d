import type { DeliveryState } from '../../delivery/state.ts'
import type { Recorded } from '../../ports/event-log.ts'
import type { Pulse } from '../../ports/pulses.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { eventLine } from '../../views/events/event-line.ts'
import { statusView } from '../../views/status.ts'
import type { Line } from './line.ts'
import { bold, dim } from './line.ts'
import { graphLines } from './lines/graph-lines.ts'
import { openRedraw } from './redraw.ts'
import type { Screen } from './screen.ts'
import { clockText } from './time.ts'

/** What is seen of a delivery while it is driven or watched. */
export interface Progress {
  changed(state: DeliveryState, recorded: Recorded[]): void
  /** Says something beside what is shown. */
  note(text: string): void
  /** Something else needs the screen, until `goOn`. */
  hold(last: Last): void
  goOn(): void
  close(last: Last): void
}

/** What becomes of the last drawing: it is wiped where what follows says the same and more. */
export type Last = 'stays' | 'goes'

/** `pulses`: what agents do at this moment. */
export function openProgress(screen: Screen, pulses: () => Pulse[]): Progress {
  if (screen.json) return stream(screen, (one) => screen.emit(one))
  return screen.redraws ? liveView(screen, pulses) : stream(screen, (one) => screen.print(...progressLine(one)))
}

function stream(screen: Screen, tell: (one: Recorded) => void): Progress {
  const changed: Progress['changed'] = (_, recorded) => recorded.forEach(tell)
  return { changed, note: (text) => screen.warn(text), hold() {}, goOn() {}, close() {} }
}

/** One line for each event that is worth it. */
export function progressLine({ at, event }: Pick<Recorded, 'at' | 'event'>): Line[] {
  const { story, text, notable } = eventLine(event)
  if (!notable) return []
  return [[dim(`${clockText(at)}  `), ...(story === null ? [] : [bold(story), '  ']), oneLine(text)]]
}

const framesPerSecond = 10
const remembered = 3

/** Drawn anew when something happens, at most so many times a second, and once a second for the clocks. */
function liveView(screen: Screen, pulses: () => Pulse[]): Progress {
  const redraw = openRedraw(screen)
  let state: DeliveryState | null = null
  let latest: Line[] = []
  let held = false
  let frame: NodeJS.Timeout | null = null
  const draw = () => {
    frame = null
    if (state === null || held) return
    const at = Date.now()
    const { running } = state
    const alive = pulses().filter(({ step }) => running[step] !== undefined)
    redraw.draw([...graphLines(statusView(state, at), at, { ...screen.size(), pulses: alive }), ...latest])
  }
  const part = (last: Last) => {
    if (last === 'stays') draw()
    else if (!held) redraw.draw([])
    redraw.leave()
  }
  const soon = () => {
    frame ??= setTimeout(draw, 1000 / framesPerSecond)
  }
  const tick = setInterval(soon, 1000).unref()
  process.stdout.on('resize', soon)
  return {
    changed(current, recorded) {
      state = current
      latest = [...latest, ...recorded.flatMap(progressLine)].slice(-remembered)
      soon()
    },
    note(text) {
      redraw.draw([])
      screen.print(text)
      draw()
    },
    hold(last) {
      part(last)
      held = true
    },
    goOn() {
      held = false
      soon()
    },
    close(last) {
      clearInterval(tick)
      if (frame !== null) clearTimeout(frame)
      process.stdout.off('resize', soon)
      part(last)
      state = null
    },
  }
}
