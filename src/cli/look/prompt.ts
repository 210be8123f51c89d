import type { ToldPrompt, ToldSection } from '../../ports/prompts.ts'
import { bold, dim, type ShownLine, type TextSpan, table } from '../show/line.ts'
import { deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'show what an agent is told, word for word, and why each part is there',
  takes: { '<role>': 'such as coder, planner, reviewer', '[story]': '' },
  options: deliveryOption,
}

/** What a role is told, word for word. The text alone is the result, so that it can be kept; the rest is beside it. */
export const promptVerb = verb(words, async ({ desk, screen }, [wanted, story], { delivery }) => {
  const told = await desk.prompt(delivery, { wanted: wanted!, story })
  if (screen.json) screen.emit(told)
  else {
    screen.warn(...promptLines(told))
    screen.document(told.text)
  }
  return 0
})

function promptLines(told: ToldPrompt): ShownLine[] {
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
  sent: 'this is what it was told last; it is not being asked now',
  supposed: 'this is what it would be told if it were its turn',
}

const cells = ({ name, tokens, most, left, file, why }: ToldSection): TextSpan[] => [
  name,
  tokens === null ? '' : name === 'task' ? `${tokens} tokens` : `${tokens} of ${most} tokens`,
  left === 0 ? why : `${why} (${left} ${file === null ? 'left out' : 'in a file'})`,
]
