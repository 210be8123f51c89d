import { jsonSchema } from '../../settings/published/json-schema.ts'
import type { Settings } from '../../settings/settings.ts'
import { settingsHere } from '../prepare/settings-here.ts'
import type { Flags } from '../prepare/settings-layers.ts'
import { bold, dim, yellow } from '../show/line.ts'
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
  const { settings, origins, warnings } = await settingsHere(cli, options)
  const rows = Object.entries(origins)
    .map(([key, origin]) => ({ key, value: valueAt(settings, key), origin }))
    .filter((row) => options.diff !== true || row.origin !== 'default')
  for (const warning of warnings) cli.screen.warn([yellow('warning: '), warning])
  if (cli.screen.json) cli.screen.emit(rows)
  else if (rows.length === 0) cli.screen.print('Everything is as it is by default.')
  else cli.screen.print(...table(rows.map(({ key, value, origin }) => [bold(key), JSON.stringify(value), dim(origin)])))
  return 0
}

function valueAt(settings: Settings, key: string): unknown {
  const checks = Object.fromEntries(settings.checks.map((check) => [check.name, check]))
  let at: unknown = { ...settings, checks }
  for (const part of key.split('.')) at = (at as Record<string, unknown> | null)?.[part]
  return at ?? null
}
