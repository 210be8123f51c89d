import { jsonSchema } from '../../settings/json-schema.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { type MaterialView, materialView } from '../../views/material.ts'
import { counted } from '../../views/step-text.ts'
import { bold, dim, type ShownLine, type TextSpan, table, yellow } from '../show/line.ts'
import { verb } from '../verb.ts'

const words = {
  says: 'list every setting, its value and where it comes from',
  options: {
    '--diff': 'only those that differ from the default',
    '--schema': 'print the JSON Schema of ropewalk.yaml',
  },
}

/** Every setting with its value and the layer that it comes from. */
export const configVerb = verb(words, async ({ desk, screen }, _, { schema, diff: isDiff }) => {
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
    ...(material === null ? [] : materialLines(materialView(material))),
  ])
  return 0
})

const mostFiles = 3

/** With what decided it, so that it can be told otherwise. */
function materialLines({ product, groups }: MaterialView): ShownLine[] {
  const rows = groups.map(({ kind, because, files }): TextSpan[] => {
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
