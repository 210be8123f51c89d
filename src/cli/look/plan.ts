import { type DecidingOptions, decideWith } from '../answer/decision.ts'
import type { Cli } from '../cli.ts'
import { readPlan } from '../given.ts'
import { dim } from '../show/line.ts'
import { acceptanceLines, planLines } from '../show/lines/plan-lines.ts'

interface PlanOptions extends DecidingOptions {
  export?: boolean
  set?: string
}

/** Shows the plan as it stands, writes it out as YAML, or takes a changed one. */
export async function planVerb(cli: Cli, _: string[], options: PlanOptions): Promise<number> {
  const { desk, screen, cwd } = cli
  if (options.set !== undefined)
    return await decideWith(cli, options, { kind: 'plan', plan: await readPlan(cwd, options.set) })
  const { plan: current, acceptance, ...about } = await desk.plan(options.delivery)
  if (options.export === true && !screen.json) {
    const { formatPlan } = await import('../../settings/files/plan-file.ts')
    screen.document(formatPlan(current))
  } else
    screen.show({ ...about, acceptance: acceptance?.id ?? null, ...current }, () => [
      ...acceptanceLines(acceptance),
      ...planLines(current),
      dim(`revision ${about.revision}, ${about.status}`),
    ])
  return 0
}
