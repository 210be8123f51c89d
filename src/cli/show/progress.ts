import type { Question } from '../../delivery/question.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import type { Recorded } from '../../ports/event-log.ts'
import type { Pulse } from '../../ports/pulses.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { statusView } from '../../views/status.ts'
import { counted } from '../../views/step-text.ts'
import { eventLine } from '../../views/story/event-line.ts'
import { graphLines, questionLines } from './delivery-lines.ts'
import { bold, clockText, dim, type ShownLine, wrapped } from './line.ts'
import { openRedraw, type Screen } from './screen.ts'

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
type Last = 'stays' | 'goes'

interface Shown {
  /** What agents do at this moment. */
  pulses: (delivery: string) => Pulse[]
  /** Nobody is asked here, so that it has to be said how to answer. */
  answeredElsewhere: boolean
}

export function openProgress(screen: Screen, shown: Shown): Progress {
  if (screen.json) return stream(screen, (_, recorded) => recorded.forEach(screen.emit))
  return screen.redraws ? liveView(screen, shown) : stream(screen, telling(screen, shown))
}

function stream(screen: Screen, changed: Progress['changed']): Progress {
  return { changed, note: (text) => screen.warn(text), hold() {}, goOn() {}, close() {} }
}

function telling(screen: Screen, { answeredElsewhere }: Shown): Progress['changed'] {
  const told = new Set<string>()
  return (state, recorded) => {
    screen.print(...recorded.flatMap(progressLine))
    const fresh = answeredElsewhere ? openQuestions(state).filter(({ id }) => !told.has(id)) : []
    for (const { id } of fresh) told.add(id)
    screen.print(...questionLines(fresh, state.id))
  }
}

/** One line for each event that is worth it. */
function progressLine({ at, event }: Pick<Recorded, 'at' | 'event'>): ShownLine[] {
  const { story, text, notable } = eventLine(event)
  if (!notable) return []
  return [[dim(`${clockText(at)}  `), ...(story === null ? [] : [bold(story), '  ']), oneLine(text)]]
}

/** What speaks for each option takes more room than a view that is drawn again and again has. */
function howToAnswer(questions: Question[], delivery: string, columns: number): ShownLine[] {
  const [first] = questions
  if (first === undefined) return []
  const others = questions.length === 1 ? '' : ` and ${counted(questions.length - 1, 'more question')}`
  return [
    ...questionLines([{ ...first, evidence: '' }], delivery),
    dim(`    what speaks for each${others}: ropewalk inbox`),
  ].flatMap((line) => wrapped(line, columns))
}

const framesPerSecond = 10
const remembered = 3

/** Drawn anew when something happens, at most so many times a second, and once a second for the clocks. */
function liveView(screen: Screen, { pulses, answeredElsewhere }: Shown): Progress {
  const redraw = openRedraw(screen)
  let state: DeliveryState | null = null
  let latest: ShownLine[] = []
  let held = false
  let frame: NodeJS.Timeout | null = null
  const draw = () => {
    frame = null
    if (state === null || held) return
    const at = Date.now()
    const { running } = state
    const alive = pulses(state.id).filter(({ step }) => running[step] !== undefined)
    const { columns, rows } = screen.size()
    const asked = answeredElsewhere ? howToAnswer(openQuestions(state), state.id, columns - 1) : []
    const size = { columns, rows: rows - asked.length, pulses: alive }
    redraw.draw([...graphLines(statusView(state, at), at, size), ...asked, ...latest])
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
