import { dim } from './line.ts'
import { openRedraw } from './redraw.ts'
import type { Screen } from './screen.ts'

/** Says what is being waited for, on a terminal, until it is there. */
export async function meanwhile<T>(screen: Screen, text: string, work: Promise<T>): Promise<T> {
  if (!screen.redraws) return await work
  const redraw = openRedraw(screen)
  redraw.draw([dim(text)])
  return await work.finally(() => redraw.draw([]))
}
