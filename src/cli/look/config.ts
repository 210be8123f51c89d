import type { SortedFile } from '../../ports/proofs/material.ts'
import { jsonSchema } from '../../settings/published/json-schema.ts'
import type { Settings } from '../../settings/settings.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { type MaterialView, materialView } from '../../views/material/material.ts'
import { counted } from '../../views/step-text.ts'
import { type SettingsHere, settingsHere } from '../prepare/settings-here.ts'
import type { Flags } from '../prepare/settings-layers.ts'
import { bold, dim, type Line, type Span, yellow } from '../show/line.ts'
import { meanwhile } from '../show/meanwhile.ts'
import { table } from '../show/table.ts'
import type { Cli } from '../world.ts'

export interface ConfigOptions extends Flags {
  diff?: boolean
  schema?: boolean
}

/** Every setting with its value and the layer that it comes from. */
export async function config(cli: Cli, options: ConfigOptions): Promise<number> {
  if (options.schema === true) {
    cli.screen.document(`${JSON.stringify(jsonSchema(), null, 2)}\n`)
    return 0
  }
  const { settings, origins, warnings, here } = await settingsHere(cli, options)
  const rows = Object.entries(origins)
    .map(([key, origin]) => ({ key, value: valueAt(settings, key), origin }))
    .filter((row) => options.diff !== true || row.origin !== 'default')
  for (const warning of warnings) cli.screen.warn([yellow('warning: '), warning])
  const material = here === null || options.diff === true ? null : await materialHere(cli, here, settings)
  if (cli.screen.json) cli.screen.emit(material === null ? { settings: rows } : { settings: rows, material })
  else if (rows.length === 0) cli.screen.print('Everything is as it is by default.')
  else cli.screen.print(...table(rows.map(({ key, value, origin }) => [bold(key), JSON.stringify(value), dim(origin)])))
  if (!cli.screen.json && material !== null) cli.screen.print(...materialLines(materialView(material)))
  return 0
}

const materialHere = (
  { world, screen }: Cli,
  { clone, base }: NonNullable<SettingsHere['here']>,
  policy: Settings,
): Promise<SortedFile[]> => meanwhile(screen, 'Sorting the files …', world.material(clone, { commit: base, policy }))

const mostFiles = 3

/** With what decided it, so that it can be told otherwise. */
function materialLines({ product, groups }: MaterialView): Line[] {
  const rows = groups.map(({ kind, because, files }): Span[] => {
    const some = files.slice(0, mostFiles).map((path) => oneLine(path, 60))
    const shown = `${some.join(', ')}${files.length > mostFiles ? ', …' : ''}`
    return [kind, counted(files.length, 'file'), because, dim(shown)]
  })
  const hint = 'The settings tests.material and tests.product say otherwise; --json has every file.'
  return [
    '',
    [bold('What counts as test material here'), dim(`  ${counted(product, 'file')} are product`)],
    ...table(rows, '  '),
    dim(hint),
  ]
}

function valueAt(settings: Settings, key: string): unknown {
  const checks = Object.fromEntries(settings.checks.map((check) => [check.name, check]))
  let at: unknown = { ...settings, checks }
  for (const part of key.split('.')) at = (at as Record<string, unknown> | null)?.[part]
  return at ?? null
}
