import type { Examined } from '../../desk/doctor/examined.ts'
import type { Cli } from '../cli.ts'
import { exitCodes } from '../exit-code.ts'
import { bold, green, red, type Span, yellow } from '../show/line.ts'
import { table } from '../show/table.ts'

/** Is everything there that a delivery needs? */
export async function doctor({ desk, screen }: Cli): Promise<number> {
  const examined = await desk.doctor()
  const sound = examined.every(({ status }) => status !== 'problem')
  screen.show({ sound, examined }, () => table(examined.map(cells)))
  return sound ? exitCodes.done : exitCodes.error
}

const marks = { ok: green('ok'), note: yellow('note'), problem: red('problem') }

const cells = ({ what, status, detail, remedy }: Examined): Span[] => [
  marks[status],
  bold(what),
  remedy === '' ? detail : `${detail} → ${remedy}`,
]
