import type { Examined } from '../../desk/doctor.ts'
import type { AgentRow } from '../../desk/settings.ts'
import type { SortedFile } from '../../ports/proofs/rehearsal.ts'
import { isProduct } from '../../settings/drivers.ts'
import { jsonSchema } from '../../settings/json-schema.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { counted } from '../../views/step-text.ts'
import { exitCodes } from '../ending.ts'
import { bold, dim, green, red, type ShownLine, type TextSpan, table, tableUnder, yellow } from '../show/line.ts'
import { openRedraw } from '../show/screen.ts'
import { verb } from '../verb.ts'

const listing = 'list the agents: installed, signed in, usable or why not, and their roles'

/** Every agent that is known or configured, each shown when it has answered. */
export const agentsVerb = verb({ says: listing }, async ({ desk, screen }) => {
  const redraw = screen.redraws ? openRedraw(screen) : null
  const rows = await desk.agents((known) => redraw?.draw(agentLines(known)))
  redraw?.draw([])
  screen.show(rows, () => agentLines(rows))
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
  [driver === name ? '' : driver, version ?? ''].filter(Boolean).join(' '),
  roles.join(', '),
  usable ? [signedInText(driver, signedIn), ...notes].filter(Boolean).join('; ') : (problem ?? ''),
]

/** Programs that the settings name are never looked at by `auto`. */
function signedInText(driver: string, signedIn: string | null): string {
  if (signedIn !== null) return `signed in by ${signedIn}`
  return isProduct(driver) ? 'perhaps not signed in, so auto passes it over' : ''
}

const examining = 'check that everything a delivery needs is there'

/** Is everything there that a delivery needs? */
export const doctorVerb = verb({ says: examining }, async ({ desk, screen }) => {
  const examined = await desk.doctor()
  const sound = examined.every(({ status }) => status !== 'problem')
  screen.show({ sound, examined }, () => table(examined.map(examinedCells)))
  return sound ? exitCodes.done : exitCodes.error
})

const marks = { ok: green('ok'), note: yellow('note'), problem: red('problem') }

const examinedCells = ({ what, status, detail, remedy }: Examined): TextSpan[] => [
  ...[marks[status], bold(what), remedy === '' ? detail : `${detail} → ${remedy}`],
]

const config = {
  says: 'list every setting, its value and where it comes from',
  options: {
    '--diff': 'only those that differ from the default',
    '--schema': 'print the JSON Schema of ropewalk.yaml',
  },
}

/** Every setting with its value and the layer that it comes from. */
export const configVerb = verb(config, async ({ desk, screen }, _, { schema, diff: isDiff }) => {
  if (schema) {
    screen.document(`${JSON.stringify(jsonSchema(), null, 2)}\n`)
    return 0
  }
  const { settings, warnings, material } = await desk.config({ material: !isDiff })
  const rows = settings.filter(({ origin }) => !isDiff || origin !== 'default')
  for (const warning of warnings) screen.warn([yellow('warning: '), warning])
  screen.show({ settings: rows, ...(material !== null && { material }) }, () => [
    ...(rows.length === 0
      ? ['All settings have their defaults.']
      : table(rows.map(({ key, value, origin }) => [bold(key), JSON.stringify(value), dim(origin)]))),
    ...(material === null ? [] : materialLines(material)),
  ])
})

const mostFiles = 3
const kinds: SortedFile['kind'][] = ['tests', 'settings', 'both', 'product']

/** With what decided it, so that it can be told otherwise. */
function materialLines(files: SortedFile[]): ShownLine[] {
  const product = files.filter(({ kind }) => kind === 'product').length
  const groups = kinds.flatMap((kind) => rulesOf(files.filter((one) => one.kind === kind)))
  return [
    '',
    [bold('What counts as test material here'), dim(`  ${counted(product, 'file')} are product`)],
    ...tableUnder(groups, ({ kind, because, paths }) => {
      const some = paths.slice(0, mostFiles).map((path) => oneLine(path, 60))
      const shown = `${some.join(', ')}${paths.length > mostFiles ? ', …' : ''}`
      return [kind, counted(paths.length, 'file'), because, dim(shown)]
    }),
    dim('The settings tests.material and tests.product say otherwise; --json has every file.'),
  ]
}

/** Of files of one kind: what decided it, the most frequent first. */
function rulesOf(files: SortedFile[]) {
  const rules = new Map<string, { kind: SortedFile['kind']; because: string; paths: string[] }>()
  for (const { kind, path, because: why } of files) {
    // That something is product needs no word, unless it was not plain.
    if (kind === 'product' && !why.includes('the setting')) continue
    // Without the files that it names as examples.
    const because = why.replace(/: .*$/s, '')
    const rule = rules.get(because) ?? { kind, because, paths: [] }
    rule.paths.push(path)
    rules.set(because, rule)
  }
  return [...rules.values()].sort((a, b) => b.paths.length - a.paths.length)
}

const init = {
  says: 'write a commented ropewalk.yaml for this repository',
  options: { '--force': 'replace the existing file' },
}

/** Writes a commented ropewalk.yaml with what the repository's own files say. Commits nothing. */
export const initVerb = verb(init, async ({ desk, screen }, _, options) => {
  const written = await desk.init(options)
  const { path, stacks, checks } = written
  screen.show(written, () => [
    `Wrote ${path}${stacks.length === 0 ? '' : ` for ${stacks.join(', ')}`}.`,
    ...(checks.length === 0
      ? [
          'No checks were found. Name the command that proves the work under `checks:`.',
          'It need not work yet: the first story may set it up if its plan declares the files under mayChange.',
        ]
      : checks.map((check) => `  check ${check.name}: ${check.run}`)),
    [
      ...['Next: ', bold('ropewalk agents'), ' shows who can write the code. Then run '],
      ...[bold('ropewalk doctor'), ', and commit the file.'],
    ],
  ])
})
