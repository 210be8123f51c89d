import type { Told, ToldSection } from '../../ports/agent/prompts.ts'
import type { DeliveryOption } from '../choose-delivery.ts'
import { chosen } from '../choose-delivery.ts'
import type { Line, Span } from '../show/line.ts'
import { bold, dim } from '../show/line.ts'
import { table } from '../show/table.ts'
import type { Cli } from '../world.ts'
import { requireStory } from './why.ts'

/** What a role is told, word for word, and why each part of it is there. */
export async function prompt(
  cli: Cli,
  [wanted, story]: [string, string | undefined],
  options: DeliveryOption,
): Promise<number> {
  const { state } = await chosen(cli, options)
  if (story !== undefined) requireStory(state, story)
  const at = Date.now()
  const moment = { at, day: new Date(at).toISOString().slice(0, 10), open: true, changesAt: null }
  const prompts = await cli.world.prompts()
  const told = await prompts.look({ state, moment, wanted, story: story ?? null })
  if (cli.screen.json) cli.screen.emit({ delivery: state.id, ...told })
  else show(cli, told)
  return 0
}

/** The text alone is the result, so that it can be kept; what is said about it is beside it. */
function show({ screen }: Cli, told: Told): void {
  screen.warn(...promptLines(told))
  screen.document(told.text)
}

export function promptLines(told: Told): Line[] {
  const { role, story, agent, source, hidden } = told
  const from = source.override === null ? 'built in' : `${source.override} at the base`
  return [
    [bold(`${role}${story === null ? '' : ` of ${story}`}`), `: ${statusText[told.status]}`],
    dim(`${source.prompt} (${from}, ${source.hash || 'not recorded'})${agent === null ? '' : `, for ${agent}`}`),
    dim(`isolation: ${source.isolation}; never shown: ${hidden.join(', ') || 'nothing is kept from it'}`),
    ...table(told.sections.map(cells), '  '),
    ...told.files.map(({ path, bytes }) => dim(`  beside it: ${path} (${bytes} bytes)`)),
    '',
  ]
}

const statusText = {
  due: 'this is what it is told now',
  sent: 'this is what it was told last; it is not asked now',
  supposed: 'this is what it would be told, were it its turn',
}

const cells = ({ name, tokens, most, left, file, why }: ToldSection): Span[] => [
  name,
  tokens === null ? '' : name === 'task' ? `${tokens} tokens` : `${tokens} of ${most} tokens`,
  left === 0 ? why : `${why} (${left} ${file === null ? 'left out' : 'in a file'})`,
]
