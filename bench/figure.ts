/** One line of the table: what was measured against what, and what was promised. */
export interface Figure {
  name: string
  ours: string
  bare: string
  ratio: string
  promised: string
  kept: boolean
}

/** Runs the sides in turn, so that a noisy minute hits all of them, and takes each one's median. */
export async function interleaved(
  sides: Record<string, () => Promise<number>>,
  runs = 10,
): Promise<Record<string, number>> {
  const samples: Record<string, number[]> = Object.fromEntries(Object.keys(sides).map((name) => [name, []]))
  for (let run = 0; run < runs; run++) {
    for (const [name, side] of Object.entries(sides)) samples[name]!.push(await side())
  }
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]))
}

/** Milliseconds that an action takes. */
export async function timed(action: () => unknown): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`

export function figureTable(figures: Figure[]): string {
  const rows = figures.map(
    ({ name, ours, bare, ratio, promised, kept }) =>
      `| ${name} | ${ours} | ${bare} | ${ratio} | ${promised} | ${kept ? 'yes' : 'no'} |`,
  )
  return ['| what | ours | bare | ratio | promised | kept |', '|---|---|---|---|---|---|', ...rows].join('\n')
}
