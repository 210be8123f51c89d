import { decideWith, decidingOptions } from '../answer/decision.ts'
import { readPlan } from '../given.ts'
import { dim } from '../show/line.ts'
import { acceptanceLines, planLines } from '../show/lines/plan-lines.ts'
import { verb } from '../verb.ts'

const words = {
  says: 'show the plan, or replace it',
  options: {
    ...decidingOptions,
    '--export': 'print it as YAML',
    '--set <path>': 'use this plan: as a whole before work has begun, story by story afterwards',
  },
}

/** Shows the plan as it stands, writes it out as YAML, or takes a changed one. */
export const planVerb = verb(words, async (cli, _, options) => {
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
  return 0
})
