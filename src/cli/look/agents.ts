import type { Examined } from '../../desk/doctor.ts'
import type { AgentRow } from '../../desk/settings.ts'
import { isProduct } from '../../settings/drivers.ts'
import { exitCodes } from '../exit-code.ts'
import { bold, dim, green, red, type ShownLine, type TextSpan, table, yellow } from '../show/line.ts'
import { openRedraw } from '../show/redraw.ts'
import { verb } from '../verb.ts'

const listing = 'list the agents: installed, signed in, usable or why not, and their roles'

/** Every agent that is known or configured, each shown when it has answered. */
export const agentsVerb = verb({ says: listing }, async ({ desk, screen }) => {
  const redraw = screen.redraws ? openRedraw(screen) : null
  const rows = await desk.agents((known) => redraw?.draw(agentLines(known)))
  redraw?.draw([])
  screen.show(rows, () => agentLines(rows))
  return 0
})

/** One line for each, and what to do below those that cannot be used; a mere name is still being tried. */
export function agentLines(rows: (AgentRow | string)[]): ShownLine[] {
  const lines = table(rows.map((row) => (typeof row === 'string' ? [dim('…'), bold(row)] : cells(row))))
  return lines.flatMap((line, i) => {
    const row = rows[i]
    return typeof row === 'object' && row.remedy !== null ? [line, dim(`     ${row.remedy}`)] : [line]
  })
}

const cells = ({ name, driver, version, usable, roles, signedIn, problem, notes }: AgentRow): TextSpan[] => [
  usable ? green('✔') : red('✘'),
  bold(name),
  [driver === name ? '' : driver, version ?? ''].filter((part) => part !== '').join(' '),
  roles.join(', '),
  usable ? [signedInText(driver, signedIn), ...notes].filter((part) => part !== '').join('; ') : (problem ?? ''),
]

/** Programs that the settings name are never looked at by `auto`. */
function signedInText(driver: string, signedIn: string | null): string {
  if (signedIn !== null) return `signed in by ${signedIn}`
  return isProduct(driver) ? 'perhaps not signed in, so auto passes it over' : ''
}

/** Is everything there that a delivery needs? */
export const doctorVerb = verb(
  { says: 'check that everything a delivery needs is there' },
  async ({ desk, screen }) => {
    const examined = await desk.doctor()
    const sound = examined.every(({ status }) => status !== 'problem')
    screen.show({ sound, examined }, () => table(examined.map(examinedCells)))
    return sound ? exitCodes.done : exitCodes.error
  },
)

const marks = { ok: green('ok'), note: yellow('note'), problem: red('problem') }

const examinedCells = ({ what, status, detail, remedy }: Examined): TextSpan[] => [
  marks[status],
  bold(what),
  remedy === '' ? detail : `${detail} → ${remedy}`,
]
